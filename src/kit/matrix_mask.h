// The masked cells of a matrix panel: which cells they are, their background where the mask does not consist
// of intervals, and the name of the mask, written once. Also the cells that the panel leaves out: those of
// hidden tokens, and small weights. Tested in tests/views/matrix_panel_test.cpp.
#pragma once

#include <utility>

#include "kit/matrix_panel.h"

namespace headlight::views {

bool masked_cell(const MatrixPanel& panel, int query, int key);
/// Does the cell belong to a hidden token, or is its weight below the least? It then has no number.
bool left_out(const MatrixPanel& panel, int query, int key);
/// Returns the first and last key that the query may attend to; the whole range when there is none.
std::pair<int, int> keys_on(const MatrixPanel& panel, int query);

/// The largest number of visible cells for which weights below the least are left out; a map with more shows
/// them.
inline constexpr int most_left_out = 1 << 14;

/// The panel as it is drawn into `cells`.
struct MaskedMap {
  const MatrixPanel& panel;
  const draw::Heatmap& heat;
  draw::Box cells;
};
/// Draws the masked cells of MatrixPanel::allow. Intervals are part of the heatmap.
void draw_masked_runs(const Pen& pen, const MaskedMap& map);

/// A range of cells of the picture; the ends are exclusive.
struct CellRange {
  int first_col = 0, first_row = 0, last_col = 0, last_row = 0;
};
/// Covers rows and columns of hidden tokens with the surface. Where there are at most most_left_out cells on
/// view, also covers weights below the least with the colour of 0.
void draw_left_out(const Pen& pen, const MaskedMap& map, CellRange shown);
/// Writes "masked" into each row of a query without any key, or else the name of the mask ("the future:
/// masked", "padding: masked", "masked") once into a masked area that holds it. Returns false when there is
/// no room or nothing is masked.
bool draw_mask_name(const Pen& pen, const MaskedMap& map, CellRange shown);

}  // namespace headlight::views
