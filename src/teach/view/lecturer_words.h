// The middle of the lecturer's window: the notes of a step in large type and, below them, the words of the
// slide with the answers that are still covered. Tested in tests/views/lecturer_view_test.cpp.
#pragma once

#include "teach/view/lecturer_view.h"

namespace headlight::views {

struct LecturerWords {
  float size = 29;   // of the notes, em
  float large = 1;   // scale relative to 1280 × 720, for margins and headings
  bool draw = true;  // false: only measures
};

/// Draws from the top of `box`, in its width. Returns the height.
float lecturer_words(const Pen& pen, draw::Box box, const LecturerView& view, const LecturerWords& look);

/// A heading in capitals; takes its line from the top of `at`.
void lecturer_heading(const Pen& pen, draw::Box& at, const std::string& words, float large, bool draw = true);

}  // namespace headlight::views
