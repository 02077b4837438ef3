// Training in the background: one thread owns the runs, one for each task, takes commands, and publishes a
// picture of the shown run about thirty times a second. The window never waits for it. A run continues while
// another task is shown, until that one is trained. Tested in tests/session/train_job_test.cpp.
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
  /// `changed` is called from the worker whenever latest() changed. Runs are saved beside `kept`,
  /// "training.safetensors" as "training-TASK.safetensors", whenever they pause and every `save_seconds`
  /// while they run, and select() loads them again; empty = nowhere. `threads` as in base::Parallel.
  explicit TrainJob(std::function<void()> changed, std::filesystem::path kept = {}, int threads = 0,
                    double save_seconds = 10);
  /// Stops after the current step, and saves everything that is unsaved.
  ~TrainJob();
  TrainJob(const TrainJob&) = delete;
  TrainJob& operator=(const TrainJob&) = delete;

  /// Shows the run of this task: that of this session, else that of the last session, paused, else none.
  /// Cheap to call every frame.
  void select(scene::TrainingTask task);
  /// Starts and shows a new run at step 0. An earlier run of the same task with other settings is moved to
  /// "training-TASK-before.safetensors".
  void start(const scene::TrainingSettings& settings);
  void pause();
  void resume();
  /// One step, then paused.
  void step();
  /// Rewinds to the newest kept step that is at most `step`, and pauses.
  void rewind(int step);
  /// The run takes over the learning rate of these settings at its next step, if it differs in nothing else.
  void steer(const scene::TrainingSettings& settings);
  /// Starts a new run that goes on from kept step `step` (−1: from the current state) with these settings,
  /// which may not change the network. The earlier run is moved as by start().
  void fork(int step, const scene::TrainingSettings& settings);
  /// Sets what is shown; cheap to call every frame.
  void look(const scene::TrainingLook& look);
  /// Writes the whole run into a file, so that it can be continued; snapshot.message says where, or why not.
  void save(const std::filesystem::path& path);
  /// Opens the run in such a file, paused; it becomes the shown run of its task.
  void open(const std::filesystem::path& path);
  /// The settings of a run that was opened since the last call; the scene takes them over.
  std::optional<scene::TrainingSettings> take_opened();
  /// Writes the model of run `run` (from 0), at the kept step nearest to `step` (−1: as it is now), to
  /// `path`; then calls `written(path)` from the worker.
  void write_model(int run, int step, const std::filesystem::path& path,
                   std::function<void(const std::string&)> written);

  /// Null while the shown task has no run. The object never changes once it is returned.
  std::shared_ptr<const scene::TrainingSnapshot> latest() const;
  /// The settings of the newest shown run of a task, for a return to it.
  std::optional<scene::TrainingSettings> settings_of(scene::TrainingTask task) const;
  bool running() const;
  /// Waits until nothing is left to do: paused, finished, or idle. For scripts and tests.
  void wait() const;
  /// As the destructor, without waiting: the current step is the last, and then everything is saved.
  void leave();
  /// After leave(): waits until everything is saved.
  void wait_until_left() const;

 private:
  using Work = std::function<void(TrainWork&)>;
  struct Command {
    std::optional<scene::TrainingTask> task;  // the shown task when the command was given
    Work work;
    bool stops = false;  // also stops the reading of the task's text or file
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
  scene::TrainingLook requested_look_;
  std::optional<scene::TrainingTask> requested_task_;
  std::optional<scene::TrainingSettings> opened_;
  std::array<std::optional<scene::TrainingSettings>, std::size(scene::Words<scene::TrainingTask>::list)>
      settings_;  // of the runs, one for each task
  bool busy_ = false, quit_ = false, left_ = false;
  std::unique_ptr<TrainWork> work_;  // the thread's
  std::thread thread_;               // started when there is something to do
};

}  // namespace headlight::app
