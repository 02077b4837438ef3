// A small view of a whole long map, beside the map. A frame marks the part on view; a click or a drag moves
// it. Below is what each key receives from all queries. Tested in tests/views/attention_overview_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

/// The least number of tokens of a map with an overview.
inline constexpr int overview_from = 128;

/// Returns its width at the right of the map's area, in units; 0: there is none, as on paper.
float overview_room(const Sheet& sheet, draw::Box area);

/// Draws the overview of [T, S] values in an area of that width.
void draw_overview(const Sheet& sheet, draw::Box area, const float* values);

}  // namespace headlight::views
