// The panel of a lesson beside its scene: heading, title, words, the prediction, a question, a task, the
// lecturer's notes, and at the bottom the buttons for moving through the steps. Type is as large as the panel
// has room for. With a separate lecturer's window, the class sees only the slide. Tested in
// tests/views/lesson_panel_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "draw/pick_canvas.h"
#include "kit/card.h"
#include "teach/lesson_words.h"

namespace headlight::views {

using Runs = std::vector<scene::WordRun>;

/// The content of the panel. Numbers are already in the runs.
struct LessonPanel {
  std::string heading;  // "lesson 3 · why order needs help"
  Runs title;
  std::string sentence;      // the step's sentence, if the slide may not show it; empty: it is not repeated
  std::vector<Runs> words;   // paragraphs
  Runs predict;              // the question to predict, before the answer and after it; empty: none
  bool covered = false;      // the answer is hidden
  std::string guess;         // the user's prediction; empty: none
  bool typing = false;       // it is being typed: Enter reveals, Space does not
  std::vector<Runs> reveal;  // the answer; empty while it is hidden
  Runs question;             // empty: none
  std::vector<Runs> choices;
  int chosen = -1, answer = 0;  // indices of choices, from 0; chosen −1: none yet
  Runs why;
  Runs task;  // empty: none
  bool task_done = false;
  std::string notes;  // empty: none
  bool notes_shown = false;
  int step = 0, steps = 1;  // step from 0
  std::string next_lesson;  // its title, after the last step; empty: none
  bool hall = false;        // the lecturer has a window: no notes, no keys, no buttons for the steps
  bool trying = false;      // the lesson is played from the editor
  float appeared = 1;       // 0 … 1 while words fade in
  float controls = 0;       // height kept free above the bottom bar, for the step's settings
  float scroll = 0;         // units by which the words are scrolled, when they do not fit
};

struct LessonPlaces {
  float needed = 0;    // height of the words at the chosen size
  draw::Box words;     // their area; if it is lower than `needed`, they scroll
  float shown = 0;     // height of that area down to where text is cut because it continues below
  draw::Box stays;     // the area of the last parts, which stay on view while those above scroll; empty: none
  draw::Box controls;  // the area that was kept free
  draw::Box guess;     // the field in which the prediction is typed; empty: none
};

/// Marks are controls without an assignment: "next step", "previous step", "step 3", "choice 2", "reveal",
/// "explore", "notes", "leave lesson", "next lesson", "lecturer" (which opens the lecturer's window), and
/// "more" when the words continue below.
LessonPlaces lesson_panel(const Pen& pen, draw::Box box, const LessonPanel& panel);

/// The width of the panel in a window of this width, in units.
float lesson_panel_width(float window_width);

}  // namespace headlight::views
