// What only the trainer's thread touches: one run for each task, of which at most one is trained at a time
// and one is shown, and the files in which they outlive the program. Tested in
// tests/session/train_job_test.cpp, train_tasks_test.cpp and train_kill_test.cpp.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "learn/training_run.h"
#include "pages/training/training.h"

namespace headlight::app {

class TrainWork {
 public:
  struct Start {
    std::filesystem::path kept;  // "…/training.safetensors": files beside it are named after their tasks
    int threads = 0;
    double save_seconds = 10;  // between two savings of a run that goes on
    std::function<void(std::shared_ptr<const scene::TrainingSnapshot>)> show;  // null: nothing was trained
    std::function<bool()> interrupted;  // there is something newer to do than to read this text
  };
  explicit TrainWork(Start start) : start_(std::move(start)), parallel_(start_.threads) {}

  scene::TrainingTask task() const { return task_; }
  const scene::TrainingLook& looked_at() const { return look_; }
  /// The task was shown once, so that its kept run, if there was one, is there.
  bool knows(scene::TrainingTask task) const { return kept_runs_[static_cast<std::size_t>(task)].known; }

  /// Shows the run of this task; the first time that of its file, paused.
  void select(scene::TrainingTask task);
  void begin(const scene::TrainingSettings& settings);
  /// The settings of the run in the file; false, and it says why, when it cannot be read.
  bool open(const std::filesystem::path& path, scene::TrainingSettings& settings);
  void pause();
  void resume();
  void step();
  void rewind(int step);
  void look(const scene::TrainingLook& look);
  void save(const std::filesystem::path& path);
  bool write_model(int run, int step, const std::filesystem::path& path);
  /// An exception ended what was under way; `why` is one line.
  void failed(std::string why);

  bool running() const;
  /// One step of the run that is trained; saves it when that is due.
  void advance();
  /// Steps were made since a run was last in its file, and no more are to come.
  bool to_keep() const;
  /// Every run that is not in its file as it is.
  void keep_all();
  /// A picture of what is shown.
  void publish(float preparing = -1);

 private:
  using Clock = std::chrono::steady_clock;
  struct Kept {
    std::unique_ptr<scene::TrainingRun> run;
    scene::TrainingSettings settings;
    scene::TrainingState state = scene::TrainingState::idle;
    std::string message;
    bool known = false;     // its file was looked for
    bool unsaved = false;   // steps were made since the run was last in its file
    bool mine = false;      // the file of the task, if there is one, is this run's: it may be written over
    std::string rewound;    // the message that says to which step, until the run moves
    bool given_up = false;  // it was said that the run cannot be kept, and what happens the next time
    bool failed = false;    // the newest try to save it
    int kept_step = -1;
    double steps_per_second = 0, seconds_to_save = 0;
    Clock::time_point saved = Clock::now();
  };

  Kept& shown() { return kept_runs_[static_cast<std::size_t>(task_)]; }
  Kept& of(scene::TrainingTask task) { return kept_runs_[static_cast<std::size_t>(task)]; }
  std::filesystem::path file_of(scene::TrainingTask task, const char* which = "") const;
  void move(Kept& kept);
  scene::GoesOn preparing();
  void take(base::Result<std::unique_ptr<scene::TrainingRun>> made, scene::TrainingState then);
  base::Result<std::string> move_aside(scene::TrainingTask task);
  base::Result<std::string> set_aside(scene::TrainingTask task);
  bool makes_room(scene::TrainingTask task);
  base::Status keep(scene::TrainingTask task);
  base::Status write(const scene::TrainingRun& run, int which, bool whole, const std::filesystem::path& path,
                     int step = -1);
  void take_over_old_file();
  void pause_others();

  Start start_;
  base::Parallel parallel_;
  scene::TrainingTask task_ = scene::TrainingTask::reverse;
  scene::TrainingLook look_;
  std::array<Kept, std::size(scene::Words<scene::TrainingTask>::list)> kept_runs_;  // one for each task
  std::uint64_t version_ = 0;
  Clock::time_point shown_at_ = Clock::now();
};

}  // namespace headlight::app
