// The words of a lesson beside its scene: heading, title, words, what is to be predicted, a question, a task,
// the lecturer's notes, and at the foot the way through the steps. Type is as large as the panel has room
// for. With a window of the lecturer's own the class sees the slide alone. Tested in
// tests/views/lesson_panel_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "draw/pick_canvas.h"
#include "kit/card.h"
#include "teach/lesson_words.h"

namespace headlight::views {

using Runs = std::vector<scene::WordRun>;

/// What the panel says now. Numbers are already in the runs.
struct LessonPanel {
  std::string heading;  // "lesson 3 · why order needs help"
  Runs title;
  std::string sentence;      // that the step is about, where the slide may not show it; empty: it is not said
  std::vector<Runs> words;   // paragraphs
  Runs predict;              // the question before the answer, and after it; empty: none
  bool covered = false;      // the answer is hidden
  std::string guess;         // what somebody has predicted; empty: nothing
  bool typing = false;       // it is being typed: Enter reveals, and not Space
  std::vector<Runs> reveal;  // the answer; empty while it is hidden
  Runs question;             // empty: none
  std::vector<Runs> choices;
  int chosen = -1, answer = 0;  // of the choices, from 0; −1: none yet
  Runs why;
  Runs task;  // empty: none
  bool task_done = false;
  std::string notes;  // empty: none
  bool notes_shown = false;
  int step = 0, steps = 1;  // step from 0
  std::string next_lesson;  // its title, after the last step; empty: none
  bool hall = false;        // the lecturer has a window: no notes, no keys, no way through the steps
  bool trying = false;      // somebody who writes the lesson has a look at it
  float appeared = 1;       // 0 … 1: words come in
  float controls = 0;       // height kept free above the foot, for the settings at hand
  float scroll = 0;         // units that the words are moved up, when they do not fit
};

struct LessonPlaces {
  float needed = 0;    // height of the words at the size that was taken
  draw::Box words;     // where they are; lower than `needed`: they scroll
  draw::Box controls;  // what was kept free
  draw::Box guess;     // room for the field in which the prediction is typed; empty: none
};

/// Marks are controls without an assignment: "next step", "previous step", "step 3", "choice 2", "reveal",
/// "explore", "notes", "leave lesson", "next lesson", "lecturer" (which opens the lecturer's window), and
/// "more" where the words go on below.
LessonPlaces lesson_panel(const Pen& pen, draw::Box box, const LessonPanel& panel);

/// The width that the panel takes of a window of so many units.
float lesson_panel_width(float window_width);

}  // namespace headlight::views
