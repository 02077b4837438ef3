// Places a tooltip so that it does not cover what it explains. All in pixels. Tested in
// tests/app/cell_tooltip_test.cpp.
#pragma once

#include <imgui.h>

#include "draw/geometry.h"

namespace headlight::screen {

/// For a cell: to the right of it and below it, or, at the screen's edges, to the left or above. Its row and
/// its column stay visible.
ImVec2 beside_cell(draw::Box cell, ImVec2 extent, ImVec2 screen, float gap);

/// For anything else: below its box, else to the right or left of it, else above it; the first of these that
/// is on the screen and within `reach` of the pointer. If the box has no size or leaves no such place: below
/// the pointer, or above it at the screen's edge.
ImVec2 beside_box(draw::Box box, ImVec2 pointer, ImVec2 extent, ImVec2 screen, float gap, float reach);

}  // namespace headlight::screen
