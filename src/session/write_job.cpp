#include "session/write_job.h"

#include <utility>

#include "base/caught.h"

namespace headlight::app {

WriteJob::WriteJob(std::function<void()> finished, int threads)
    : finished_(std::move(finished)), threads_(threads) {}

WriteJob::~WriteJob() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void WriteJob::start(std::shared_ptr<const scene::TrainedModel> model, scene::WriteRules rules) {
  auto writer = std::make_shared<scene::Writer>(std::move(model), std::move(rules));
  if (!thread_.joinable()) {  // first: there may be no thread
    if (!parallel_) parallel_ = std::make_unique<base::Parallel>(threads_);
    thread_ = std::thread([this] { loop(); });
  }
  {
    const std::lock_guard lock(mutex_);
    writer_ = std::move(writer);
    waiting_.reset(), answer_.reset();
    ++newest_;
  }
}

void WriteJob::ask(std::vector<int> ids) {
  {
    const std::lock_guard lock(mutex_);
    waiting_ = std::move(ids);
  }
  wake_.notify_one();
}

void WriteJob::stop() {
  const std::lock_guard lock(mutex_);
  writer_.reset(), waiting_.reset(), answer_.reset();
  ++newest_;
}

std::optional<WriteJob::Answer> WriteJob::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(answer_, std::nullopt);
}

bool WriteJob::busy() const {
  const std::lock_guard lock(mutex_);
  return waiting_ || running_;
}

void WriteJob::loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return quit_ || (waiting_ && writer_); });
    if (quit_) return;
    Answer answer{*std::exchange(waiting_, std::nullopt), -1, {}};
    const std::shared_ptr<scene::Writer> writer = writer_;
    const std::uint64_t request = newest_;
    running_ = true;
    lock.unlock();
    try {
      const auto id = writer->next(answer.ids, *parallel_);
      if (id) answer.id = *id;
      if (!id) answer.problem = id.error();
    } catch (...) {
      base::tell_caught(answer.problem, [] { return "no token can be computed: " + base::caught_words(); });
    }
    lock.lock();
    running_ = false;
    if (request == newest_) answer_ = std::move(answer);
    lock.unlock();  // also for a stale answer: a waiting caller can ask now
    finished_();
    lock.lock();
  }
}

}  // namespace headlight::app
