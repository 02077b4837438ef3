#include "session/cost_job.h"

#include <chrono>
#include <utility>

#include "base/caught.h"
#include "pages/cost/cost.h"

namespace headlight::app {

namespace {

/// The approximate cost of a length, without a unit: fixed runs of about the same time, and long passes at
/// the end.
double weight(int T, int d) {
  const double multiplications = 2.0 * T * d * d + 4.0 * T * T * d;
  return 1 + multiplications * 4e-8;
}

}  // namespace

CostJob::CostJob(std::function<void()> changed, int threads, Measure measure)
    : changed_(std::move(changed)),
      threads_(threads),
      measure_(measure ? std::move(measure)
                       : [](int T, int d, base::Parallel& parallel,
                            const std::function<bool()>&
                                keep_going) { return scene::measure_cost(T, d, parallel, keep_going); }),
      thread_([this] { loop(); }) {}

CostJob::~CostJob() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    wanted_ = 0;
  }
  wake_.notify_one();
  thread_.join();
}

void CostJob::start(int d) {
  scene::CostMeasurements first;
  first.d = d, first.running = true, first.lengths = static_cast<int>(scene::lengths_to_measure(d).size());
  {
    const std::lock_guard lock(mutex_);
    waiting_ = d;
    wanted_ = ++newest_;
    latest_ = std::make_shared<const scene::CostMeasurements>(first);
  }
  wake_.notify_one();
  changed_();
}

void CostJob::stop() {
  wanted_ = 0;
}

void CostJob::loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return quit_ || waiting_; });
    if (quit_) return;
    const int d = *waiting_;
    const std::uint64_t request = newest_;
    waiting_.reset();
    lock.unlock();
    try {
      measure(d, request);
    } catch (...) {  // the measured rows remain
      std::string why;
      base::tell_caught(why, [] { return "no more lengths were timed: " + base::caught_words(); });
      {
        const std::lock_guard problem(mutex_);
        if (request == newest_) problem_ = std::move(why);
      }
      try {
        scene::CostMeasurements stopped = *latest();
        stopped.running = false, stopped.seconds_left = 0;
        publish(stopped, request);
      } catch (...) {  // no memory even for these rows: they are dropped
        const std::lock_guard none(mutex_);
        if (request == newest_) latest_.reset();
      }
    }
    lock.lock();
  }
}

bool CostJob::running() const {
  const std::lock_guard lock(mutex_);
  return latest_ && latest_->running;
}

std::string CostJob::take_problem() {
  const std::lock_guard lock(mutex_);
  return std::exchange(problem_, {});
}

std::shared_ptr<const scene::CostMeasurements> CostJob::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

void CostJob::publish(const scene::CostMeasurements& now, std::uint64_t request) {
  {
    const std::lock_guard lock(mutex_);
    if (request != newest_) return;  // another one was started meanwhile
    latest_ = std::make_shared<const scene::CostMeasurements>(now);
  }
  changed_();
}

void CostJob::measure(int d, std::uint64_t request) {
  using Clock = std::chrono::steady_clock;
  base::Parallel parallel(threads_);  // its own: no page waits for the measurement
  const std::vector<int> lengths = scene::lengths_to_measure(d);
  double whole = 0, done = 0;
  for (const int T : lengths) whole += weight(T, d);
  scene::CostMeasurements now;
  now.d = d, now.running = true, now.lengths = static_cast<int>(lengths.size());
  const Clock::time_point start = Clock::now();
  for (const int T : lengths) {
    const auto keep_going = [this, request] { return wanted_.load(std::memory_order_relaxed) == request; };
    const scene::CostMeasurement m = measure_(T, d, parallel, keep_going);
    if (!keep_going()) break;
    now.rows.push_back(m);
    done += weight(T, d);
    now.fraction = static_cast<float>(done / whole);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    now.seconds_left = seconds * (whole - done) / done;
    if (now.rows.size() < lengths.size()) publish(now, request);
  }
  now.running = false, now.seconds_left = 0;
  publish(now, request);
}

}  // namespace headlight::app
