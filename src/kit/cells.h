// Draws the cells of all matrices: those with labels (kit/matrix_panel.h), and those without, such as a head
// among all heads, rows of P, or one vector. The rules are the same everywhere. Where several cells share a
// pixel, it shows the largest magnitude. In a matrix with signs, 0 has the colour of the surface. Numbers are
// written only where all of them fit. Tested in tests/views/cells_test.cpp and matrix_panel_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "kernels/tensor.h"
#include "kit/card.h"

namespace headlight::views {

/// Returns the heatmap of a matrix, in the colours of weights from 0 to 1 unless that is changed. `version`
/// changes with the values.
draw::Heatmap heat_of(const nn::Matrix& m, std::uint64_t version, int plane = 0);
/// The same for `rows` rows of values.
draw::Heatmap heat_of(std::span<const float> values, int rows, std::uint64_t version);
/// Changes the colours to those of both signs, from −limit to limit.
draw::Heatmap with_signs(draw::Heatmap heat, float limit);
/// Returns the largest magnitude of the finite values; 0 when there are none.
float largest_magnitude(std::span<const float> values);

/// Draws the cells into `box`. With a mark, the pointer hits them as that.
void draw_cells(const Pen& pen, draw::Box box, const draw::Heatmap& heat, const draw::Mark& mark = {});

/// Numbers are written into cells of at least this size in a window,
inline constexpr float number_cell_width = 36, number_cell_height = 17;
/// and into smaller ones on paper, where they may also be smaller than other text.
inline constexpr float printed_cell_width = 32, printed_cell_height = 14;
/// Do numbers of four characters fit into such cells? On a slide they are as large as other text, whatever
/// the size of the card before it is enlarged.
inline bool numbers_fit(const Pen& pen, draw::Point cell) {
  if (const float least = pen.canvas.least_text(); least > 0)
    return cell.x >= 2.45f * least && cell.y >= 1.25f * least;
  const bool paper = pen.canvas.plain();
  return cell.x >= (paper ? printed_cell_width : number_cell_width) &&
         cell.y >= (paper ? printed_cell_height : number_cell_height);
}

struct CellNumbers {
  bool weights = true;            // or differences of weights: small ones have no number; false: scores
  float factor = 1;               // on the numbers written
  int decimals = -1;              // −1: follows from the range of the colours
  int fewest_decimals = -1;       // so many where the others do not fit; −1: none are left out
  const char* undefined = "NaN";  // written for NaN
  std::function<bool(int row, int col)> left_out;  // cells without a number; empty: none
};
/// Writes the numbers of all cells on view, or none when they do not fit at the size of the window's other
/// text. All have the same form, so a cell has none when its value is not zero and its number would be.
void cell_numbers(const Pen& pen, draw::Box box, const draw::Heatmap& heat, const CellNumbers& which = {});

/// Draws the frame of the selected cell: 2.5 units in the colour of text, with an inner keyline in the colour
/// of the surface.
void selected_frame(const Pen& pen, draw::Box cell);

}  // namespace headlight::views
