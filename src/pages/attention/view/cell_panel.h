// The arithmetic of one weight: q, k and their products as cells, the steps to the weight line by line, and
// the weighted v. Tested in tests/views/attention_cell_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

/// tall: cells above the lines; compact: the same with lines that may be closer; wide: cells beside the
/// lines.
enum class CellLook { tall, compact, wide };

/// Returns the least height of the card. Its lines spread out in a higher one.
float cell_height(const Sheet& sheet, CellLook look);

void draw_cell(const Sheet& sheet, draw::Box box, CellLook look);

inline constexpr float wide_cell_from = 600;  // least width of the card for the wide look

}  // namespace headlight::views
