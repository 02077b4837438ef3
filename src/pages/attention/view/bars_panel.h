// What does the pinned query attend to? Draws its row of the matrix as bars, one for each key. Several pinned
// queries are stacked on one axis. Tested in tests/views/attention_bars_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

void draw_bars(const Sheet& sheet, draw::Box box);

/// Returns the least height at which the stacked bars are readable.
float bars_height(const Sheet& sheet);
/// Returns the height that its bars fill: more would be empty.
float most_bars_height(const Sheet& sheet);

}  // namespace headlight::views
