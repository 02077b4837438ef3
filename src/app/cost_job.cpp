#include "app/cost_job.h"

#include <chrono>

#include "base/parallel.h"

namespace headlight::app {

namespace {

/// Roughly what a length costs, in no unit: fixed runs of about the same time, and long passes at the end.
double weight(int T, int d) {
  const double multiplications = 2.0 * T * d * d + 4.0 * T * T * d;
  return 1 + multiplications * 4e-8;
}

}  // namespace

CostJob::CostJob(std::function<void()> changed, int threads)
    : changed_(std::move(changed)), threads_(threads) {}

CostJob::~CostJob() {
  wanted_ = false;
  if (thread_.joinable()) thread_.join();
}

void CostJob::start(int d) {
  wanted_ = false;
  if (thread_.joinable()) thread_.join();
  wanted_ = true;
  scene::CostMeasurements first;
  first.d = d, first.running = true;
  publish(first);
  thread_ = std::thread([this, d] { measure(d); });
}

void CostJob::stop() {
  wanted_ = false;
}

bool CostJob::running() const {
  const std::lock_guard lock(mutex_);
  return latest_ && latest_->running;
}

std::shared_ptr<const scene::CostMeasurements> CostJob::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

void CostJob::publish(const scene::CostMeasurements& now) {
  {
    const std::lock_guard lock(mutex_);
    latest_ = std::make_shared<const scene::CostMeasurements>(now);
  }
  changed_();
}

void CostJob::measure(int d) {
  using Clock = std::chrono::steady_clock;
  base::Parallel parallel(threads_);  // its own: a page that computes meanwhile does not wait for us
  const std::vector<int> lengths = scene::lengths_to_measure(d);
  double whole = 0, done = 0;
  for (const int T : lengths) whole += weight(T, d);
  scene::CostMeasurements now;
  now.d = d, now.running = true;
  const Clock::time_point start = Clock::now();
  for (const int T : lengths) {
    const scene::CostMeasurement m =
        scene::measure_cost(T, d, parallel, [this] { return wanted_.load(std::memory_order_relaxed); });
    if (!wanted_) break;
    now.rows.push_back(m);
    done += weight(T, d);
    now.fraction = static_cast<float>(done / whole);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    now.seconds_left = seconds * (whole - done) / done;
    if (now.rows.size() < lengths.size()) publish(now);
  }
  now.running = false, now.seconds_left = 0;
  publish(now);
}

}  // namespace headlight::app
