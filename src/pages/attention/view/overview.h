// A long map, small and whole, beside the map: a frame around the part that is on view, which a click or a
// drag moves, and what each key receives from all queries. Tested in tests/views/attention_overview_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

/// From so many tokens on a map has an overview.
inline constexpr int overview_from = 128;

/// The width that it takes at the right of the map's area, units; 0: there is none, as on paper.
float overview_room(const Sheet& sheet, draw::Box area);

/// Of [T, S] values, in an area of that width.
void draw_overview(const Sheet& sheet, draw::Box area, const float* values);

}  // namespace headlight::views
