// The weights of one query as bars in rows, with the keys' names at their left. It shows every key that the
// query may attend to and the scene does not hide, or the strongest of many. Tested in
// tests/views/attention_bars_test.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kit/selection.h"

namespace headlight::views {

struct BarRows {
  std::vector<int> keys;  // in the order shown; empty: they do not fit
  float height = 0;       // of one row
  bool many = false;      // only some of many keys, written with their positions
  int more = 0;           // keys with a weight that have no room
  int left_out = 0;       // keys that are hidden or whose weight is below the least
  int masked = 0;
};
/// Chooses the rows; `row` has the weights [S] of `query`.
BarRows bar_rows(const Sheet& sheet, draw::Box area, int query, std::span<const float> row);
/// Draws the rows. Returns the note on the scale of the bars and on the keys without a row.
std::string draw_bar_rows(const Sheet& sheet, draw::Box area, int query, std::span<const float> row,
                          const BarRows& rows);

}  // namespace headlight::views
