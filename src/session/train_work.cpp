#include "session/train_work.h"

#include <algorithm>
#include <utility>

#include "base/caught.h"
#include "base/numbers.h"
#include "io/files.h"
#include "pages/training/changes.h"
#include "pages/training/training.h"
#include "scene/window_files.h"

namespace headlight::app {

namespace fs = std::filesystem;
using scene::TrainingState;
using scene::TrainingTask;

namespace {

constexpr double picture_seconds = 1.0 / 30;
constexpr double elsewhere_seconds = 0.25;  // between pictures while the trained task is not the shown one
constexpr double speed_memory = 2;          // seconds over which the speed is averaged

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

base::Status write_with_folders(const fs::path& path, const std::string& bytes) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);  // a failure shows when the file is written
  return io::write_file(path, bytes);
}

/// For use inside a catch block.
base::Error cannot_write(const fs::path& path) {
  return io::cannot("write", path, base::caught_words());
}

}  // namespace

fs::path TrainWork::file_of(TrainingTask task, const char* which) const {
  return scene::file_of_run(start_.kept, task, which);
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

/// Reading a text and learning its pieces takes a while: the progress is shown, and any newer command ends
/// it.
scene::KeepGoing TrainWork::preparing() {
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

/// Takes over a file of earlier versions, which kept one run, of any task, in "training.safetensors".
void TrainWork::take_over_old_file() {
  std::error_code failed;
  if (start_.kept.empty() || !fs::exists(start_.kept, failed)) return;
  scene::TrainingSettings settings;
  if (!scene::continue_training(start_.kept.string(), settings, parallel_, preparing())) return;
  if (!fs::exists(file_of(settings.task), failed)) fs::rename(start_.kept, file_of(settings.task), failed);
}

void TrainWork::select(TrainingTask task) {
  if (task != task_) shown().message.clear();  // it was shown
  task_ = task;
  Kept& kept = shown();
  if (!kept.known && !kept.run) take_over_old_file();
  std::error_code missing;
  if (!kept.known && !kept.run && !start_.kept.empty() && fs::exists(file_of(task), missing)) {
    kept.settings.task = task;
    publish(0);
    auto made = scene::continue_training(file_of(task).string(), kept.settings, parallel_, preparing());
    if (!made && start_.interrupted()) return;  // it is read when the task is shown again
    if (made && kept.settings.task != task) {
      made = base::Error{file_of(task).string() + ": expected a run of the task " + scene::word(task) +
                         ", found one of " + scene::word(kept.settings.task)};
      kept.settings = {};
      kept.settings.task = task;
    }
    kept.known = true;
    kept.mine = static_cast<bool>(made);
    if (made) kept.kept_step = (*made)->step();
    return take(std::move(made), TrainingState::paused);
  }
  kept.known = true;
  if (kept.run) kept.run->look(look_, parallel_);
  publish();
}

/// Renames the file of the task to a name that is free; returns the message about it.
base::Result<std::string> TrainWork::move_aside(TrainingTask task) {
  const fs::path file = file_of(task);
  std::error_code failed;
  if (start_.kept.empty() || !fs::exists(file, failed)) return of(task).mine = true, std::string();
  const fs::path before = io::free_path(file_of(task, "-before"));
  fs::rename(file, before, failed);
  if (failed)
    return base::Error{"the previous run cannot be moved to " + before.string() + ": " + failed.message()};
  of(task).mine = true;
  return "the previous run is kept: Open, " + before.string();
}

/// Before the run of a task makes room for another one: saves it whole, as a file beside its own.
base::Result<std::string> TrainWork::set_aside(TrainingTask task) {
  const Kept& kept = of(task);
  if (start_.kept.empty()) return std::string();
  if (kept.run && kept.unsaved && kept.run->step() > 0) {
    if (const base::Status saved = keep(task); !saved) return base::Error{saved.error()};
  }
  return move_aside(task);
}

/// True if another run may replace the task's; the message says what became of it, or what can be done.
bool TrainWork::makes_room(TrainingTask task) {
  Kept& kept = of(task);
  const auto aside = set_aside(task);
  kept.message = aside ? *aside : aside.error();
  if (!aside && !std::exchange(kept.given_up, true)) {
    kept.message += "; save it elsewhere, or repeat the action to discard it";
    return false;
  }
  kept.given_up = false;
  return true;
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
  kept.known = true;
  // Equal settings give the same run again: nothing is lost.
  const bool same = kept.run && scene::same_run(before, settings) && kept.run->changes().empty();
  if (!made || !(same || makes_room(task_))) {
    if (kept.run) kept.settings = before;
    if (kept.run && state_before == TrainingState::finished) kept.state = state_before;
    if (made) return publish();
  } else {
    kept.settings = settings;
    kept.unsaved = kept.failed = false, kept.kept_step = -1, kept.saved = Clock::now();
  }
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
  const bool own = fs::equivalent(path, file_of(task_), none) && !kept.unsaved;
  kept.message.clear();
  if (!own && !makes_room(task_)) return publish(), false;
  kept.mine = true, kept.failed = false;
  kept.unsaved = !own, kept.kept_step = own ? (*made)->step() : -1;
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
  if (!shown().known) {  // while its file was being read
    shown().known = true;
    shown().message = "stopped; Open loads the saved run: " + file_of(task_).string();
  }
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
  // A finished run may have taken long: it is kept whole, as a file.
  const bool finished = kept.state == TrainingState::finished;
  if (finished && !makes_room(task_)) return publish();
  const std::string aside = finished && !kept.message.empty() ? "; " + kept.message : "";
  kept.run->rewind(step, parallel_);
  kept.settings.rate = kept.run->settings().rate;  // that of the step
  kept.state = TrainingState::paused;
  kept.unsaved = true;
  kept.message = "back at step " + base::with_commas(kept.run->step()) + aside;
  kept.rewound = kept.message;
  publish();
}

void TrainWork::steer(const scene::TrainingSettings& settings) {
  Kept& kept = of(settings.task);
  if (!kept.run || kept.state == TrainingState::finished ||
      !scene::differ_in_rate_alone(kept.settings, settings))
    return;
  kept.run->set_rate(settings.rate);
  kept.settings.rate = settings.rate;
  kept.unsaved = true;
  publish();
}

void TrainWork::fork(int step, const scene::TrainingSettings& settings) {
  Kept& kept = shown();
  if (!kept.run) return;
  if (kept.state == TrainingState::running) kept.state = TrainingState::paused;
  kept.message.clear();
  auto made = kept.run->forked(step, settings, parallel_, preparing());
  if (!made) {
    kept.message = made.error();
    return publish();
  }
  if (!makes_room(task_)) return publish();
  pause_others();
  kept.settings = settings;
  kept.unsaved = true, kept.failed = false, kept.kept_step = -1, kept.saved = Clock::now();
  take(std::move(made), TrainingState::running);
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
  if (kept.message == kept.rewound) kept.message.clear();
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
  // Saving takes only a small part of the time, however slow the disk is.
  if (kept.state == TrainingState::running && !start_.kept.empty() &&
      seconds_since(kept.saved) > std::max(start_.save_seconds, 20 * kept.seconds_to_save)) {
    (void)keep(kept.settings.task);  // a failure becomes the run's message
    publish();
  }
}

base::Status TrainWork::write(const scene::TrainingRun& run, int which, bool whole, const fs::path& path,
                              int step) {
  try {
    const auto bytes = run.file(which, whole, {}, scene::StoredWeights::float32, step);
    return bytes ? write_with_folders(path, *bytes) : base::Status(base::Error{bytes.error()});
  } catch (...) {
    return cannot_write(path);
  }
}

base::Status TrainWork::keep(TrainingTask task) {
  Kept& kept = of(task);
  const Clock::time_point start = Clock::now();
  base::Status written;
  if (!start_.kept.empty() && kept.run) {
    // A file there that is not this run's, such as a run whose text was not found, is not overwritten.
    if (!kept.mine) {
      const auto moved = move_aside(task);
      if (!moved) written = base::Error{moved.error()};
      if (moved && !moved->empty()) kept.message = *moved;
    }
    if (written) written = write(*kept.run, 0, true, file_of(task));
    if (written) {
      kept.kept_step = kept.run->step();
    } else {
      written = base::Error{"the run could not be saved: " + written.error()};
      kept.message = written.error();
    }
  }
  kept.unsaved = kept.failed = !written;
  kept.seconds_to_save = seconds_since(start), kept.saved = Clock::now();
  return written;
}

bool TrainWork::to_keep() const {
  return !start_.kept.empty() && std::any_of(kept_runs_.begin(), kept_runs_.end(), [&](const Kept& kept) {
    const bool soon = kept.failed && seconds_since(kept.saved) < start_.save_seconds;
    return kept.unsaved && kept.state != TrainingState::running && !soon;
  });
}

void TrainWork::keep_all() {
  for (const Kept& kept : kept_runs_) {
    if (kept.unsaved) (void)keep(kept.settings.task);
  }
}

void TrainWork::save(const fs::path& path) {
  Kept& kept = shown();
  if (!kept.run) {
    kept.message = "no run has been trained yet, so there is nothing to save";
    return publish();
  }
  const base::Status written = write(*kept.run, look_.run, true, path);
  kept.message = written ? "saved as " + path.string() : written.error();
  publish();
}

bool TrainWork::write_model(int run, int step, const fs::path& path) {
  Kept& kept = shown();
  const base::Status written = kept.run ? write(*kept.run, run, false, path, step)
                                        : base::Status(base::Error{"no run has been trained yet"});
  if (written) return true;
  kept.message = written.error();
  publish();
  return false;
}

/// The trained steps remain: they can be saved, and their weights used.
void TrainWork::failed(std::string why) {
  for (Kept& kept : kept_runs_) {
    if (kept.state == TrainingState::running) kept.state = TrainingState::paused;
  }
  shown().known = true;
  shown().message = std::move(why);
  publish();
}

}  // namespace headlight::app
