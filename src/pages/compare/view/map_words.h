// The words and choices around the maps of A, B and A − B. Tested in tests/views/compare_page_test.cpp.
#pragma once

#include <array>
#include <string>

#include "kit/sides.h"
#include "pages/compare/view/cards.h"

namespace headlight::views {

/// Writes the numbers of the marked cell, on at most two lines.
void compare_cell_line(const CompareView& view, draw::Box row);
/// Returns "A: head 1", the title of a map on paper, where no heads can be chosen.
std::string compare_printed_title(const CompareView& view, WhichSide which);
/// Draws, from the left, the badge of A or B, the layers of a stack, and the heads to choose from.
void compare_chooser(const CompareView& view, draw::Point at, float width, WhichSide which, int layer,
                     int head);
/// Returns the height of the line of roles. On a slide it grows with the text, so that the labels below do
/// not touch it.
float compare_role_height(const Pen& pen);
/// Writes what the head does above each map, and the meaning of the signs above the difference.
void compare_role_lines(const CompareView& view, std::array<draw::Box, 3>& place);

}  // namespace headlight::views
