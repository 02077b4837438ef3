// Names written along an axis so that they never overlap: every one of them, or every n-th, always those that
// are chosen, pinned or under the pointer. They lie flat, and slant only where columns are much narrower than
// their words. Tested in tests/views/attention_layout_test.cpp and matrix_panel_test.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kit/selection.h"

namespace headlight::views {

enum class Role { query, key };

/// Items first … last − 1 along an axis; item i covers start + i · pitch … start + (i + 1) · pitch.
struct TokenAxis {
  Role role = Role::query;
  int first = 0, last = 0;
  float start = 0, pitch = 0;
  float low = 0, high = 0;     // the axis on view: items are cut off here, labels stay inside
  std::span<const int> order;  // item i stands for token order[i]; empty: for token i
  int token(int item) const { return order.empty() ? item : order[static_cast<std::size_t>(item)]; }
};

/// What is written along an axis, and what stands out.
struct AxisNames {
  const PageInput* tokens = nullptr;  // tokens of the scene, with their marks; null: `names`
  std::span<const std::string> names;
  int chosen = -1, hovered = -1;
  std::span<const int> pinned;  // in the colour of their role, too
  int own = -1;                 // a key in the colour of the query: the query's own token
};
/// Of the page's selection.
AxisNames names_of(const Sheet& sheet, Role role);

/// Labels in a column: right-aligned (or left-aligned) at x, one above the other, no wider than `room`.
struct ColumnPlace {
  float x = 0, room = 0;
  bool left_aligned = false;
};
void labels_down(const Pen& pen, const AxisNames& names, const TokenAxis& axis, const ColumnPlace& place);
void labels_down(const Sheet& sheet, const TokenAxis& axis, const ColumnPlace& place);

/// How a row of labels stands at this pitch, in at most `most` units of height.
struct RowPlan {
  float turn = 0;          // 0: flat
  float flat_size = 0;     // of all flat labels
  float flat_most = 1e9f;  // what the longest of them is cut to
  float height = 0;        // that they take
  float room = 0;          // of one slanted label along its line
  float beyond_high = 0;   // how far slanted labels above the axis reach beyond its end,
  float beyond_low = 0;    // and those below it beyond its beginning
  bool numbers = false;    // too many items to name them: they are counted
};
RowPlan plan_row(const Pen& pen, const AxisNames& names, const TokenAxis& axis, float most);
RowPlan plan_row(const Sheet& sheet, const TokenAxis& axis, float most);

/// Labels in a row as planned, above or below cells whose edge is at `edge`.
struct RowPlace {
  RowPlan plan;
  float edge = 0;
  bool below = false;
};
void labels_across(const Pen& pen, const AxisNames& names, const TokenAxis& axis, const RowPlace& place);
void labels_across(const Sheet& sheet, const TokenAxis& axis, const RowPlace& place);

/// Width of the widest label that labels_down() would write, at most `most`.
float column_width(const Pen& pen, const AxisNames& names, const TokenAxis& axis, float most);
float column_width(const Sheet& sheet, const TokenAxis& axis, float most);

}  // namespace headlight::views
