// Lessons from the command line: the list, one step as a picture, a handout, and whether what a lesson says
// is true. Tested in tests/command/command_lesson_test.cpp.
#pragma once

#include <string>

#include "app/render.h"
#include "base/result.h"

namespace headlight::app {

/// One line for each lesson: number, name, title, what it is about, and a model that it needs and that is not
/// here.
std::string lessons_text();

/// Is there such a lesson, and can it be read? Of an unknown name the error lists those that there are.
base::Status known_lesson(const std::string& name);

struct LessonWish {
  std::string name;       // of a lesson, its number, or a file
  std::string step;       // from 1; empty: the first
  bool revealed = false;  // what Space shows is shown
  bool notes = false;
  bool lecturer = false;  // the lecturer's window, and beside it the slide of the class
};
/// A step as it looks in the window; the page and the size are those of `options`.
base::Status render_lesson(const LessonWish& wish, const scene::Scene& look, RenderOptions options);

/// Words, answers and notes of every step, as Markdown.
base::Result<std::string> lesson_handout(const std::string& name);

/// Plays the whole lesson. Empty: every number and claim holds, and everything named is on its page. Error
/// also where the model that it needs is not here: then nothing was checked.
base::Result<std::string> check_lesson(const std::string& name);

}  // namespace headlight::app
