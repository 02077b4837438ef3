#include "session/compute_job.h"

#include <utility>

#include "base/caught.h"
#include "scene/layer_input.h"

namespace headlight::app {

namespace {

std::string memory_words(const scene::Scene& scene) {
  const std::size_t tokens = scene::count_tokens(scene);
  return "not enough memory for " + std::to_string(tokens) + (tokens == 1 ? " token" : " tokens") + " and " +
         std::to_string(scene.heads) + (scene.heads == 1 ? " head" : " heads") +
         " at d = " + std::to_string(scene.d_model) +
         "; the last picture is shown: use fewer tokens or heads";
}

}  // namespace

ComputeJob::ComputeJob(base::Parallel& parallel, std::function<void()> finished, Compute compute)
    : parallel_(parallel),
      finished_(std::move(finished)),
      compute_(compute ? std::move(compute) : scene::compute),
      thread_([this] { loop(); }) {}

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

void ComputeJob::submit(const scene::Scene& scene, std::shared_ptr<const scene::ModelsAtHand> models,
                        std::shared_ptr<scene::Results> reuse) {
  {
    const std::lock_guard lock(mutex_);
    waiting_ = scene;
    models_ = models ? std::move(models) : std::make_shared<const scene::NoModels>();
    if (reuse) reuse_ = std::move(reuse);
    forget();
    wanted_ = ++newest_;
    fraction_ = 0;
  }
  wake_.notify_all();
}

void ComputeJob::cancel() {
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  forget();
  wanted_ = ++newest_;
}

void ComputeJob::let_go(std::shared_ptr<const scene::Results> results) {
  {
    const std::lock_guard lock(mutex_);
    unwanted_.push_back(std::move(results));
  }
  wake_.notify_all();
}

/// Drops the results of an earlier request.
void ComputeJob::forget() {
  done_.reset(), early_.reset();
  problem_.clear();
}

std::shared_ptr<const scene::Results> ComputeJob::take() {
  const std::lock_guard lock(mutex_);
  return std::move(done_);
}

std::shared_ptr<const scene::EarlyMap> ComputeJob::take_early() {
  const std::lock_guard lock(mutex_);
  return std::move(early_);
}

std::string ComputeJob::take_problem() {
  const std::lock_guard lock(mutex_);
  return std::exchange(problem_, {});
}

bool ComputeJob::busy() const {
  const std::lock_guard lock(mutex_);
  return running_ || waiting_.has_value();
}

void ComputeJob::loop() {
  for (;;) {
    std::optional<scene::Scene> scene;  // moved, so that nothing is allocated before a failure is caught
    std::shared_ptr<const scene::ModelsAtHand> models;
    std::shared_ptr<scene::Results> reuse;
    std::uint64_t mine = 0;
    {
      std::unique_lock lock(mutex_);
      running_ = false;
      wake_.wait(lock, [this] { return quit_ || waiting_.has_value() || !unwanted_.empty(); });
      if (quit_) return;
      if (!waiting_) {
        const auto unwanted = std::move(unwanted_);
        unwanted_.clear();
        lock.unlock();
        continue;  // freed here
      }
      scene.swap(waiting_);
      models = std::move(models_), reuse = std::move(reuse_);
      mine = newest_;
      running_ = true;
    }
    std::shared_ptr<scene::Results> made;
    std::string problem;
    const auto progress = [this, mine](float fraction) {
      if (wanted_.load(std::memory_order_relaxed) != mine) return false;
      fraction_.store(fraction, std::memory_order_relaxed);
      finished_();
      return true;
    };
    const auto early = [this, mine](std::shared_ptr<const scene::EarlyMap> map) {
      {
        const std::lock_guard lock(mutex_);
        if (newest_ == mine) early_ = std::move(map);
      }
      finished_();
    };
    try {
      made = compute_({*scene, *models}, parallel_, progress, std::move(reuse), early);
    } catch (...) {  // memory that was allocated is free again
      base::tell_caught(problem, [&] {
        const scene::UseModels at_hand(models.get());
        return base::caught_out_of_memory() ? memory_words(*scene)
                                            : "this cannot be computed: " + base::caught_words();
      });
    }
    {
      const std::lock_guard lock(mutex_);
      if (newest_ == mine) done_ = std::move(made), problem_ = std::move(problem), early_.reset();
      running_ = false;
    }
    finished_();
  }
}

}  // namespace headlight::app
