// An animation in the background: one at a time, on a thread of its own. The window waits only for a frame
// that is being drawn: when the program ends, and when the Export card makes a picture meanwhile, since
// figures are made one after the other (figure.h). Tested in tests/app/animate_job_test.cpp.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "app/animate.h"

namespace headlight::app {

class AnimateJob {
 public:
  /// `changed` is called from the worker: the fraction moved, or it is done.
  explicit AnimateJob(std::function<void()> changed = [] {});
  ~AnimateJob();
  AnimateJob(const AnimateJob&) = delete;
  AnimateJob& operator=(const AnimateJob&) = delete;

  /// False: another one still runs. Without a thread for it, it has ended at once, with an error.
  bool start(const scene::Scene& scene, const AnimateOptions& options);
  /// It ends soon, with an error that says so.
  void stop() { wanted_ = false; }
  bool running() const;
  float fraction() const { return fraction_; }
  /// How it ended, once.
  std::optional<base::Result<AnimateReport>> take();
  /// Until nothing runs. For scripts and tests.
  void wait() const;

 private:
  void work(const scene::Scene& scene, const AnimateOptions& options);
  void end(base::Result<AnimateReport> report);

  std::function<void()> changed_;
  mutable std::mutex mutex_;
  mutable std::condition_variable ended_;
  bool running_ = false;
  std::optional<base::Result<AnimateReport>> done_;
  std::atomic<bool> wanted_{false};
  std::atomic<float> fraction_{0};
  std::thread thread_;  // of the newest one
};

}  // namespace headlight::app
