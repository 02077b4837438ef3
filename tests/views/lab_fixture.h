// What the tests of the Order and Compare pages have in common: a page drawn at a size, and what is wrong
// with it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "attention_fixture.h"
#include "kit/page_input.h"
#include "page_checks.h"

namespace headlight::views {

using PageDrawing = float (*)(draw::Canvas&, draw::Box, const PageInput&);

struct Drawn {
  draw::RecordCanvas canvas;
  float needed = 0;
};
inline Drawn drawn(PageDrawing page, const PageInput& in, float width, float height) {
  Drawn out;
  out.needed = page(out.canvas, {0, 0, width, height}, in);
  return out;
}

/// Texts that cross each other or the edges of the page, and controls whose name is missing or not their own,
/// in words.
inline std::string layout_trouble(const Drawn& page, float width) {
  std::string out = test::text_trouble(page.canvas, width, page.needed);
  std::vector<std::string> names;
  for (const draw::Mark& mark : page.canvas.marks) {
    if (mark.part != draw::Part::control) continue;
    if (mark.name.empty() || std::count(names.begin(), names.end(), mark.name))
      out += "control \"" + mark.name + "\" has no name of its own\n";
    names.push_back(mark.name);
  }
  return out;
}

/// Assignments of controls that the scene's fields would not take, one after the other.
inline std::string unknown_fields(const draw::RecordCanvas& canvas) {
  std::string out;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.part != draw::Part::control && mark.part != draw::Part::slot) continue;
    const std::string set = mark.part == draw::Part::slot ? mark.set + "=" : mark.set;  // a list field
    for (std::size_t at = 0; at < set.size();) {
      const std::size_t end = std::min(set.find(';', at), set.size());
      if (!test::sets_a_field(set.substr(at, end - at))) out += set.substr(at, end - at) + " ";
      at = end + 1;
    }
  }
  return out;
}

}  // namespace headlight::views
