#include "session/train_job.h"

#include "base/caught.h"
#include "pages/training/training.h"

namespace headlight::app {

TrainJob::TrainJob(std::function<void()> changed, std::filesystem::path kept, int threads,
                   double save_seconds)
    : changed_(std::move(changed)), kept_(std::move(kept)), threads_(threads), save_seconds_(save_seconds) {}

void TrainJob::leave() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
}

void TrainJob::wait_until_left() const {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return left_ || !thread_.joinable(); });
}

TrainJob::~TrainJob() {
  leave();
  if (thread_.joinable()) thread_.join();
}

void TrainJob::tell(Work work, bool stops) {
  {
    const std::lock_guard lock(mutex_);
    start_thread();  // first: there may be no thread
    commands_.push_back({requested_task_, std::move(work), stops});
    busy_ = true;
  }
  wake_.notify_all();
}

/// True if another task than the current one was requested.
bool TrainJob::newer(const TrainWork& work) const {
  return requested_task_ && (*requested_task_ != work.task() || !work.knows(*requested_task_));
}

void TrainJob::start_thread() {
  if (thread_.joinable()) return;
  work_ = std::make_unique<TrainWork>(TrainWork::Start{
      .kept = kept_,
      .threads = threads_,
      .save_seconds = save_seconds_,
      .show =
          [this](std::shared_ptr<const scene::TrainingSnapshot> snapshot) {
            {
              const std::lock_guard lock(mutex_);
              if (snapshot && !snapshot->runs.empty())
                settings_[static_cast<std::size_t>(snapshot->settings.task)] = snapshot->settings;
              latest_ = std::move(snapshot);
            }
            changed_();
          },
      .interrupted =
          [this] {
            const std::lock_guard lock(mutex_);
            return quit_ || !commands_.empty() || (requested_task_ && *requested_task_ != work_->task());
          }});
  thread_ = std::thread([this] { loop(); });
}

void TrainJob::loop() {
  TrainWork& work = *work_;
  std::unique_lock lock(mutex_);
  const auto unlocked = [&](auto&& what) {
    lock.unlock();
    try {
      what();
    } catch (...) {
      try {
        work.failed(
            base::caught_out_of_memory()
                ? "not enough memory for this run: use fewer layers, a smaller width or shorter sequences"
                : "this run has stopped: " + base::caught_words());
      } catch (...) {  // the run is stopped, and the next picture says why
      }
    }
    lock.lock();
  };
  while (!quit_) {
    if (const scene::TrainingLook look = requested_look_; look != work.looked_at()) {
      unlocked([&] { work.look(look); });
    } else if (!commands_.empty()) {
      const Command command = std::move(commands_.front());
      commands_.pop_front();
      unlocked([&] {
        // Stop ends the reading of a kept run; it does not start it again.
        const bool unknown = command.task && !command.stops && !work.knows(*command.task);
        if (command.task && (*command.task != work.task() || unknown)) work.select(*command.task);
        command.work(work);
      });
    } else if (newer(work)) {
      const scene::TrainingTask task = *requested_task_;
      unlocked([&] { work.select(task); });
    } else if (work.to_keep()) {
      unlocked([&] {
        work.keep_all();
        work.publish();
      });
    } else if (work.running()) {
      unlocked([&] { work.advance(); });
    } else {
      busy_ = false;
      wake_.notify_all();
      wake_.wait(lock, [&] { return quit_ || busy_; });  // every request sets busy_
    }
  }
  unlocked([&] { work.keep_all(); });
  left_ = true;
  wake_.notify_all();
}

void TrainJob::select(scene::TrainingTask task) {
  {
    const std::lock_guard lock(mutex_);
    if (requested_task_ == task) return;
    if (!kept_.empty()) start_thread();
    requested_task_ = task;
    if (!thread_.joinable()) return;  // without a kept run there is nothing to show
    busy_ = true;
  }
  wake_.notify_all();
}

void TrainJob::start(const scene::TrainingSettings& settings) {
  {
    const std::lock_guard lock(mutex_);
    requested_task_ = settings.task;
  }
  tell([settings](TrainWork& work) { work.begin(settings); });
}

void TrainJob::pause() {
  tell([](TrainWork& work) { work.pause(); }, true);
}

void TrainJob::resume() {
  tell([](TrainWork& work) { work.resume(); });
}

void TrainJob::step() {
  tell([](TrainWork& work) { work.step(); });
}

void TrainJob::rewind(int step) {
  tell([step](TrainWork& work) { work.rewind(step); });
}

void TrainJob::steer(const scene::TrainingSettings& settings) {
  tell([settings](TrainWork& work) { work.steer(settings); });
}

void TrainJob::fork(int step, const scene::TrainingSettings& settings) {
  tell([step, settings](TrainWork& work) { work.fork(step, settings); });
}

void TrainJob::look(const scene::TrainingLook& look) {
  {
    const std::lock_guard lock(mutex_);
    if (look == requested_look_) return;
    requested_look_ = look;
    if (!thread_.joinable()) return;  // the first run uses it
    busy_ = true;
  }
  wake_.notify_all();
}

void TrainJob::save(const std::filesystem::path& path) {
  tell([path](TrainWork& work) { work.save(path); });
}

void TrainJob::open(const std::filesystem::path& path) {
  tell([this, path](TrainWork& work) {
    scene::TrainingSettings settings;
    if (!work.open(path, settings)) return;
    const std::lock_guard lock(mutex_);
    opened_ = settings, requested_task_ = settings.task;
  });
}

std::optional<scene::TrainingSettings> TrainJob::take_opened() {
  const std::lock_guard lock(mutex_);
  return std::exchange(opened_, std::nullopt);
}

void TrainJob::write_model(int run, int step, const std::filesystem::path& path,
                           std::function<void(const std::string&)> written) {
  tell([run, step, path, written = std::move(written)](TrainWork& work) {
    if (work.write_model(run, step, path)) written(path.string());
  });
}

std::shared_ptr<const scene::TrainingSnapshot> TrainJob::latest() const {
  const std::lock_guard lock(mutex_);
  const bool another = latest_ && requested_task_ && latest_->settings.task != *requested_task_;
  return another ? nullptr : latest_;
}

std::optional<scene::TrainingSettings> TrainJob::settings_of(scene::TrainingTask task) const {
  const std::lock_guard lock(mutex_);
  return settings_[static_cast<std::size_t>(task)];
}

bool TrainJob::running() const {
  const std::lock_guard lock(mutex_);
  return busy_;
}

void TrainJob::wait() const {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return !busy_; });
}

}  // namespace headlight::app
