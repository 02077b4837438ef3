// Training in the background: one thread that owns the run, takes commands, and hands out a picture of it
// about thirty times a second. The window never waits for it. Tested in tests/app/train_job_test.cpp.
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "scene/training_run.h"

namespace headlight::app {

class TrainJob {
 public:
  /// `changed` is called from the worker whenever latest() has become another one. `kept` is where a run is
  /// saved when the program ends, and taken up again by take_up(); empty = nowhere. `threads` as in
  /// base::Parallel.
  explicit TrainJob(std::function<void()> changed, std::filesystem::path kept = {}, int threads = 0);
  /// Stops after the step that runs, and saves what was not saved.
  ~TrainJob();
  TrainJob(const TrainJob&) = delete;
  TrainJob& operator=(const TrainJob&) = delete;

  /// A new run from its step 0; what was there before is dropped.
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
  /// Another run from such a file, paused.
  void open(const std::filesystem::path& path);
  /// The run that was going on when the program ended last time, if there is one; only before any other run,
  /// once.
  void take_up();
  /// The model of run `run` (from 0) into `path`; then `written(path)` is called, from the worker.
  void write_model(int run, const std::filesystem::path& path,
                   std::function<void(const std::string&)> written);

  /// Null before there was any run. Never changes once it is given out.
  std::shared_ptr<const scene::TrainingSnapshot> latest() const;
  bool running() const;
  /// Until nothing is left to do: paused, finished, or idle. For scripts and tests.
  void wait() const;

 private:
  struct Work;  // what only the worker touches
  using Command = std::function<void(Work&)>;
  void tell(Command command);
  void loop();

  std::function<void()> changed_;
  std::filesystem::path kept_;
  int threads_;
  mutable std::mutex mutex_;
  mutable std::condition_variable wake_;
  std::deque<Command> commands_;
  std::shared_ptr<const scene::TrainingSnapshot> latest_;
  scene::TrainingLook asked_look_;
  bool taken_up_ = false, busy_ = false, quit_ = false;
  std::thread thread_;  // started by the first command
};

}  // namespace headlight::app
