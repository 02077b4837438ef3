// A lesson while it is edited: the effect of each action, as plain functions, and the history of a draft. A
// step keeps its own scene whatever happens to the steps before it: the file has only the changes from step
// to step, so moving, deleting or changing a step rewrites the changes of the next one, and does not touch
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

/// The scene of every step, without a user's look; files are searched for in `beside`, the lesson's folder.
std::vector<Scene> views_of(const Lesson& lesson, const std::filesystem::path& beside);
/// The lesson with these scenes, one for each of its steps.
Lesson with_views(Lesson lesson, const std::vector<Scene>& views, const std::filesystem::path& beside);

/// Adds a step with this view after step `after`, from 0; −1: as the first step.
Lesson with_view_added(Lesson lesson, int after, const Scene& view, const std::filesystem::path& beside);
Lesson with_view_of_step(Lesson lesson, int step, const Scene& view, const std::filesystem::path& beside);
Lesson with_step_moved(Lesson lesson, int from, int to, const std::filesystem::path& beside);
Lesson with_step_twice(Lesson lesson, int step, const std::filesystem::path& beside);
/// The only step of a lesson is not removed.
Lesson without_step(Lesson lesson, int step, const std::filesystem::path& beside);

/// A version that can be written into a file and opened again, whatever is unfinished: words with an unclosed
/// mark become plain text, an empty heading becomes "Step 2". Parts that a file cannot have yet, a task
/// without a claim and a claim that cannot be read, are left out.
Lesson finished(Lesson lesson);

/// Words in which characters that would be marks of a lesson are plain text.
std::string without_marks(std::string_view words);

/// A draft, its current step, and its history.
class LessonDraft {
 public:
  explicit LessonDraft(Lesson lesson = {}, int step = 0);

  const Lesson& lesson() const { return now_.lesson; }
  int step() const { return now_.step; }  // from 0
  int steps() const { return static_cast<int>(now_.lesson.steps.size()); }
  const LessonStep& current() const { return now_.lesson.steps[static_cast<std::size_t>(now_.step)]; }
  void select(int step);

  /// Makes one step of undo. Changes with the same non-empty label that follow closely are one step. False:
  /// nothing changed.
  bool change(Lesson next, int step, const std::string& label, double now);
  /// The same for the current step.
  bool edit(const std::string& label, double now, base::FunctionRef<void(LessonStep&)> how);

  bool undo();
  bool redo();
  bool can_undo() const { return !past_.empty(); }
  bool can_redo() const { return !future_.empty(); }
  /// A number that changes with every change, undo and redo.
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
