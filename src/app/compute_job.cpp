#include "app/compute_job.h"

namespace headlight::app {

ComputeJob::ComputeJob(base::Parallel& parallel, std::function<void()> finished)
    : parallel_(parallel), finished_(std::move(finished)), thread_([this] { loop(); }) {}

ComputeJob::~ComputeJob() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    waiting_.reset();
    wanted_ = ++newest_;
  }
  wake_.notify_all();
  thread_.join();
}

void ComputeJob::submit(const scene::Scene& scene) {
  {
    const std::lock_guard lock(mutex_);
    waiting_ = scene;
    done_.reset();
    wanted_ = ++newest_;
    fraction_ = 0;
  }
  wake_.notify_all();
}

void ComputeJob::cancel() {
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  done_.reset();
  wanted_ = ++newest_;
}

std::shared_ptr<const scene::Results> ComputeJob::take() {
  const std::lock_guard lock(mutex_);
  return std::move(done_);
}

bool ComputeJob::busy() const {
  const std::lock_guard lock(mutex_);
  return running_ || waiting_.has_value();
}

void ComputeJob::loop() {
  for (;;) {
    scene::Scene scene;
    std::uint64_t mine = 0;
    {
      std::unique_lock lock(mutex_);
      running_ = false;
      wake_.wait(lock, [this] { return quit_ || waiting_.has_value(); });
      if (quit_) return;
      scene = std::move(*waiting_);
      waiting_.reset();
      mine = newest_;
      running_ = true;
    }
    std::shared_ptr<scene::Results> made = scene::compute(scene, parallel_, [this, mine](float fraction) {
      if (wanted_.load(std::memory_order_relaxed) != mine) return false;
      fraction_.store(fraction, std::memory_order_relaxed);
      finished_();
      return true;
    });
    {
      const std::lock_guard lock(mutex_);
      if (made && newest_ == mine) done_ = std::move(made);
      running_ = false;
    }
    finished_();
  }
}

}  // namespace headlight::app
