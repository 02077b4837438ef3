#include "app/train_work.h"

#include <algorithm>

#include "io/files.h"

namespace headlight::app {

namespace fs = std::filesystem;
using scene::TrainingState;
using scene::TrainingTask;

namespace {

constexpr double picture_seconds = 1.0 / 30;
constexpr double elsewhere_seconds = 0.25;  // between pictures while another task is trained than is shown
constexpr double speed_memory = 2;          // seconds over which the speed is averaged

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

base::Status write_with_folders(const fs::path& path, const std::string& bytes) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);  // its failure shows when the file is written
  return io::write_file(path, bytes);
}

}  // namespace

fs::path TrainWork::file_of(TrainingTask task, const char* which) const {
  if (start_.kept.empty()) return {};
  fs::path path = start_.kept;
  path.replace_filename(start_.kept.stem().string() + '-' + scene::word(task) + which +
                        start_.kept.extension().string());
  return path;
}

void TrainWork::publish(float preparing) {
  const Kept& kept = shown();
  auto snapshot = std::make_shared<scene::TrainingSnapshot>();
  if (kept.run) {
    kept.run->fill(*snapshot);
    if (kept.state == TrainingState::running && kept.steps_per_second > 0) {
      snapshot->tokens_per_second = kept.steps_per_second * kept.run->tokens_in_a_step();
      snapshot->seconds_left = (kept.run->steps() - kept.run->step()) / kept.steps_per_second;
    }
  }
  snapshot->version = ++version_;
  snapshot->state = kept.state, snapshot->settings = kept.settings;
  snapshot->settings.task = task_;
  snapshot->message = kept.message, snapshot->preparing = preparing;
  snapshot->kept_step = kept.kept_step;
  for (const Kept& other : kept_runs_) {
    if (&other != &kept && other.state == TrainingState::running)
      snapshot->elsewhere = {other.settings.task, other.run->step(), other.run->steps()};
  }
  const bool nothing = !kept.run && kept.message.empty() && preparing < 0 && !snapshot->elsewhere;
  start_.show(nothing ? nullptr : std::move(snapshot));
  shown_at_ = Clock::now();
}

/// Reading a text and learning its pieces takes a while: it is shown, and anything newer ends it.
scene::GoesOn TrainWork::preparing() {
  return [this](float done) {
    if (seconds_since(shown_at_) > picture_seconds) publish(done);
    return !start_.interrupted();
  };
}

void TrainWork::take(base::Result<std::unique_ptr<scene::TrainingRun>> made, TrainingState then) {
  Kept& kept = shown();
  if (!made) {
    kept.message = made.error();
    if (!kept.run) kept.state = TrainingState::idle;
    return publish();
  }
  kept.run = std::move(*made);
  kept.run->look(look_, parallel_);
  kept.state = kept.run->step() >= kept.run->steps() ? TrainingState::finished : then;
  kept.steps_per_second = 0;
  publish();
}

void TrainWork::select(TrainingTask task) {
  if (task != task_) shown().message.clear();  // it was said
  task_ = task;
  Kept& kept = shown();
  std::error_code missing;
  if (!kept.known && !kept.run && !start_.kept.empty() && fs::exists(file_of(task), missing)) {
    kept.settings.task = task;
    publish(0);
    auto made = scene::continue_training(file_of(task).string(), kept.settings, parallel_, preparing());
    if (!made && start_.interrupted()) return;  // the next time it is shown
    kept.known = true;
    if (made) kept.kept_step = (*made)->step();
    return take(std::move(made), TrainingState::paused);
  }
  kept.known = true;
  if (kept.run) kept.run->look(look_, parallel_);
  publish();
}

/// Before the run of a task makes room for another one, with the settings `next`: as a file beside its own.
/// The same settings would give the same run: nothing is lost then.
std::string TrainWork::set_aside(TrainingTask task, const scene::TrainingSettings* next) {
  Kept& kept = of(task);
  if (start_.kept.empty()) return {};
  if (kept.run && (kept.run->step() == 0 || (next && scene::same_run(kept.settings, *next)))) return {};
  if (!kept.run && kept.known) return {};
  if (kept.unsaved) keep(task);
  const fs::path before = file_of(task, "-before");
  std::error_code failed;
  fs::rename(file_of(task), before, failed);
  return failed ? std::string() : "the run before is kept: Open, " + before.string();
}

void TrainWork::begin(const scene::TrainingSettings& settings) {
  task_ = settings.task;
  pause_others();
  Kept& kept = shown();
  const scene::TrainingSettings before = kept.settings;
  const TrainingState state_before = kept.state;
  kept.message.clear();
  if (kept.state == TrainingState::running) kept.state = TrainingState::paused;
  if (!kept.run) kept.settings = settings;
  publish(0);
  auto made = scene::start_training(settings, parallel_, preparing());
  if (made) {
    kept.settings = before;
    kept.message = set_aside(task_, &settings);
    kept.settings = settings;
    kept.unsaved = false, kept.kept_step = -1, kept.saved = Clock::now();
  } else if (kept.run) {
    kept.settings = before;
    if (state_before == TrainingState::finished) kept.state = state_before;
  }
  kept.known = true;
  take(std::move(made), TrainingState::running);
}

bool TrainWork::open(const fs::path& path, scene::TrainingSettings& settings) {
  auto made = scene::continue_training(path.string(), settings, parallel_, preparing());
  if (!made) {
    shown().message = made.error();
    publish();
    return false;
  }
  pause_others();
  task_ = settings.task;
  Kept& kept = shown();
  std::error_code none;
  const bool own = fs::equivalent(path, file_of(task_), none),
             aside = fs::equivalent(path, file_of(task_, "-before"), none);
  kept.message.clear();
  if (own) {
    kept.unsaved = false, kept.kept_step = (*made)->step();
  } else {
    if (!aside) kept.message = set_aside(task_, &settings);
    kept.unsaved = true, kept.kept_step = -1;
  }
  kept.settings = settings, kept.known = true;
  take(std::move(made), TrainingState::paused);
  return true;
}

void TrainWork::pause_others() {
  for (Kept& kept : kept_runs_) {
    if (&kept != &shown() && kept.state == TrainingState::running) kept.state = TrainingState::paused;
  }
}

void TrainWork::pause() {
  if (shown().state == TrainingState::running) shown().state = TrainingState::paused;
  publish();
}

void TrainWork::resume() {
  if (shown().run && shown().state == TrainingState::paused) {
    pause_others();
    shown().state = TrainingState::running;
  }
  publish();
}

void TrainWork::step() {
  Kept& kept = shown();
  if (!kept.run || kept.state == TrainingState::finished) return;
  pause_others();
  kept.state = TrainingState::paused;
  move(kept);
  publish();
}

void TrainWork::rewind(int step) {
  Kept& kept = shown();
  if (!kept.run) return;
  kept.run->rewind(step, parallel_);
  kept.state = TrainingState::paused;
  kept.unsaved = true;
  kept.message = "back at step " + std::to_string(kept.run->step());
  publish();
}

void TrainWork::look(const scene::TrainingLook& look) {
  look_ = look;
  if (!shown().run) return;
  shown().run->look(look, parallel_);
  publish();
}

bool TrainWork::running() const {
  return std::any_of(kept_runs_.begin(), kept_runs_.end(),
                     [](const Kept& kept) { return kept.state == TrainingState::running; });
}

void TrainWork::move(Kept& kept) {
  const Clock::time_point start = Clock::now();
  if (!kept.run->advance(parallel_)) {
    kept.state = TrainingState::finished;
    return;
  }
  kept.unsaved = true;
  const double seconds = seconds_since(start), weight = std::min(1.0, seconds / speed_memory);
  if (seconds > 0) {
    const double before = kept.steps_per_second;
    kept.steps_per_second = before == 0 ? 1 / seconds : 1 / (1 / before * (1 - weight) + weight * seconds);
  }
  if (kept.run->step() >= kept.run->steps()) kept.state = TrainingState::finished;
}

void TrainWork::advance() {
  Kept& kept = *std::find_if(kept_runs_.begin(), kept_runs_.end(),
                             [](const Kept& each) { return each.state == TrainingState::running; });
  move(kept);
  const bool here = &kept == &shown();
  if (kept.state == TrainingState::finished ||
      seconds_since(shown_at_) > (here ? picture_seconds : elsewhere_seconds))
    publish();
  if (kept.state == TrainingState::running && seconds_since(kept.saved) > start_.save_seconds) {
    keep(kept.settings.task);
    publish();
  }
}

void TrainWork::keep(TrainingTask task) {
  Kept& kept = of(task);
  kept.unsaved = false, kept.saved = Clock::now();
  if (start_.kept.empty() || !kept.run) return;
  const auto bytes = kept.run->file(0, true);
  const base::Status written = bytes ? write_with_folders(file_of(task), *bytes) : base::Error{bytes.error()};
  if (written) {
    kept.kept_step = kept.run->step();
  } else {
    kept.message = "the run could not be kept: " + written.error();
  }
}

bool TrainWork::to_keep() const {
  return !start_.kept.empty() && std::any_of(kept_runs_.begin(), kept_runs_.end(), [](const Kept& kept) {
    return kept.unsaved && kept.state != TrainingState::running;
  });
}

void TrainWork::keep_all() {
  for (const Kept& kept : kept_runs_) {
    if (kept.unsaved) keep(kept.settings.task);
  }
}

void TrainWork::save(const fs::path& path) {
  Kept& kept = shown();
  if (!kept.run) {
    kept.message = "nothing was trained yet, so there is nothing to save";
    return publish();
  }
  const auto bytes = kept.run->file(look_.run, true);
  const base::Status written = bytes ? write_with_folders(path, *bytes) : base::Error{bytes.error()};
  kept.message = written ? "saved as " + path.string() : written.error();
  publish();
}

bool TrainWork::write_model(int run, const fs::path& path) {
  Kept& kept = shown();
  const auto bytes = kept.run ? kept.run->file(run, false)
                              : base::Result<std::string>(base::Error{"nothing was trained yet"});
  const base::Status written = bytes ? write_with_folders(path, *bytes) : base::Error{bytes.error()};
  if (written) return true;
  kept.message = written.error();
  publish();
  return false;
}

void TrainWork::out_of_memory() {
  Kept& kept = shown();
  kept.message = "not enough memory for this run: take fewer layers, a smaller width or shorter sequences";
  kept.run.reset();
  kept.state = TrainingState::idle, kept.unsaved = false;
  publish();
}

}  // namespace headlight::app
