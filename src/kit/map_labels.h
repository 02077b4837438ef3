// Tokens written along an axis so that they never overlap: every one of them, or every n-th, always those
// that are pinned or under the pointer. Tested in tests/views/attention_layout_test.cpp.
#pragma once

#include <span>

#include "kit/selection.h"

namespace headlight::views {

enum class Role { query, key };

/// Items first … last − 1 along an axis; item i covers start + i · pitch … start + (i + 1) · pitch.
struct TokenAxis {
  Role role = Role::query;
  int first = 0, last = 0;
  float start = 0, pitch = 0;
  float low = 0, high = 0;       // the axis on view: items are cut off here, labels stay inside
  std::span<const int> order;    // item i stands for token order[i]; empty: for token i
  bool colour_self_red = false;  // key axis: the asked query's own token is red
  int token(int item) const { return order.empty() ? item : order[static_cast<std::size_t>(item)]; }
};

/// Labels in a column: right-aligned (or left-aligned) at x, one above the other, no wider than `room`.
struct ColumnPlace {
  float x = 0, room = 0;
  bool left_aligned = false;
};
void labels_down(const Sheet& sheet, const TokenAxis& axis, const ColumnPlace& place);

/// Labels in a row. `y` is the middle of the words, or, when they read upwards, where they start (below the
/// map: where they end).
struct RowPlace {
  float y = 0, room = 0;  // room: height of words that read upwards
  bool upwards = false;
  bool below = false;    // the labels hang below y instead of standing on it
  bool numbers = false;  // positions instead of tokens
};
void labels_across(const Sheet& sheet, const TokenAxis& axis, const RowPlace& place);

/// Does a row of labels at this pitch have to read upwards, and how high is it then? At most `most` units.
struct RowPlan {
  bool upwards = false;
  float height = 0;
  bool numbers = false;  // too many tokens to name them: positions are counted
};
RowPlan plan_row(const Sheet& sheet, const TokenAxis& axis, float most);

/// Width of the widest label that labels_down() would write, at most `most`.
float column_width(const Sheet& sheet, const TokenAxis& axis, float most);

}  // namespace headlight::views
