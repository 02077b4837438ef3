// The row of tokens at the top of the page: which queries are pinned, and a window of the sentence around the
// asked one when it is long. Tested in tests/views/attention_layout_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

inline constexpr float chips_height = 30;

void draw_chips(const Sheet& sheet, draw::Box row);

}  // namespace headlight::views
