// llama2.c's .bin files, versions 0 and 1 (karpathy/llama2.c, run.c and export.py): seven numbers and then
// every matrix, all layers of a kind together. Llama with RoPE on neighbouring pairs; base 10000 and epsilon
// 1e-5 are fixed and not in the file. The length of the file has to be what the numbers lead to.
#pragma once

#include <filesystem>

#include "models/opened_model.h"

namespace headlight::models {

/// Fills in the network, the weights, family and type.
base::Status open_llama2c(const std::filesystem::path& path, OpenedModel& model);

}  // namespace headlight::models
