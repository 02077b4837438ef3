// Where lessons come from: those that come with the program, those of the person at the keyboard, and files;
// and how a view becomes a step of one's own lesson. Knows nothing of windows. Tested in
// tests/app/lesson_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "teach/lesson.h"

namespace headlight::app {

struct LessonEntry {
  std::string name;  // what `headlight lesson NAME` takes
  std::string title, about;
  int number = 0;              // of those that come with the program, from 1; 0: one's own
  std::filesystem::path path;  // of one's own
  std::string problem;         // one line: why it cannot be played
};

/// The folder of one's own lessons, beside the scene that saves itself; empty when that is not known.
std::filesystem::path lessons_folder();

/// Those that come along in their order, then those in `folder` by name.
std::vector<LessonEntry> list_lessons(const std::filesystem::path& folder);

struct OpenedLesson {
  scene::Lesson lesson;
  LessonEntry entry;
};
/// `what`: the name of a lesson, its number, or a file.
base::Result<OpenedLesson> open_lesson(const std::string& what, const std::filesystem::path& folder);

/// What a lecturer says about a view that becomes a step.
struct NewStep {
  std::string lesson = "My lesson";  // its title
  std::string title, words;
  std::vector<std::string> controls;
};
struct AddedStep {
  std::filesystem::path path;
  int step = 0;  // its number, from 1
};
/// Appends the view to the lesson of that title in `folder`, which is made when there is none.
base::Result<AddedStep> add_view(const NewStep& step, const scene::Scene& view,
                                 const std::filesystem::path& folder);

/// The settings at hand on a page that a view changes: those worth showing beside its words.
std::vector<std::string> controls_for(const scene::SceneChanges& changes);

/// "The clocks" as a file's name: "the-clocks".
std::string file_name_of(const std::string& title);

}  // namespace headlight::app
