// A lesson while it is written: what each action makes of it, as plain functions, and the history of a draft.
// A step keeps its own picture whatever happens to the steps before it: the file says only what changes from
// step to step, so moving, deleting or changing a step rewrites the changes of the next one, and leaves alone
// those that still lead to the same scene. Tested in tests/scene/lesson_draft_test.cpp.
#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.h"
#include "teach/lesson.h"

namespace headlight::scene {

/// The scene of every step, without anybody's look; files are looked for in `beside`, the lesson's folder.
std::vector<Scene> views_of(const Lesson& lesson, const std::filesystem::path& beside);
/// The lesson whose steps have these scenes: one for each of its steps.
Lesson with_views(Lesson lesson, const std::vector<Scene>& views, const std::filesystem::path& beside);

/// A step with this view behind step `after`, from 0; −1: the first one.
Lesson with_view_added(Lesson lesson, int after, const Scene& view, const std::filesystem::path& beside);
Lesson with_view_of_step(Lesson lesson, int step, const Scene& view, const std::filesystem::path& beside);
Lesson with_step_moved(Lesson lesson, int from, int to, const std::filesystem::path& beside);
Lesson with_step_twice(Lesson lesson, int step, const std::filesystem::path& beside);
/// The only step of a lesson stays.
Lesson without_step(Lesson lesson, int step, const std::filesystem::path& beside);

/// What can be written into a file that opens again, whatever is unfinished: words with a mark that is not
/// closed are kept as plain text, a heading that is empty is "Step 2". What has no form in a file yet, a task
/// without a claim and a claim that cannot be read, is left out.
Lesson finished(Lesson lesson);

/// Words as they were typed: what would be a mark in a lesson is none.
std::string without_marks(std::string_view words);

/// A draft, the step that is worked on, and what was there before.
class LessonDraft {
 public:
  explicit LessonDraft(Lesson lesson = {}, int step = 0);

  const Lesson& lesson() const { return now_.lesson; }
  int step() const { return now_.step; }  // from 0
  int steps() const { return static_cast<int>(now_.lesson.steps.size()); }
  const LessonStep& current() const { return now_.lesson.steps[static_cast<std::size_t>(now_.step)]; }
  void select(int step);

  /// One step of undo. Changes with the same non-empty label that follow each other closely are one. False:
  /// it is what it was.
  bool change(Lesson next, int step, const std::string& label, double now);
  /// The same, of the step that is worked on.
  bool edit(const std::string& label, double now, base::FunctionRef<void(LessonStep&)> how);

  bool undo();
  bool redo();
  bool can_undo() const { return !past_.empty(); }
  bool can_redo() const { return !future_.empty(); }
  /// Changes with every change, undo and redo.
  int version() const { return version_; }

 private:
  struct State {
    Lesson lesson;
    int step = 0;
  };
  static constexpr std::size_t most_states = 300;
  static constexpr double merge_seconds = 1.5;
  State now_;
  std::deque<State> past_, future_;
  std::string label_;
  double time_ = -1e9;
  int version_ = 0;
};

}  // namespace headlight::scene
