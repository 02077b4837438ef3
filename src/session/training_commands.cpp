#include "session/training_commands.h"

#include <algorithm>
#include <optional>
#include <string>

#include "io/files.h"
#include "pages/training/training.h"
#include "scene/settings.h"
#include "scene/store.h"

namespace headlight::app {

namespace {

/// "reverse-seed7-step1000.safetensors", numbered when that file exists; of no certain step for −1.
std::filesystem::path free_name(const std::filesystem::path& folder, const scene::TrainingSnapshot& snapshot,
                                const char* what, int step) {
  std::string name = std::string(scene::word(snapshot.settings.task)) + what;
  for (const scene::TrainingChange& change : snapshot.changes) {
    if (change.forked) name += "-from" + std::to_string(change.step);
  }
  name += "-seed" + std::to_string(snapshot.settings.seed);
  if (step >= 0) name += "-step" + std::to_string(step);
  return io::free_path(folder / (name + ".safetensors"));
}

std::filesystem::path folder_to_save(const Session& session) {
  return session.run_folder.empty() ? runs_folder() : session.run_folder;
}

/// Asks for the place of the file; without a window the offered one is used.
void save_run(Session& session, const scene::TrainingSnapshot& snapshot) {
  const bool moves = snapshot.state == scene::TrainingState::running;  // while the name is typed
  const std::filesystem::path offered =
      free_name(folder_to_save(session), snapshot, "", moves ? -1 : snapshot.step);
  if (!session.ask_for_file) return session.training().save(offered);
  std::error_code ignored;
  std::filesystem::create_directories(offered.parent_path(), ignored);  // the card says what is wrong
  session.ask_for_file({.title = "Save the training run as",
                        .ending = ".safetensors",
                        .begin_with = offered,
                        .save = [&session](const std::filesystem::path& path) {
                          std::error_code failed;
                          session.run_folder = std::filesystem::absolute(path, failed).parent_path();
                          session.training().save(path);
                        }});
}

/// The card begins in the folder of the saved runs, once there is one.
void open_run(Session& session) {
  if (!session.ask_for_file) return;
  const std::filesystem::path folder = folder_to_save(session);
  std::error_code ignored;
  const bool there = std::filesystem::is_directory(folder, ignored);
  session.ask_for_file({.title = "Open a training run",
                        .ending = ".safetensors",
                        .begin_with = there ? folder / "" : std::filesystem::path()});
}

/// Shows the kept step nearest to the lowest held-out loss of the run on show.
void show_best_step(Session& session, double now) {
  const auto snapshot = session.training().latest();
  scene::Scene next = session.scene();
  std::optional<int> step;
  if (snapshot && !snapshot->runs.empty()) {
    const auto last = static_cast<int>(snapshot->runs.size()) - 1;
    step = scene::best_shown_step(
        snapshot->runs[static_cast<std::size_t>(std::clamp(next.training.run - 1, 0, last))]);
  }
  if (!step) return session.warn("no held-out loss has been measured yet: train a run first", now);
  next.training.shown_step = *step;
  session.change(next, "", now);
}

/// The kept steps of the run shown; `snapshot` has a run.
const std::vector<scene::FilmFrame>& film_of(const scene::TrainingSnapshot& snapshot,
                                             const scene::TrainingSettings& settings) {
  const int last = static_cast<int>(snapshot.runs.size()) - 1;
  return snapshot.runs[static_cast<std::size_t>(std::clamp(settings.run - 1, 0, last))].film;
}

/// The kept step whose weights are used: the shown one; −1: the run's current state.
int used_step(const scene::TrainingSnapshot& snapshot, const scene::TrainingSettings& settings) {
  if (settings.shown_step < 0 || snapshot.runs.empty()) return -1;
  const std::vector<scene::FilmFrame>& film = film_of(snapshot, settings);
  const int frame = scene::shown_frame(film, settings.shown_step);
  const bool newest = frame + 1 == static_cast<int>(film.size());
  return frame < 0 || newest ? -1 : film[static_cast<std::size_t>(frame)].step;
}

}  // namespace

std::filesystem::path runs_folder() {
  const std::filesystem::path state = scene::state_file();
  if (!state.empty()) return state.parent_path() / "runs";
  std::error_code ignored;
  return std::filesystem::temp_directory_path(ignored) / "headlight-runs";
}

bool training_command(Session& session, const std::string& name, double now) {
  TrainJob& job = session.training();
  const auto snapshot = job.latest();
  const scene::TrainingSettings& settings = session.scene().training;
  if (name == "training start" || name == "training restart") {
    // These settings describe the previous run.
    scene::Scene next = session.scene();
    next.training.shown_step = -1, next.training.run = 1;
    session.change(next, "", now);
    job.start(session.scene().training);
  } else if (name == "training pause" ||
             name == "training cancel") {  // any command ends the reading of a text
    job.pause();
  } else if (name == "training resume") {
    job.steer(settings);
    job.resume();
  } else if (name == "training step") {
    job.steer(settings);
    job.step();
  } else if (name == "training fork") {
    if (!snapshot) return true;
    const int step = used_step(*snapshot, settings);
    scene::Scene next = session.scene();
    next.training.shown_step = -1;
    session.change(next, "", now);
    job.fork(step, session.scene().training);
  } else if (name == "training rewind") {
    job.rewind(settings.shown_step >= 0 ? settings.shown_step : snapshot ? snapshot->step : 0);
    scene::Scene next = session.scene();
    next.training.shown_step = -1;
    session.change(next, "", now);
  } else if (name == "training save") {
    if (snapshot) save_run(session, *snapshot);
  } else if (name == "training open") {
    open_run(session);
  } else if (name == "training best step") {
    show_best_step(session, now);
  } else if (name == "training choose file") {
    if (session.ask_for_file) session.ask_for_file({.title = "A text for training", .ending = ".txt"});
  } else if (name == "training use weights") {
    if (snapshot) {
      const int step = used_step(*snapshot, settings);
      session.use_trained(free_name(runs_folder(), *snapshot, "-model", step < 0 ? snapshot->step : step),
                          step);
    }
  } else {
    return false;
  }
  return true;
}

}  // namespace headlight::app
