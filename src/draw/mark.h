// What a shape stands for. The pointer, the tooltip, an SVG's <title> and a test's click all come from the
// same mark.
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
  clock,            // pair of columns: key = pair; dragging turns the hand
  number,           // a number that can be typed into: element (query, key) of the matrix in the field `set`
  // A square of the plane, from … to along x and, upwards, along y: dragging assigns to the two fields in
  // `set`, "name_x,name_y", or with `set` = "name * a b c d" the point times [[a, b], [c, d]] to row `query`
  // of the matrix text in the field `name`; with "name * a b" row `query` becomes the one number a x + b y.
  plane,
  // A thing that can be dragged to another slot: entry `query` of the order in the list field `set`.
  slot,
  overview,  // a small map of a large one: `area` is all of it; a click or a drag moves what the large one
             // shows
  note,      // only a tooltip
  text,      // a setting that is a text and can be typed into: `set` is its name
};

/// A map under a mark of this part has cells, and a hit knows which: its query and key.
inline bool of_cells(Part part) {
  return part == Part::cell || part == Part::position_cell || part == Part::note;
}

struct Mark {
  Part part = Part::none;
  int head = -1, query = -1, key = -1;
  std::string note;  // tooltip, one or a few lines; empty: the app words it
  std::string set;   // "name=value" assignments for the scene, separated by ';', made by a click on a control
  std::string name;  // how scripts and keyboards find a control, unique on its page ("matrix", "bars sorted")
  Box area;          // hit area; empty: the shapes themselves
  float from = 0, to = 0;  // axis marks: the values at the left and right end of `area`
  bool operator==(const Mark&) const = default;
};

}  // namespace headlight::draw
