// The cells of all matrices: of those with names (kit/matrix_panel.h), and of pictures without any, such as a
// head among all heads, rows of P, or one vector. The rule is the same everywhere: of several cells under one
// pixel the largest magnitude is seen, 0 of a matrix with signs has the colour of the surface, and numbers
// are written where all of them fit. Tested in tests/views/cells_test.cpp and matrix_panel_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>

#include "kernels/tensor.h"
#include "kit/card.h"

namespace headlight::views {

/// The cells of a matrix, in the colours of weights from 0 to 1 until that is changed. `version` changes with
/// the values.
draw::Heatmap heat_of(const nn::Matrix& m, std::uint64_t version, int plane = 0);
/// The same of some values of one row, or of rows × cols.
draw::Heatmap heat_of(std::span<const float> values, int rows, std::uint64_t version);
/// From −limit to limit, in the colours of both signs.
draw::Heatmap with_signs(draw::Heatmap heat, float limit);
/// The largest magnitude of what is a number; 0: none.
float largest_magnitude(std::span<const float> values);

/// Draws them into `box` and, with a mark, makes them answer to the pointer as that.
void draw_cells(const Pen& pen, draw::Box box, const draw::Heatmap& heat, const draw::Mark& mark = {});

/// Numbers are written into cells of at least this size.
inline constexpr float number_cell_width = 32, number_cell_height = 14;
/// Do numbers of four characters fit into such cells? In a hall they are as large as all words.
inline bool numbers_fit(const Pen& pen, draw::Point cell) {
  const float least = pen.canvas.least_text();
  return cell.x >= std::max(number_cell_width, 2.4f * least + 5) &&
         cell.y >= std::max(number_cell_height, 1.15f * least);
}

struct CellNumbers {
  bool weights = true;            // or differences of weights: small ones have no number; false: scores
  float factor = 1;               // on what is written
  int decimals = -1;              // −1: as many as the range of the colours asks for
  const char* undefined = "NaN";  // what is no number
  std::function<bool(int row, int col)> left_out;  // of the values; empty: none
};
/// All that are on view, or none where they do not fit.
void cell_numbers(const Pen& pen, draw::Box box, const draw::Heatmap& heat, const CellNumbers& which = {});

/// What of `box` lies in `all`; a side may be negative where nothing does.
draw::Box part_inside(draw::Box box, draw::Box all);

/// Of a cell: 2.5 units in the colour of text, with a keyline of the surface inside.
void selected_frame(const Pen& pen, draw::Box cell);

}  // namespace headlight::views
