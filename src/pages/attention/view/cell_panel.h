// One weight with its whole arithmetic: q, k and their products as cells, then line by line to the weight,
// and what the weight does with v. Tested in tests/views/attention_cell_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

/// tall: cells above the lines; compact: the same with its last lines joined; wide: cells beside the lines.
enum class CellLook { tall, compact, wide };

/// The height it takes.
float cell_height(const Sheet& sheet, CellLook look);

void draw_cell(const Sheet& sheet, draw::Box box, CellLook look);

inline constexpr float wide_cell_from = 600;  // width of the card from which the wide look fits

}  // namespace headlight::views
