// The masked cells of a matrix panel: which they are, their ground where the mask is not made of intervals,
// and the name of the mask, once. And the cells that it leaves out: hidden tokens, small weights. Tested in
// tests/views/matrix_panel_test.cpp.
#pragma once

#include <utility>

#include "kit/matrix_panel.h"

namespace headlight::views {

bool masked_cell(const MatrixPanel& panel, int query, int key);
/// Of a hidden token, or smaller than the least weight: it has no number.
bool left_out(const MatrixPanel& panel, int query, int key);
/// The first and the last key that the mask leaves to the query; all where it leaves none.
std::pair<int, int> keys_on(const MatrixPanel& panel, int query);

/// Cells on view in which weights below the least are left out; a map with more shows them.
inline constexpr int most_left_out = 1 << 14;

/// The panel as it is drawn into `cells`.
struct MaskedMap {
  const MatrixPanel& panel;
  const draw::Heatmap& heat;
  draw::Box cells;
};
/// Of `allow`; intervals are part of the heatmap.
void draw_masked_runs(const Pen& pen, const MaskedMap& map);

/// Cells of the picture, ends exclusive.
struct CellRange {
  int first_col = 0, first_row = 0, last_col = 0, last_row = 0;
};
/// The surface over rows and columns of hidden tokens, and, where the cells on view can be told apart, the
/// colour of 0 over the weights below the least.
void draw_left_out(const Pen& pen, const MaskedMap& map, CellRange shown);
/// "the future: masked", "padding: masked" or "masked" in the widest of the masked parts that hold it, and
/// "masked" in each row of a query without any key. False: there is no room for it, or nothing is masked.
bool draw_mask_name(const Pen& pen, const MaskedMap& map, CellRange shown);

}  // namespace headlight::views
