// How the picture of every number is laid out: in bands, each a product, or several, with columns of cells as
// wide as they need to be. Tested in tests/views/worked_page_test.cpp and
// tests/pictures/figure_options_test.cpp.
#pragma once

#include <vector>

#include "pages/worked/view/view.h"

namespace headlight::views {

inline constexpr float flow_label_line = 18, flow_margin = 22, flow_block_gap = 22, flow_band_gap = 14,
                       flow_factor_gap = 6;

/// Blocks under one another, whose cells have one width.
struct CellColumn {
  int cells = 0;
  float need = 0;  // of a cell, so that its number is as large as a note
  float cell = 0;  // what it gets
};
/// A product with its left factor beside the result and the right one above it, or several.
struct CellBand {
  std::vector<CellColumn> columns;
  int upper = 0, lower = 0;  // rows of the factors above, and of the results
  float gap = flow_block_gap, left = flow_margin;
  float x(std::size_t column) const {
    float at = left;
    for (std::size_t i = 0; i < column; ++i)
      at += static_cast<float>(columns[i].cells) * columns[i].cell + gap;
    return at;
  }
};

/// Two bands; on paper three, with the weights and the output by themselves, where the numbers of the second
/// of two would be too small to be read.
bool in_three_bands(const WorkedView& view, float width);
/// Their rows, without columns.
std::vector<CellBand> rows_of_bands(const WorkedView& view, bool three);
/// With columns, in this width: all cells alike where the numbers have room in them, else each as its column
/// needs it.
std::vector<CellBand> bands_of(const WorkedView& view, float width, bool three);

/// Of all bands, and the room that their titles take.
float rows_of_all(const std::vector<CellBand>& bands);
float labels_height(const std::vector<CellBand>& bands);

}  // namespace headlight::views
