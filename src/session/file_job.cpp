#include "session/file_job.h"

#include "base/caught.h"

namespace headlight::app {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_changes{50};

}  // namespace

FileJob::FileJob(std::function<void()> changed) : changed_(std::move(changed)) {}

FileJob::~FileJob() {
  stop();
  if (thread_.joinable()) thread_.join();
}

bool FileJob::start(Work work) {
  {
    const std::lock_guard lock(mutex_);
    if (running_) return false;
    running_ = true;
    done_.reset();
  }
  if (thread_.joinable()) thread_.join();  // it has nothing left to do
  wanted_ = true, fraction_ = 0;
  const std::string what = work.what;
  try {
    thread_ = std::thread([this, work = std::move(work)] { make(work); });
  } catch (...) {
    std::string problem;
    base::tell_caught(problem, [&] { return "cannot start " + what + ": " + base::caught_words(); });
    end(base::Error{std::move(problem)});
  }
  return true;
}

void FileJob::make(const Work& work) {
  Clock::time_point reported = Clock::now();
  base::Result<MadeFile> made = base::Error{};
  try {
    base::Parallel parallel(work.threads);  // its own: no page waits for the file
    made = work.make(parallel, [&](float fraction) {
      fraction_ = fraction;
      if (Clock::now() - reported > between_changes) changed_(), reported = Clock::now();
      return wanted_.load();
    });
  } catch (...) {  // memory that was allocated is free again
    std::string problem;
    base::tell_caught(problem, [&] {
      return base::caught_out_of_memory() ? "not enough memory for " + work.what + ": " + work.smaller
                                          : "cannot create " + work.what + ": " + base::caught_words();
    });
    made = base::Error{std::move(problem)};
  }
  end(std::move(made));
}

void FileJob::end(base::Result<MadeFile> made) {
  {
    const std::lock_guard lock(mutex_);
    done_ = std::move(made);
    running_ = false;
  }
  ended_.notify_all();
  changed_();
}

bool FileJob::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

std::optional<base::Result<MadeFile>> FileJob::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, std::nullopt);
}

void FileJob::wait() const {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return !running_; });
}

void FileJob::wait_for(std::chrono::milliseconds most) const {
  std::unique_lock lock(mutex_);
  ended_.wait_for(lock, most, [this] { return !running_; });
}

}  // namespace headlight::app
