#include "session/preview_job.h"

#include <exception>
#include <utility>

namespace headlight::app {

PreviewJob::PreviewJob(std::function<void()> finished)
    : finished_(std::move(finished)), thread_([this] { loop(); }) {}

PreviewJob::~PreviewJob() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void PreviewJob::submit(const scene::Scene& scene, std::shared_ptr<const scene::ModelsAtHand> models) {
  {
    const std::lock_guard lock(mutex_);
    waiting_ = Request{scene, models ? std::move(models) : std::make_shared<const scene::NoModels>()};
    done_.reset();
    ++newest_;
  }
  wake_.notify_all();
}

void PreviewJob::cancel() {
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  done_.reset();
  ++newest_;
}

std::shared_ptr<const scene::Preview> PreviewJob::take() {
  const std::lock_guard lock(mutex_);
  return std::move(done_);
}

void PreviewJob::loop() {
  for (;;) {
    std::optional<Request> request;  // moved, so that nothing is allocated before a failure is caught
    std::uint64_t mine = 0;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return quit_ || waiting_; });
      if (quit_) return;
      request.swap(waiting_);
      mine = newest_;
    }
    std::shared_ptr<const scene::Preview> made;
    try {
      made = scene::compute_preview({request->scene, *request->models}, alone_);
    } catch (const std::exception&) {
      // Without a preview the last picture remains; the computation reports what is wrong.
    }
    {
      const std::lock_guard lock(mutex_);
      if (newest_ != mine || quit_) continue;
      done_ = std::move(made);
    }
    finished_();
  }
}

}  // namespace headlight::app
