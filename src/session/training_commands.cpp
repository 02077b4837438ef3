#include "session/training_commands.h"

#include <algorithm>

#include "io/files.h"
#include "pages/training/training.h"
#include "scene/settings.h"
#include "scene/store.h"

namespace headlight::app {

namespace {

/// "reverse-seed7-step1000.safetensors", numbered when that file exists.
std::filesystem::path free_name(const scene::TrainingSnapshot& snapshot, const char* what, int step) {
  const std::string name = std::string(scene::word(snapshot.settings.task)) + what + "-seed" +
                           std::to_string(snapshot.settings.seed) + "-step" + std::to_string(step);
  return io::free_path(runs_folder() / (name + ".safetensors"));
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

std::vector<int> kept_numbers(const scene::Field& field, const Session& session) {
  const scene::Setting* const one = scene::find_setting(field.name);
  const void* const step = &session.scene().training.shown_step;
  if (!one || !one->visit(session.scene(), [step](const auto& value) { return &value == step; })) return {};
  const auto snapshot = session.training().latest();
  if (!snapshot || snapshot->runs.empty()) return {};
  std::vector<int> out = {-1};
  for (const scene::FilmFrame& frame : film_of(*snapshot, session.scene().training))
    out.push_back(frame.step);
  return out.size() > 1 ? out : std::vector<int>();
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
    job.resume();
  } else if (name == "training step") {
    job.step();
  } else if (name == "training rewind") {
    job.rewind(settings.shown_step >= 0 ? settings.shown_step : snapshot ? snapshot->step : 0);
    scene::Scene next = session.scene();
    next.training.shown_step = -1;
    session.change(next, "", now);
  } else if (name == "training save") {
    if (snapshot) job.save(free_name(*snapshot, "", snapshot->step));
  } else if (name == "training open") {
    if (session.ask_for_file) session.ask_for_file("Open a training run", ".safetensors", "");
  } else if (name == "training choose file") {
    if (session.ask_for_file) session.ask_for_file("A text for training", ".txt", "");
  } else if (name == "training use weights") {
    if (snapshot) {
      const int step = used_step(*snapshot, settings);
      session.use_trained(free_name(*snapshot, "-model", step < 0 ? snapshot->step : step), step);
    }
  } else {
    return false;
  }
  return true;
}

}  // namespace headlight::app
