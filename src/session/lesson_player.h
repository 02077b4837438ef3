// A lesson while it is played: the current step, what was revealed, answered and done in it; exploring freely
// and coming back. Every step has one scene, whichever way it is reached. Knows nothing of windows. Tested in
// tests/lecture/lesson_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pages/training/training.h"
#include "session/lesson_library.h"
#include "session/session.h"
#include "teach/lesson.h"

namespace headlight::app {

/// What was done in one step of a lesson.
struct StepAnswer {
  bool revealed = false;  // what the step covers
  bool done = false;      // its task
  int chosen = -1;        // of its question's choices, from 0
  std::string guess;      // the prediction, in free words; it is not judged
  std::uint64_t of = 0;   // the fingerprint of what the step asks: answered_of(); 0: unknown
  bool operator==(const StepAnswer&) const = default;
};

/// A fingerprint of everything in a step that can be answered: its prediction, its question, its task.
std::uint64_t answered_of(const scene::LessonStep& step);

class LessonPlayer {
 public:
  /// `session` outlives the player.
  explicit LessonPlayer(Session& session) : session_(session) {}

  /// Keeps the open scene and its history, which leave() restores. `step` from 0.
  void start(OpenedLesson opened, double now, int step = 0);
  void leave(double now);

  bool open() const { return opened_.has_value(); }
  bool playing() const { return open() && !exploring_; }
  bool exploring() const { return open() && exploring_; }

  // All below: only while a lesson is open.
  /// The lecturer's clock: the time from which it counts, and whether it was reset.
  double counts_from() const { return counts_from_; }
  bool clock_was_reset() const { return clock_reset_; }
  void reset_clock(double now) { counts_from_ = now, clock_reset_ = true; }
  const scene::Lesson& lesson() const { return opened_->lesson; }
  const LessonEntry& entry() const { return opened_->entry; }
  int step() const { return step_; }
  int steps() const { return static_cast<int>(lesson().steps.size()); }
  const scene::LessonStep& current() const { return lesson().steps[static_cast<std::size_t>(step_)]; }
  /// The scene of a step, with the current look of the interface.
  scene::Scene scene_of(int step) const;

  /// Goes to exactly the scene of that step; does nothing when `step` is out of range.
  void go(int step, double now);
  void next(double now) { go(step_ + 1, now); }
  void previous(double now) { go(step_ - 1, now); }

  void explore(double now);
  /// Returns to the step that was left, exactly as it is.
  void come_back(double now) { go(step_, now); }

  /// True if something of this step is covered.
  bool covered() const;
  /// Uncovers it; false when nothing was covered.
  bool reveal(double now);
  /// The user's prediction in this step before it is revealed.
  std::string& guess() { return state().guess; }
  const std::string& guess() const { return state().guess; }
  /// Answers the question; the first answer counts. `choice` from 0.
  void choose(int choice);
  int chosen() const { return state().chosen; }
  bool task_done() const { return state().done; }
  /// What was done in each step, from step 0.
  const std::vector<StepAnswer>& answers() const { return states_; }
  /// Brings these answers back, after a restart of the program. Those to anything else than what the step
  /// asks now are left out: the lesson may have changed.
  void bring_back(const std::vector<StepAnswer>& answers);
  /// Checks whether the task is done; called once a frame.
  void update();

  /// The words of the step, with numbers from the current scene.
  std::vector<scene::WordRun> runs(const std::string& words) const;
  /// The step's notes with the numbers of the open scene.
  std::string notes() const;
  /// The step's numbers and claims that are wrong in the open scene, one line each.
  std::vector<std::string> untrue() const;

  /// Waits until everything that the step shows is computed; on the Training page its run is trained to the
  /// end. For pictures and for checking a lesson: nothing in the window waits.
  void settle();

  /// 0 … 1 since the step, or what it reveals, appeared; 1 when nothing moves or should move.
  float appeared(double now) const;
  bool notes_shown = false;
  static constexpr double transition_seconds = 0.22;

 private:
  const StepAnswer& state() const { return states_[static_cast<std::size_t>(step_)]; }
  StepAnswer& state() { return states_[static_cast<std::size_t>(step_)]; }
  /// The run of the current scene; null for a run left over from another scene.
  std::shared_ptr<const scene::TrainingSnapshot> run() const;

  Session& session_;
  std::optional<OpenedLesson> opened_;
  std::vector<scene::Scene> scenes_;
  std::vector<StepAnswer> states_;
  std::optional<scene::Scene> before_;  // the scene that was open before the lesson
  scene::Undo history_before_;          // of that scene
  int step_ = 0;
  bool exploring_ = false;
  double changed_at_ = -1, counts_from_ = 0;
  bool clock_reset_ = false;
};

}  // namespace headlight::app
