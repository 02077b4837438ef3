// How the picture of every number is laid out: in bands, each a product, or several, with columns of cells as
// wide as they need to be. Tested in tests/views/worked_page_test.cpp and
// tests/pictures/figure_options_test.cpp.
#pragma once

#include <optional>
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

/// Two bands with every matrix; on paper three, with the weights and the output by themselves, where the
/// numbers of the second of two would be too small to be read. On a narrow page the matrices of the chosen
/// step alone.
enum class FlowLayout { two, three, step };
FlowLayout flow_layout(const WorkedView& view, float width);
/// Every matrix of the picture; Q, K and V are there twice.
enum class FlowMatrix {
  x,
  w_q,
  w_k,
  w_v,
  q,
  k,
  v,
  q_again,
  k_turned,
  products,
  scores,
  weights,
  v_again,
  output
};
/// Where a matrix stands: a factor above the results, the last row of it right over them, or a result.
struct FlowPlace {
  std::size_t band = 0, column = 0;
  bool factor = false;
};
/// Nothing: the chosen step is shown alone, and the matrix is of another one.
std::optional<FlowPlace> flow_place(const WorkedView& view, FlowLayout layout, FlowMatrix which);

/// The bands’ rows, without columns.
std::vector<CellBand> rows_of_bands(const WorkedView& view, FlowLayout layout);
/// With columns, in this width: all cells alike where the numbers have room in them, else each as its column
/// needs it.
std::vector<CellBand> bands_of(const WorkedView& view, float width, FlowLayout layout);

/// Of all bands, and the room that their titles take.
float rows_of_all(const std::vector<CellBand>& bands);
float labels_height(const std::vector<CellBand>& bands);

}  // namespace headlight::views
