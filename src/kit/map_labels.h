// Labels along an axis that never overlap: all of them or every n-th, and always those that are chosen,
// pinned or under the pointer. They are horizontal, and slanted only where columns are much narrower than
// their words. Tested in tests/views/attention_layout_test.cpp,
// map_labels_test.cpp and matrix_panel_test.cpp.
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
  float low = 0, high = 0;     // the visible part of the axis: items are cut off here, labels stay inside
  std::span<const int> order;  // item i is token order[i]; empty: token i
  int token(int item) const { return order.empty() ? item : order[static_cast<std::size_t>(item)]; }
};

/// What is written along an axis, and which items are highlighted.
struct AxisNames {
  const PageInput* tokens = nullptr;  // tokens of the scene, with their marks; null: `names`
  std::span<const std::string> names;
  bool numbered = false;  // the names are numbers themselves, such as those of heads, which count from 1
  int chosen = -1, hovered = -1;
  std::span<const int> pinned;  // also in the colour of their role
  bool placed = false;          // with positions, as the labels of the map's other edge
  bool flat = false;            // in a row, words that would be slanted give way to each other instead
  int own = -1;                 // a key in the colour of the query: the query's own token
};
/// Returns the names for the page's selection.
AxisNames names_of(const Sheet& sheet, Role role);

/// The place of labels in a column: right-aligned (or left-aligned) at x, no wider than `room`.
struct ColumnPlace {
  float x = 0, room = 0;
  bool left_aligned = false;
};
void labels_down(const Pen& pen, const AxisNames& names, const TokenAxis& axis, const ColumnPlace& place);
void labels_down(const Sheet& sheet, const TokenAxis& axis, const ColumnPlace& place);

/// The layout of a row of labels; plan_row() limits its height to `most` units.
struct RowPlan {
  float turn = 0;          // 0: flat
  float flat_size = 0;     // of all flat labels
  float flat_most = 1e9f;  // the width that flat labels are cut to
  float height = 0;        // of the row
  float room = 0;          // length of a slanted label along its line
  float turned_size = 0;   // of slanted labels
  bool cut = false;        // slanted labels do not all have room
  float beyond_high = 0;   // how far slanted labels above the axis reach beyond its end,
  float beyond_low = 0;    // and those below it beyond its beginning
  float thinned = 0;       // the distance of flat labels where not every column has one; 0: every one has
  bool numbers = false;    // there are too many items to name: write their numbers
};
RowPlan plan_row(const Pen& pen, const AxisNames& names, const TokenAxis& axis, float most);
RowPlan plan_row(const Sheet& sheet, const TokenAxis& axis, float most);

/// Labels in a row as planned, above or below cells whose edge is at `edge`.
struct RowPlace {
  RowPlan plan;
  float edge = 0;
  bool below = false;
  float end = 1e9f;  // no slanted label above the cells reaches further
};
void labels_across(const Pen& pen, const AxisNames& names, const TokenAxis& axis, const RowPlace& place);
void labels_across(const Sheet& sheet, const TokenAxis& axis, const RowPlace& place);

/// Width of the widest label that labels_down() would write, at most `most`.
float column_width(const Pen& pen, const AxisNames& names, const TokenAxis& axis, float most);
float column_width(const Sheet& sheet, const TokenAxis& axis, float most);

}  // namespace headlight::views
