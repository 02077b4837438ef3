// Training in the background: one thread that owns the runs, one for each task, takes commands, and hands out
// a picture of the run that is shown about thirty times a second. The window never waits for it. A run goes
// on while another task is looked at, until that one is trained. Tested in tests/session/train_job_test.cpp.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "pages/training/training.h"
#include "session/train_work.h"

namespace headlight::app {

class TrainJob {
 public:
  /// `changed` is called from the worker whenever latest() has become another one. Runs are saved beside
  /// `kept`, "training.safetensors" as "training-TASK.safetensors", whenever they stand still and every
  /// `save_seconds` while they go on, and taken up again by select(); empty = nowhere. `threads` as in
  /// base::Parallel.
  explicit TrainJob(std::function<void()> changed, std::filesystem::path kept = {}, int threads = 0,
                    double save_seconds = 10);
  /// Stops after the step that runs, and saves what was not saved.
  ~TrainJob();
  TrainJob(const TrainJob&) = delete;
  TrainJob& operator=(const TrainJob&) = delete;

  /// Shows the run of this task: the one of this session, else that of last time, paused, else none. Cheap to
  /// call every frame.
  void select(scene::TrainingTask task);
  /// A new run from its step 0; it is shown. What was trained of the same task with other settings goes into
  /// "training-TASK-before.safetensors".
  void start(const scene::TrainingSettings& settings);
  void pause();
  void resume();
  /// One step, then paused.
  void step();
  /// Paused at the newest kept step that is at most `step`.
  void rewind(int step);
  /// What is looked at; cheap to call every frame.
  void look(const scene::TrainingLook& look);
  /// The whole run into a file, to be continued; snapshot.message says where, or why not.
  void save(const std::filesystem::path& path);
  /// The run in such a file, paused; it is shown as the one of its task.
  void open(const std::filesystem::path& path);
  /// The settings of a run that was opened since the last call, for the scene to be that run's.
  std::optional<scene::TrainingSettings> take_opened();
  /// The model of run `run` (from 0), of the kept step nearest to `step` (−1: as it is), into
  /// `path`; then `written(path)` is called, from the worker.
  void write_model(int run, int step, const std::filesystem::path& path,
                   std::function<void(const std::string&)> written);

  /// Null while the task that is shown has no run. Never changes once it is given out.
  std::shared_ptr<const scene::TrainingSnapshot> latest() const;
  /// Those of the newest run of a task that was shown, for whoever comes back to it.
  std::optional<scene::TrainingSettings> settings_of(scene::TrainingTask task) const;
  bool running() const;
  /// Until nothing is left to do: paused, finished, or idle. For scripts and tests.
  void wait() const;
  /// As the destructor, without waiting: the step that runs is the last, and then all is saved.
  void leave();
  /// After leave(): until all is saved.
  void wait_until_left() const;

 private:
  using Work = std::function<void(TrainWork&)>;
  struct Command {
    std::optional<scene::TrainingTask> task;  // that was shown when it was given
    Work work;
    bool stops = false;  // what is being read for the task, too
  };
  void tell(Work work, bool stops = false);
  void start_thread();  // if it does not run; throws when there is no memory or no thread for it
  void loop();
  bool newer(const TrainWork& work) const;  // the lock is held

  std::function<void()> changed_;
  std::filesystem::path kept_;
  int threads_;
  double save_seconds_;
  mutable std::mutex mutex_;
  mutable std::condition_variable wake_;
  std::deque<Command> commands_;
  std::shared_ptr<const scene::TrainingSnapshot> latest_;
  scene::TrainingLook asked_look_;
  std::optional<scene::TrainingTask> asked_task_;
  std::optional<scene::TrainingSettings> opened_;
  std::array<std::optional<scene::TrainingSettings>, std::size(scene::Words<scene::TrainingTask>::list)>
      settings_;  // of the runs, one for each task
  bool busy_ = false, quit_ = false, left_ = false;
  std::unique_ptr<TrainWork> work_;  // the thread's
  std::thread thread_;               // started when there is something to do
};

}  // namespace headlight::app
