// Paragraphs of a lesson: words in several styles, wrapped at blanks, with subscripts and superscripts.
// Tested in tests/views/lesson_panel_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "kit/card.h"
#include "teach/lesson_words.h"

namespace headlight::views {

struct LessonText {
  float size = 20;        // em
  float leading = 1.45f;  // from line to line, in em
  draw::Color color;
  bool strong = false;  // the whole text is semibold
  float alpha = 1;
};

/// Draws the runs from the top left corner of `box`, in its width; returns their height. Words that are wider
/// than the line are cut with an ellipsis. `draw` false: only measures.
float lesson_text(const Pen& pen, draw::Box box, std::span<const scene::WordRun> runs, const LessonText& look,
                  bool draw = true);

}  // namespace headlight::views
