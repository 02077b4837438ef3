// The state that only the trainer's thread uses: one run for each task, of which at most one is trained at a
// time and one is shown, and the files that keep them after the program ends. Tested in
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
    double save_seconds = 10;  // between two saves of a running run
    std::function<void(std::shared_ptr<const scene::TrainingSnapshot>)> show;  // null: nothing was trained
    std::function<bool()> interrupted;  // true: there is a newer command than reading this text
  };
  explicit TrainWork(Start start) : start_(std::move(start)), parallel_(start_.threads) {}

  scene::TrainingTask task() const { return task_; }
  const scene::TrainingLook& looked_at() const { return look_; }
  /// True if the task was shown once, so that its kept run, if any, is loaded.
  bool knows(scene::TrainingTask task) const { return kept_runs_[static_cast<std::size_t>(task)].known; }

  /// Shows the run of this task; the first time that of its file, paused.
  void select(scene::TrainingTask task);
  void begin(const scene::TrainingSettings& settings);
  /// Reads the settings of the run in the file; when it cannot be read, returns false and sets the message.
  bool open(const std::filesystem::path& path, scene::TrainingSettings& settings);
  void pause();
  void resume();
  void step();
  void rewind(int step);
  /// Takes over the learning rate of these settings if they are the run's in everything else.
  void steer(const scene::TrainingSettings& settings);
  /// Trains a new run that goes on from kept step `step` (−1: from the current state) with these settings.
  void fork(int step, const scene::TrainingSettings& settings);
  void look(const scene::TrainingLook& look);
  void save(const std::filesystem::path& path);
  bool write_model(int run, int step, const std::filesystem::path& path);
  /// An exception ended the current work; `why` is one line.
  void failed(std::string why);

  bool running() const;
  /// Makes one step of the trained run; saves the run when that is due.
  void advance();
  /// True if steps were made since a run was last saved, and no more will follow.
  bool to_keep() const;
  /// Saves every run that differs from its file.
  void keep_all();
  /// Publishes a picture of the shown run.
  void publish(float preparing = -1);

 private:
  using Clock = std::chrono::steady_clock;
  struct Kept {
    std::unique_ptr<scene::TrainingRun> run;
    scene::TrainingSettings settings;
    scene::TrainingState state = scene::TrainingState::idle;
    std::string message;
    bool known = false;     // its file was searched for
    bool unsaved = false;   // steps were made since the run was last saved
    bool mine = false;      // the file of the task, if any, is this run's: it may be overwritten
    std::string rewound;    // the message that gives the step, until the run moves
    bool given_up = false;  // it was reported that the run cannot be kept, and what happens the next time
    bool failed = false;    // the last attempt to save it failed
    int kept_step = -1;
    double steps_per_second = 0, seconds_to_save = 0;
    Clock::time_point saved = Clock::now();
  };

  Kept& shown() { return kept_runs_[static_cast<std::size_t>(task_)]; }
  Kept& of(scene::TrainingTask task) { return kept_runs_[static_cast<std::size_t>(task)]; }
  std::filesystem::path file_of(scene::TrainingTask task, const char* which = "") const;
  void move(Kept& kept);
  scene::KeepGoing preparing();
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
