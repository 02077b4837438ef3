// Rows of buttons, and heads as choices. Tested in tests/views/bench_page_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/card.h"

namespace headlight::views {

/// Buttons one after the other from the left, wrapped into lines of `width`. Returns the height they take;
/// draws nothing when `draw` is false.
float button_flow(const Pen& pen, draw::Point top_left, float width, const std::vector<Choice>& choices,
                  bool draw = true);

/// Heads as choices: all of them up to `most`, else the chosen one with its neighbours; `sets` turns a
/// 0-based head into an assignment. Names are "NAME 3".
std::vector<Choice> head_choices(int heads, int chosen, int most, const std::string& name,
                                 const std::string& field);

}  // namespace headlight::views
