// Names of parts of cards, `area NAME`, by which a lesson covers or outlines them. They are no targets of the
// pointer. Only the pages of a window and of a checked lesson name their areas: there `in.without` is not
// null. Tested in tests/lecture/covered_parts_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "kit/card.h"
#include "kit/page_input.h"

namespace headlight::views {

inline void name_area(const Pen& pen, const PageInput& in, std::string_view name, draw::Box area) {
  if (!in.without || area.w <= 0 || area.h <= 0) return;
  draw::Mark mark;
  mark.part = draw::Part::note, mark.area = area;
  mark.name.append("area ").append(name);
  pen.canvas.mark(mark);
  pen.canvas.mark({});
}

}  // namespace headlight::views
