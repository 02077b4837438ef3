// Where a tooltip goes so that it covers nothing of what it explains. All in pixels. Tested in
// tests/app/cell_tooltip_test.cpp.
#pragma once

#include <imgui.h>

#include "draw/geometry.h"

namespace headlight::screen {

/// Of a cell: right of it and below it, or, where the screen ends, left or above. Its row and its column
/// stay free.
ImVec2 beside_cell(draw::Box cell, ImVec2 extent, ImVec2 screen, float gap);

/// Of anything else: below its box, else right or left of it, else above it: the first of these that is on
/// the screen and within `reach` of the pointer. Of a box without a size, or one that leaves no such place:
/// below the pointer, or above it where the screen ends.
ImVec2 beside_box(draw::Box box, ImVec2 pointer, ImVec2 extent, ImVec2 screen, float gap, float reach);

}  // namespace headlight::screen
