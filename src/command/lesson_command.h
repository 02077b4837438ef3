// Lessons from the command line: the list, one step as a picture, a handout, and a check of a lesson's
// statements. Tested in tests/command/command_lesson_test.cpp.
#pragma once

#include <string>

#include "app/render.h"
#include "base/result.h"

namespace headlight::app {

/// One line for each lesson: number, name, title, subject, and a needed model that is not here.
std::string lessons_text();

/// Checks that the lesson exists and can be read. The error for an unknown name lists the known ones.
base::Status known_lesson(const std::string& name);

struct LessonRequest {
  std::string name;       // of a lesson, its number, or a file
  std::string step;       // from 1; empty: the first
  bool revealed = false;  // shows what Space reveals
  bool notes = false;
  bool lecturer = false;  // the lecturer's window, which includes the class's slide
};
/// A step as the window shows it; page and size are those of `options`.
base::Status render_lesson(const LessonRequest& request, const scene::Scene& look, RenderOptions options);

/// Words, answers and notes of every step, as Markdown.
base::Result<std::string> lesson_handout(const std::string& name);

struct LessonCheck {
  std::string problems;  // empty: every number and claim holds, and everything named is on its page
  std::string advice;    // numbers that the words of a step say and its picture does not show
};
/// Plays the whole lesson. An error if a needed model is not here: then nothing was checked.
base::Result<LessonCheck> check_lesson(const std::string& name);

}  // namespace headlight::app
