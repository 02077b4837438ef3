// A map of queries by keys with their names, for any values and any colours: weights, parts of a
// score, differences. It turns and zooms as the large map of the Attention page does. And the small pieces
// that the pages with such maps share. Tested in tests/views/order_page_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/selection.h"

namespace headlight::views {

/// queries × keys values, query by key. `head` of its cells' mark, −1: of no head in particular.
struct TokenMap {
  const float* values = nullptr;
  int tokens = 0;                     // queries
  int keys = 0;                       // 0: as many, the same tokens
  float lo = 0, hi = 1, decades = 0;  // as those of draw::Heatmap
  draw::Colormap map = draw::Colormap::weight;
  int head = -1;
  int query = -1, key = -1;   // the cell with a frame, −1: none
  bool striped = false;       // masked cells carry stripes
  std::string title, words;   // above the map; the quieter words follow the title
  bool weights = false;       // or their differences: small ones have no number
  float factor = 1;           // on the numbers written into the cells
  std::uint64_t version = 0;  // changes with the values; 0: that of the results
};

/// Labels, cells, frames, numbers where they fit. Returns the box of the cells.
draw::Box draw_token_map(const Sheet& sheet, draw::Box area, const TokenMap& map);

/// Buttons one after the other from the left, wrapped into lines of `width`. Returns the height they take;
/// draws nothing when `draw` is false.
float button_flow(const Pen& pen, draw::Point top_left, float width, const std::vector<Choice>& choices,
                  bool draw = true);

/// Heads as choices: all of them up to `most`, else the chosen one with its neighbours; `sets` turns a
/// 0-based head into an assignment. Names are "NAME 3".
std::vector<Choice> head_choices(int heads, int chosen, int most, const std::string& name,
                                 const std::string& field);

}  // namespace headlight::views
