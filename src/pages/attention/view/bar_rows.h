// The weights of one query as bars in rows, with the names of the keys at their left: every key that the mask
// leaves to it and the scene does not leave out, or, of many, the strongest ones. Tested in
// tests/views/attention_bars_test.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kit/selection.h"

namespace headlight::views {

struct BarRows {
  std::vector<int> keys;  // in the order shown; empty: they do not fit
  float height = 0;       // of a row
  bool many = false;      // some of many: their positions are written, too
  int more = 0;           // keys with a weight and without a row, for want of room
  int left_out = 0;       // hidden, or of a weight below the least
  int masked = 0;
};
/// `row`: the weights [S] of `query`.
BarRows bar_rows(const Sheet& sheet, draw::Box area, int query, std::span<const float> row);
/// Returns what is to be said of a whole bar, and of the keys that have no row.
std::string draw_bar_rows(const Sheet& sheet, draw::Box area, int query, std::span<const float> row,
                          const BarRows& rows);

}  // namespace headlight::views
