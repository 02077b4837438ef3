// The two rows of the Block page: the flow through the block; the heads, the large matrix and the stream. A
// stack and an opened model use the same rows. Tested in tests/views/block_page_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>

#include "kit/columns.h"

namespace headlight::views {

struct BlockRows {
  float least_flow = 0, flow_share = 0;  // least height of the upper row, and its share of the window
  float map_share = 0;                   // share of the lower row's width
  int heads = 1;                         // many heads side by side need more room
  std::function<float(float width)> least_heads;
  std::function<void(Box)> flow, overview, map, stream;
};

/// Draws both rows from the top of `rest`; `window` is the height of the window. Returns their lower edge.
inline float draw_block_rows(const BlockRows& rows, Box rest, float window) {
  const float room = window - 3 * card_gap, w = rest.w - 2 * card_gap;
  const float heads =
      std::round(w * std::clamp(0.28f + 0.02f * static_cast<float>(rows.heads - 4), 0.28f, 0.36f));
  const float share = std::max(rows.least_flow, std::round(room * rows.flow_share));
  float lower = std::max({340.f, room - share, rows.least_heads(heads)});
  const float upper = first_row(window - 2 * card_gap, share, lower);
  if (upper > share) lower = std::max(lower, window - 2 * card_gap);  // it gets a screen of its own
  rows.flow(take_top(rest, upper));
  Box line = take_top(rest, lower);
  rows.overview(take_left(line, heads));
  rows.map(take_left(line, std::round(w * rows.map_share)));
  rows.stream(line);
  return rest.y - card_gap;
}

}  // namespace headlight::views
