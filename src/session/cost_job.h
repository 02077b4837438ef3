// The times of the Cost page, measured in the background: one length after the other, shortest first; the
// results so far can be taken at any moment. Tested in tests/session/cost_job_test.cpp.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/parallel.h"
#include "pages/cost/cost.h"

namespace headlight::app {

class CostJob {
 public:
  using Measure = std::function<scene::CostMeasurement(int T, int d, base::Parallel&,
                                                       const std::function<bool()>& keep_going)>;
  /// `changed` is called from the worker whenever latest() changed. `threads` as in base::Parallel. `measure`
  /// is scene::measure_cost unless a test replaces it.
  explicit CostJob(std::function<void()> changed, int threads = 0, Measure measure = {});
  ~CostJob();
  CostJob(const CostJob&) = delete;
  CostJob& operator=(const CostJob&) = delete;

  /// Measures all lengths at width `d` again; a running measurement is abandoned. Returns at once: the worker
  /// begins when its current forward pass has ended.
  void start(int d);
  /// Stops soon: a single forward pass is never interrupted. Finished measurements remain.
  void stop();
  bool running() const;
  /// One line, once, when a length could not be measured; earlier measurements remain. Else empty.
  std::string take_problem();

  /// The measurements so far; null before the first start(). The object never changes once it is returned.
  std::shared_ptr<const scene::CostMeasurements> latest() const;

 private:
  void loop();
  void measure(int d, std::uint64_t request);
  void publish(const scene::CostMeasurements& now, std::uint64_t request);

  std::function<void()> changed_;
  int threads_;
  Measure measure_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<int> waiting_;  // a requested width that was not begun yet
  bool quit_ = false;
  std::string problem_;
  std::shared_ptr<const scene::CostMeasurements> latest_;
  std::uint64_t newest_ = 0;              // number of the newest start(); results of an older one are dropped
  std::atomic<std::uint64_t> wanted_{0};  // the start() that continues; 0 = none
  std::thread thread_;                    // last: starts after everything above exists
};

}  // namespace headlight::app
