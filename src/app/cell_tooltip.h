// One line about a cell of a map, beside the pointer, outside the cell's row and column: it covers nothing of
// what it explains. Tested in tests/app/cell_tooltip_test.cpp.
#pragma once

#include <imgui.h>

#include <string_view>

#include "draw/geometry.h"
#include "screen/widgets.h"

namespace headlight::app {

/// Where a box of this size goes: right of the cell and below it, or, where the screen ends, left or above.
/// All in pixels.
ImVec2 beside_cell(draw::Box cell, ImVec2 extent, ImVec2 screen, float gap);

void cell_tooltip(screen::Ui& ui, std::string_view line, draw::Box cell);

}  // namespace headlight::app
