// `headlight measure`: measures a trained model on the held-out sequences of its task. The texts are also
// printed by `headlight train`. Tested in tests/command/measure_command_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "pages/training/training.h"

namespace headlight::app {

/// Score, loss and every head's role and largest scores, the score at other lengths and with heads removed,
/// for an included model or one in a file. `text` replaces the path of the text that it was trained on.
base::Result<std::string> measure(const std::string& model, const std::string& text = {});

/// "  layer 1, head 2", of numbers from 0.
std::string head_line(int layer, int head);
/// One line for each length; empty without any.
std::string lengths_text(const std::vector<scene::LengthPoint>& lengths, const std::string& score_name);
/// One line for each head, and one for each removal; empty if nothing was measured.
std::string pruning_text(const scene::Pruning& pruning, const std::string& score_name);

}  // namespace headlight::app
