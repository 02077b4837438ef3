// The notes of a step in large type and beneath them what the slide says, with the answers that are still
// covered: the middle of the lecturer's window. Tested in tests/views/lecturer_view_test.cpp.
#pragma once

#include "teach/view/lecturer_view.h"

namespace headlight::views {

struct LecturerWords {
  float size = 29;   // of the notes, em
  float large = 1;   // times as large as at 1280 × 720: margins and headings
  bool draw = true;  // false: only measures
};

/// From the top of `box`, as wide as it. Returns the height.
float lecturer_words(const Pen& pen, draw::Box box, const LecturerView& view, const LecturerWords& look);

/// A heading in capitals; takes its line from the top of `at`.
void lecturer_heading(const Pen& pen, draw::Box& at, const std::string& words, float large, bool draw = true);

}  // namespace headlight::views
