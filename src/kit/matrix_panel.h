// The one panel for a matrix with names along both edges: labels, cells of colour, the numbers in them while
// they fit, masked cells, what is left out, the part on view, and what is selected. Every page with a map of
// weights, scores or their differences draws it with this. What is selected looks the same everywhere: a
// frame along the row of the query, two lines down the column of the key, a frame around their cell; and a
// thin one around the cell under the pointer. The cost follows what is on view, not the size of the matrix.
// Tested in tests/views/matrix_panel_test.cpp, attention_matrix_test.cpp and variants_page_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kit/cells.h"
#include "kit/map_labels.h"
#include "scene/hidden_tokens.h"

namespace headlight::views {

struct MatrixPanel {
  const float* values = nullptr;  // [rows, cols], query by key
  int rows = 0, cols = 0;
  std::uint64_t version = 0;          // changes with the values
  float lo = 0, hi = 1, decades = 0;  // as those of draw::Heatmap
  draw::Colormap map = draw::Colormap::weight;
  std::span<const base::Interval> allowed;  // [rows] or empty
  std::span<const std::uint8_t> allow;      // [rows·cols] or empty: where `allowed` is empty
  scene::HiddenTokens hidden;               // rows and columns that are left out: blank, without numbers
  float least = 0;                          // smaller weights are left out: as if 0, without numbers
  bool transposed = false;                  // rows of values run across
  draw::Box view;                           // in cells of the picture; w 0: everything
  draw::Mark mark;                          // of the cells

  const PageInput* tokens = nullptr;  // both edges are tokens of the scene; null: names of the page's own
  std::vector<std::string> row_names, col_names;   // none: that edge has no names
  std::string title, words;                        // above the map; the quieter words follow the title
  std::string down = "query ↓", across = "key →";  // captions; both empty: none

  int query = -1, key = -1;     // of the selected cell; −1: none
  std::span<const int> pinned;  // more rows with a frame
  int hover_query = -1, hover_key = -1;

  bool numbers = true;
  bool weights = true;            // or differences of weights: small ones have no number; false: scores
  float factor = 1;               // on the numbers written into the cells
  const char* undefined = "NaN";  // in cells without a number

  float most_cell = 64;        // cells are never larger
  bool stretched = false;      // cells of any shape fill the area
  bool lattice = true;         // thin lines between cells of 8 units or more
  bool mask_name = true;       // the mask is named on the map where there is room
  bool fitted = false;         // its area has square_height(): the height of the card does not follow from it
  bool centred = true;         // across the area; false: at its left
  float right = 0, below = 0;  // room beside the cells for what the page draws there
};

/// Where it was drawn. The mask has its name on the map where there is room for it.
struct MatrixPlace {
  draw::Box cells;
  TokenAxis rows, cols;
  draw::Point corner;  // left end of the line of captions
  bool mask_named = false;
};
MatrixPlace draw_matrix_panel(const Pen& pen, draw::Box area, const MatrixPanel& panel);

/// What the panel needs at this width where cells are squares, with its labels.
float square_height(const Pen& pen, float width, const MatrixPanel& panel);

/// How large the cells of a map that is the subject of its page become: three of them may fill a large area.
inline float most_cell_in(draw::Box area) {
  return std::max(140.f, 0.3f * std::min(area.w, area.h));
}

/// [T, S] values of the scene's tokens with the page's colours, selection, orientation and mask.
MatrixPanel token_panel(const Sheet& sheet, const float* values);

/// More runs than this are not drawn one by one.
inline constexpr int most_masked_runs = 1500;
/// Can the mask of the map be drawn? If not, masked cells look like zeros, which must be said.
bool can_mask(const MatrixPanel& panel);
bool has_masked(const MatrixPanel& panel);

/// Around a row of the query, or a column, with a keyline on both sides.
void role_frame(const Pen& pen, draw::Box box, draw::Color role, float width = 2);

}  // namespace headlight::views
