// The panel for a matrix with labels along both edges. It draws the labels, coloured cells, numbers where
// they fit, masked cells and the selection, for the part on view. Every page draws maps of weights, scores or
// their differences with it. The selection looks the same everywhere: a frame along the query's row, two
// lines down the key's column, a frame around their cell, and a thin frame around the cell under the pointer.
// The cost depends on what is on view, not on the size of the matrix. Tested in
// tests/views/matrix_panel_test.cpp, attention_matrix_test.cpp and variants_page_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kit/cells.h"
#include "kit/map_labels.h"
#include "scene/hidden_tokens.h"
#include "scene/map_scale.h"

namespace headlight::views {

struct MatrixPanel {
  const float* values = nullptr;  // [rows, cols], query by key
  int rows = 0, cols = 0;
  std::uint64_t version = 0;          // changes with the values
  float lo = 0, hi = 1, decades = 0;  // as in draw::Heatmap
  draw::Colormap map = draw::Colormap::weight;
  const scene::WeightScale* scale = nullptr;  // not null: in place of lo, hi and decades
  std::span<const base::Interval> allowed;    // [rows] or empty
  std::span<const std::uint8_t> allow;        // [rows·cols] or empty: used when `allowed` is empty
  scene::HiddenTokens hidden;                 // their rows and columns are blank, without numbers
  float least = 0;                            // smaller weights are drawn as 0, without numbers
  bool transposed = false;                    // queries are columns
  draw::Box view;                             // in cells of the picture; w 0: everything
  draw::Mark mark;                            // of the cells

  const PageInput* tokens = nullptr;              // both edges are the scene's tokens; null: the names below
  std::vector<std::string> row_names, col_names;  // empty: that edge has no labels
  bool row_numbers = false, col_numbers = false;  // these names are numbers, not tokens with positions
  bool row_labels = true;                         // false: a map at the left has the same rows
  bool flat_names = false;   // only as many columns are named as have room for words that are not slanted
  std::string title, words;  // above the map; `words` are dimmed and follow the title
  std::string down = "query ↓", across = "key →";  // captions; both empty: none

  int query = -1, key = -1;     // of the selected cell; −1: none
  std::span<const int> pinned;  // more rows with a frame
  int hover_query = -1, hover_key = -1;

  bool numbers = true;
  bool weights = true;            // or differences of weights: small ones have no number; false: scores
  float factor = 1;               // on the numbers written into the cells
  const char* undefined = "NaN";  // written into cells with NaN

  float most_cell = 64;    // cells are never larger
  float most_tall = 1.6f;  // the largest ratio of their height to their width
  bool stretched = false;  // cells of any shape fill the area
  bool lattice = true;     // thin lines between cells of 8 units or more
  bool mask_name = true;   // the mask is named on the map where there is room
  bool fitted = false;     // its area has square_height(), so that it does not determine the card's height
  bool centred = true;     // horizontally in the area; false: at its left
  float right = 0, below = 0;  // room beside the cells for what the page draws there
  float left = 0;              // the least room for the labels of rows, below which the page writes as well
};

/// Where the panel was drawn, and whether the mask's name had room on the map.
struct MatrixPlace {
  draw::Box cells;
  TokenAxis rows, cols;
  draw::Point corner;  // left end of the line of captions
  bool mask_named = false;
};
MatrixPlace draw_matrix_panel(const Pen& pen, draw::Box area, const MatrixPanel& panel);

/// The width that is left for the cells of an area beside the labels, and the height that is above them.
struct CellsRoom {
  float width = 0, above = 0;
};
CellsRoom cells_room(const Pen& pen, draw::Box area, const MatrixPanel& panel);

/// Returns the height of the panel at this width with square cells, including its labels.
float square_height(const Pen& pen, float width, const MatrixPanel& panel);

/// Returns the largest cell size of a map that is the subject of its page: three cells may fill a large area.
inline float most_cell_in(draw::Box area) {
  return std::max(140.f, 0.3f * std::min(area.w, area.h));
}

/// Returns a panel for [T, S] values of the scene's tokens, with the page's colours, selection, orientation
/// and mask.
MatrixPanel token_panel(const Sheet& sheet, const float* values);

/// The largest number of masked runs that are drawn one by one.
inline constexpr int most_masked_runs = 1500;
/// Can the mask of the map be drawn? If not, masked cells look like zeros, which must be said.
bool can_mask(const MatrixPanel& panel);
bool has_masked(const MatrixPanel& panel);

/// Draws a frame around a query's row, or a column, with a keyline on both sides.
void role_frame(const Pen& pen, draw::Box box, draw::Color role, float width = 2);

}  // namespace headlight::views
