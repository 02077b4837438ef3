#include "app/animate_job.h"

#include <chrono>
#include <string>

#include "base/caught.h"

namespace headlight::app {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_changes{50};

}  // namespace

AnimateJob::AnimateJob(std::function<void()> changed) : changed_(std::move(changed)) {}

AnimateJob::~AnimateJob() {
  stop();
  if (thread_.joinable()) thread_.join();
}

bool AnimateJob::start(const scene::Scene& scene, const AnimateOptions& options) {
  {
    const std::lock_guard lock(mutex_);
    if (running_) return false;
    running_ = true;
    done_.reset();
  }
  if (thread_.joinable()) thread_.join();  // it has nothing left to do
  wanted_ = true, fraction_ = 0;
  try {
    thread_ = std::thread([this, scene, options] { work(scene, options); });
  } catch (...) {
    end(base::Error{"cannot start the animation: " + base::caught_words()});
  }
  return true;
}

void AnimateJob::work(const scene::Scene& scene, const AnimateOptions& options) {
  Clock::time_point told = Clock::now();
  base::Result<AnimateReport> report = base::Error{};
  try {
    base::Parallel parallel;  // its own: a page that computes meanwhile does not wait for us
    report = animate(scene, options, parallel, [&](float fraction) {
      fraction_ = fraction;
      if (Clock::now() - told > between_changes) changed_(), told = Clock::now();
      return wanted_.load();
    });
  } catch (...) {  // what was allocated is free again
    std::string problem;
    base::tell_caught(problem, [] {
      return base::caught_out_of_memory() ? "not enough memory for these frames: use fewer or smaller ones"
                                          : "cannot create the animation: " + base::caught_words();
    });
    report = base::Error{std::move(problem)};
  }
  end(std::move(report));
}

void AnimateJob::end(base::Result<AnimateReport> report) {
  {
    const std::lock_guard lock(mutex_);
    done_ = std::move(report);
    running_ = false;
  }
  ended_.notify_all();
  changed_();
}

bool AnimateJob::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

std::optional<base::Result<AnimateReport>> AnimateJob::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, std::nullopt);
}

void AnimateJob::wait() const {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return !running_; });
}

}  // namespace headlight::app
