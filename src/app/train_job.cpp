#include "app/train_job.h"

#include <chrono>
#include <new>

#include "io/files.h"

namespace headlight::app {

namespace {

using Clock = std::chrono::steady_clock;
using scene::TrainingState;

constexpr double picture_seconds = 1.0 / 30;
constexpr double speed_memory = 2;  // seconds over which the speed is averaged

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

struct TrainJob::Work {
  explicit Work(TrainJob& owner) : job(owner), parallel(owner.threads_) {}

  TrainJob& job;
  base::Parallel parallel;
  std::unique_ptr<scene::TrainingRun> run;
  scene::TrainingSettings settings;
  scene::TrainingLook look;
  TrainingState state = TrainingState::idle;
  std::string message;
  std::uint64_t version = 0;
  bool unsaved = false;  // steps were made since the run was last in a file
  Clock::time_point shown = Clock::now();
  double steps_per_second = 0;

  void publish(float preparing = -1) {
    auto snapshot = std::make_shared<scene::TrainingSnapshot>();
    if (run) {
      run->fill(*snapshot);
      if (state == TrainingState::running && steps_per_second > 0) {
        snapshot->tokens_per_second = steps_per_second * run->tokens_in_a_step();
        snapshot->seconds_left = (run->steps() - run->step()) / steps_per_second;
      }
    }
    snapshot->version = ++version;
    snapshot->state = state, snapshot->settings = settings;
    snapshot->message = message, snapshot->preparing = preparing;
    {
      const std::lock_guard lock(job.mutex_);
      job.latest_ = std::move(snapshot);
    }
    job.changed_();
    shown = Clock::now();
  }

  /// Reading a text and learning its pieces takes a while: it is shown, and any newer command ends it.
  scene::GoesOn preparing() {
    return [this](float done) {
      if (seconds_since(shown) > picture_seconds) publish(done);
      const std::lock_guard lock(job.mutex_);
      return job.commands_.empty() && !job.quit_;
    };
  }

  void begin(base::Result<std::unique_ptr<scene::TrainingRun>> made, TrainingState then) {
    if (!made) {
      message = made.error();
      if (!run) state = TrainingState::idle;
      return publish();
    }
    run = std::move(*made);
    run->look(look, parallel);
    state = run->step() >= run->steps() ? TrainingState::finished : then;
    message.clear();
    steps_per_second = 0;
    publish();
  }

  void advance() {
    const Clock::time_point start = Clock::now();
    if (!run->advance(parallel)) {
      state = TrainingState::finished;
      return publish();
    }
    unsaved = true;
    const double seconds = seconds_since(start), weight = std::min(1.0, seconds / speed_memory);
    if (seconds > 0) {
      const double now = 1 / seconds;
      steps_per_second =
          steps_per_second == 0 ? now : 1 / (1 / steps_per_second * (1 - weight) + weight * seconds);
    }
    if (run->step() >= run->steps()) state = TrainingState::finished;
    if (state != TrainingState::running || seconds_since(shown) > picture_seconds) publish();
  }

  void save(const std::filesystem::path& path) {
    if (!run) {
      message = "nothing was trained yet, so there is nothing to save";
      return;
    }
    const auto bytes = run->file(look.run, true);
    if (!bytes) {
      message = bytes.error();
      return;
    }
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(),
                                        ignored);  // its failure shows when the file is written
    const base::Status written = io::write_file(path, *bytes);
    message = written ? "saved as " + path.string() : written.error();
    if (written) unsaved = false;
  }
};

TrainJob::TrainJob(std::function<void()> changed, std::filesystem::path kept, int threads)
    : changed_(std::move(changed)), kept_(std::move(kept)), threads_(threads) {}

TrainJob::~TrainJob() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void TrainJob::tell(Command command) {
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
    busy_ = true;
    if (!thread_.joinable()) thread_ = std::thread([this] { loop(); });
  }
  wake_.notify_all();
}

void TrainJob::loop() {
  Work work(*this);
  std::unique_lock lock(mutex_);
  while (!quit_) {
    if (!commands_.empty()) {
      const Command command = std::move(commands_.front());
      commands_.pop_front();
      lock.unlock();
      try {
        command(work);
      } catch (const std::bad_alloc&) {
        work.message =
            "not enough memory for this run: take fewer layers, a smaller width or shorter sequences";
        work.run.reset();
        work.state = TrainingState::idle;
        work.publish();
      }
      lock.lock();
    } else if (work.run && work.state == TrainingState::running) {
      lock.unlock();
      work.advance();
      lock.lock();
    } else {
      busy_ = false;
      wake_.notify_all();
      wake_.wait(lock, [this] { return quit_ || !commands_.empty(); });
    }
  }
  lock.unlock();
  if (!kept_.empty() && work.unsaved) work.save(kept_);
}

void TrainJob::start(const scene::TrainingSettings& settings) {
  tell([settings](Work& work) {
    const scene::TrainingSettings before = work.settings;
    work.settings = settings;
    work.publish(0);
    auto made = scene::start_training(settings, work.parallel, work.preparing());
    if (!made) work.settings = work.run ? before : settings;
    work.begin(std::move(made), TrainingState::running);
  });
}

void TrainJob::pause() {
  tell([](Work& work) {
    if (work.state == TrainingState::running) work.state = TrainingState::paused;
    work.publish();
  });
}

void TrainJob::resume() {
  tell([](Work& work) {
    if (work.run && work.state == TrainingState::paused) work.state = TrainingState::running;
    work.publish();
  });
}

void TrainJob::step() {
  tell([](Work& work) {
    if (!work.run || work.state == TrainingState::finished) return;
    work.state = TrainingState::paused;
    work.advance();
  });
}

void TrainJob::rewind(int step) {
  tell([step](Work& work) {
    if (!work.run) return;
    work.run->rewind(step, work.parallel);
    work.state = TrainingState::paused;
    work.unsaved = true;
    work.message = "back at step " + std::to_string(work.run->step());
    work.publish();
  });
}

void TrainJob::look(const scene::TrainingLook& look) {
  {
    const std::lock_guard lock(mutex_);
    if (look == asked_look_) return;
    asked_look_ = look;
    if (!thread_.joinable()) return;  // the first run asks for it
  }
  tell([look](Work& work) {
    work.look = look;
    if (!work.run) return;
    work.run->look(look, work.parallel);
    work.publish();
  });
}

void TrainJob::save(const std::filesystem::path& path) {
  tell([path](Work& work) {
    work.save(path);
    work.publish();
  });
}

void TrainJob::open(const std::filesystem::path& path) {
  tell([path](Work& work) {
    scene::TrainingSettings settings;
    auto made = scene::continue_training(path.string(), settings, work.parallel, work.preparing());
    if (made) work.settings = settings;
    work.begin(std::move(made), TrainingState::paused);
  });
}

void TrainJob::take_up() {
  {
    const std::lock_guard lock(mutex_);
    std::error_code missing;
    if (taken_up_ || thread_.joinable() || kept_.empty() || !std::filesystem::exists(kept_, missing)) return;
    taken_up_ = true;
  }
  open(kept_);
}

void TrainJob::write_model(int run, const std::filesystem::path& path,
                           std::function<void(const std::string&)> written) {
  tell([run, path, written = std::move(written)](Work& work) {
    const auto bytes = work.run ? work.run->file(run, false)
                                : base::Result<std::string>(base::Error{"nothing was trained yet"});
    if (!bytes) {
      work.message = bytes.error();
      return work.publish();
    }
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    const base::Status status = io::write_file(path, *bytes);
    if (!status) {
      work.message = status.error();
      return work.publish();
    }
    written(path.string());
  });
}

std::shared_ptr<const scene::TrainingSnapshot> TrainJob::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
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
