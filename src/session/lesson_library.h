// Where lessons come from: those that come with the program, those of the person at the keyboard, and files;
// and how a view becomes a step of one's own lesson. Knows nothing of windows. Tested in
// tests/lecture/lesson_test.cpp.
#pragma once

#include <filesystem>
#include <map>
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
  std::string missing;  // one line: the model that it needs and that is not here; then one step says so
  int steps = 0, minutes = 0;  // as somebody plays it who reads the words and tries the tasks
  // For its picture: the step that is marked as such, else the first one of a page that shows more without a
  // run than Training does.
  scene::Scene shown;
  std::string card;  // that the step is about; empty: the page
};

/// The folder of one's own lessons, beside the scene that saves itself; empty when that is not known.
std::filesystem::path lessons_folder();

/// Those that come along in their order, then those in `folder` by name.
std::vector<LessonEntry> list_lessons(const std::filesystem::path& folder);

struct OpenedLesson {
  scene::Lesson lesson;
  LessonEntry entry;
};
/// `what`: the name of a lesson, its number, or a file. Where the model that it needs is not here, the one
/// step that says so is what is played.
base::Result<OpenedLesson> open_lesson(const std::string& what, const std::filesystem::path& folder);
/// All of its steps, whatever models are here.
base::Result<OpenedLesson> read_lesson(const std::string& what, const std::filesystem::path& folder);
/// `opened` as it is played.
OpenedLesson as_played(OpenedLesson opened);

/// A lesson as it is in its file: the names of files in it are not looked for.
struct LessonToWrite {
  scene::Lesson lesson;
  std::filesystem::path path;  // where it is written
  std::string known;           // what the file holds; empty: there is none yet
};
/// `what` as for open_lesson(). A lesson that is included is written as a copy.
base::Result<LessonToWrite> lesson_to_write(const std::string& what, const std::filesystem::path& folder);
/// One with this view as its first step.
base::Result<LessonToWrite> new_lesson(const scene::Scene& view, const std::filesystem::path& folder);
/// What is in the file now is known, and is written over by the next write_lesson(). Error: it cannot be
/// read.
base::Status take_over(LessonToWrite& what);
/// Under another name in the same folder; `what` is that file from then on.
base::Status write_lesson_aside(LessonToWrite& what);
/// Writes the lesson, unless the file is not what it was: then `changed` is set, and nothing is written.
base::Status write_lesson(LessonToWrite& what, bool& changed);

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

/// The settings of the view's own page that it changes: those worth showing beside its words.
std::vector<std::string> controls_for(const scene::SceneChanges& changes, const scene::Scene& view);

/// Minutes that a lesson takes.
int minutes_of(const scene::Lesson& lesson);

/// How far lessons were played: by name, the last step that was reached, from 1.
using LessonProgress = std::map<std::string, int>;
LessonProgress read_progress(const std::filesystem::path& folder);
base::Status write_progress(const LessonProgress& progress, const std::filesystem::path& folder);
/// What a lesson is called there.
std::string progress_name(const LessonEntry& entry);

/// "The clocks" as a file's name: "the-clocks".
std::string file_name_of(const std::string& title);

}  // namespace headlight::app
