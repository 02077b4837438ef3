// The times of the Cost page, measured in the background: one length after the other, shortest first, with
// what is known so far to take at any moment. Tested in tests/app/cost_job_test.cpp.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "scene/cost.h"

namespace headlight::app {

class CostJob {
 public:
  /// `changed` is called from the worker whenever latest() has become another one. `threads` as in
  /// base::Parallel.
  explicit CostJob(std::function<void()> changed, int threads = 0);
  ~CostJob();
  CostJob(const CostJob&) = delete;
  CostJob& operator=(const CostJob&) = delete;

  /// Measures all lengths at width `d` anew; a measurement that runs is stopped first.
  void start(int d);
  /// Stops soon: a single forward pass is never interrupted. What was measured stays.
  void stop();
  bool running() const;

  /// What is measured so far; null before the first start(). Never changes once it is given out.
  std::shared_ptr<const scene::CostMeasurements> latest() const;

 private:
  void measure(int d);
  void publish(const scene::CostMeasurements& now);

  std::function<void()> changed_;
  int threads_;
  mutable std::mutex mutex_;
  std::shared_ptr<const scene::CostMeasurements> latest_;
  std::atomic<bool> wanted_{false};
  std::thread thread_;
};

}  // namespace headlight::app
