// What a shape represents. The pointer, the tooltip, an SVG's <title> and a test's click all use the same
// mark.
#pragma once

#include <string>

#include "draw/geometry.h"

namespace headlight::draw {

enum class Part {
  none,
  control,          // a click makes the assignment `set`
  head,             // a whole head: head
  cell,             // one weight: head, query (row), key (column)
  query_token,      // token as a query: query
  key_token,        // token as a key: key
  bar,              // bar of key in the panel of query
  position_row,     // row of P: query = position
  position_cell,    // element of P: query = position, key = column
  position_column,  // column of P: key
  position_axis,    // a plot along positions; area spans [from, to] positions: dragging moves the position
  offset_axis,      // the same for the offset position
  clock,            // pair of columns: key = pair; dragging rotates the hand
  number,           // an editable number: element (query, key) of the matrix in the field `set`
  // A square of the plane, from … to along x and, upwards, along y. Dragging assigns to the two fields in
  // `set`, "name_x,name_y". With `set` = "name * a b c d" it assigns the point times [[a, b], [c, d]] to row
  // `query` of the matrix text in the field `name`; with "name * a b" row `query` becomes the single number a
  // x + b y.
  plane,
  // A thing that can be dragged to another slot: entry `query` of the order in the list field `set`.
  slot,
  overview,  // a small map of a large one; `area` is all of it; a click or a drag moves the part that the
             // large one shows
  note,      // only a tooltip
  text,      // an editable text setting: `set` is its name
};

/// Returns whether a map under a mark of this part has cells, so that a hit has a query and a key.
inline bool of_cells(Part part) {
  return part == Part::cell || part == Part::position_cell || part == Part::note;
}

struct Mark {
  Part part = Part::none;
  int head = -1, query = -1, key = -1;
  std::string note;  // tooltip, one or a few lines; empty: the app provides the words
  std::string set;   // "name=value" assignments for the scene, separated by ';', applied by a click on a
                     // control
  std::string name;  // the control's name for scripts and keyboards, unique on its page ("matrix", "bars
                     // sorted")
  Box area;          // hit area; empty: the shapes themselves
  float from = 0, to = 0;  // axis marks: the values at the left and right end of `area`
  bool scrubs = false;     // a drag over such controls applies each of them
  int item = -1;           // which one, counted from 0, of controls that differ in their number alone
  bool operator==(const Mark&) const = default;
};

}  // namespace headlight::draw
