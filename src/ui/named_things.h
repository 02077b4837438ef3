// Things of a page by their names: where they are, and what is at a point. Lessons name what they cover and
// outline, Find the place of an answer. Tested in tests/lecture/page_overlay_test.cpp.
//
//   card bars        a card by its name, or by a part of its title
//   head 2 · query 3 · key 3 · clock 5 · map 1      marked things: heads and maps from 1, the rest from 0
//   row 2 · column 4 · cell 2 4                     of the large map: query and key, from 0
//   cells map pp     the large maps within what is named after "cells"
//   anything else    a control or an area by its name; with a * at its end, everything whose name begins so,
//                    in one box
#pragma once

#include <string>
#include <vector>

#include "draw/pick_canvas.h"

namespace headlight::app {

/// The marks and cards of the page.
struct PageThings {
  const std::vector<draw::PickCanvas::Target>& targets;
  const std::vector<draw::PickCanvas::Panel>& panels;
  int queries = 0, keys = 0;  // of the map
  bool turned = false;        // queries run across
};

/// Boxes of everything that has this name; empty: it is not on the page.
std::vector<draw::Box> boxes_of(const std::string& name, const PageThings& page);

/// What a lesson can name at a point of the page, the smallest first: a cell, a row or a column of a map by
/// its token, an area, a card. An empty name: nothing.
struct NamedThing {
  std::string name;
  draw::Box box;
};
NamedThing thing_at(draw::Point at, const draw::Hit& under, const PageThings& page);

/// Does it name a row, a column or a cell of the large map?
bool of_large_map(const std::string& name);
/// Adds the parts of the sums beside and below the large map that tell what a row, column or cell of it is.
void beside_the_map(const std::string& name, const PageThings& page, std::vector<draw::Box>& out);
/// Is there a map whose rows, columns and cells can be covered?
bool has_cells(const PageThings& page);

}  // namespace headlight::app
