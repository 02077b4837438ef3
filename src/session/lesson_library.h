// The sources of lessons: included ones, the user's own, and files; and how a view becomes a step of an own
// lesson. Knows nothing of windows. Tested in tests/lecture/lesson_library_test.cpp.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "teach/lesson.h"

namespace headlight::app {

struct LessonEntry {
  std::string name;  // the argument of `headlight lesson NAME`
  std::string title, about;
  int number = 0;              // of an included lesson, from 1; 0: the user's own
  std::filesystem::path path;  // of the user's own lesson
  std::string problem;         // one line: why it cannot be played
  std::string missing;         // one line: a needed model that is not here; then one step says so
  int steps = 0, minutes = 0;  // for someone who reads the words and tries the tasks
  // The scene of the lesson's picture: that of the marked step, else of the first step whose page shows more
  // without a run than Training does. A step that covers an answer is left out if there is another one.
  scene::Scene shown;
  std::string card;      // the card that the step is about; empty: the page
  bool covered = false;  // the picture would show the answer of a step
};

/// The folder of the user's own lessons, beside the automatically saved scene; empty when that is not known.
std::filesystem::path lessons_folder();

/// Included lessons in their order, then those in `folder` by name.
std::vector<LessonEntry> list_lessons(const std::filesystem::path& folder);

struct OpenedLesson {
  scene::Lesson lesson;
  LessonEntry entry;
};
/// `what`: the name of a lesson, its number, or a file. If the model that it needs is not here, the lesson
/// that is played has a single step, which says so.
base::Result<OpenedLesson> open_lesson(const std::string& what, const std::filesystem::path& folder);
/// All steps of the lesson, whatever models are here.
base::Result<OpenedLesson> read_lesson(const std::string& what, const std::filesystem::path& folder);
/// The lesson in the form in which it is played.
OpenedLesson as_played(OpenedLesson opened);

/// A lesson as it is in its file: files that it names are not searched for.
struct LessonToWrite {
  scene::Lesson lesson;
  std::filesystem::path path;  // where it is written
  std::string known;           // what the file holds; empty: there is none yet
};
/// `what` as for open_lesson(). An included lesson is written as a copy.
base::Result<LessonToWrite> lesson_to_write(const std::string& what, const std::filesystem::path& folder);
/// A new lesson with this view as its first step.
base::Result<LessonToWrite> new_lesson(const scene::Scene& view, const std::filesystem::path& folder);
/// Accepts the current contents of the file: the next write_lesson() overwrites them. Error: the file cannot
/// be read.
base::Status take_over(LessonToWrite& what);
/// Writes the lesson under another name in the same folder; `what` is that file from then on.
base::Status write_lesson_aside(LessonToWrite& what);
/// Writes the lesson, unless the file has changed: then `changed` is set, and nothing is written.
base::Status write_lesson(LessonToWrite& what, bool& changed);

/// A lecturer's description of a view that becomes a step.
struct NewStep {
  std::string lesson = "My lesson";  // the title of a new one
  std::string title, words;
  std::vector<std::string> controls;
  std::filesystem::path file;      // the lesson that gets the step; empty: the one of that title
  std::vector<std::string> focus;  // of the step
  bool fresh = false;              // a new lesson, even if there is one of that title
};
struct AddedStep {
  std::filesystem::path path;
  int step = 0;       // its number, from 1
  std::string title;  // of the lesson
};
/// Appends the view to a lesson in `folder`, which is created if it does not exist. A lesson that got another
/// title in the file of this one is left as it is.
base::Result<AddedStep> add_view(const NewStep& step, const scene::Scene& view,
                                 const std::filesystem::path& folder);

/// A step's focus on these cards.
std::vector<std::string> focus_on(const std::vector<std::string>& cards);

/// The settings of the view's own page that it changes: those worth showing beside its words.
std::vector<std::string> controls_for(const scene::SceneChanges& changes, const scene::Scene& view);

/// The minutes that a lesson takes.
int minutes_of(const scene::Lesson& lesson);

/// How far lessons were played: for each name the last step that was reached, from 1.
using LessonProgress = std::map<std::string, int>;
LessonProgress read_progress(const std::filesystem::path& folder);
base::Status write_progress(const LessonProgress& progress, const std::filesystem::path& folder);
/// The name of a lesson there.
std::string progress_name(const LessonEntry& entry);

/// "The clocks" as a file's name: "the-clocks".
std::string file_name_of(const std::string& title);

}  // namespace headlight::app
