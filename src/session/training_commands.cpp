#include "session/training_commands.h"

#include <algorithm>

#include "io/files.h"
#include "pages/training/training.h"
#include "scene/store.h"

namespace headlight::app {

namespace {

/// "reverse-seed7-step1000.safetensors", numbered when that exists.
std::filesystem::path free_name(const scene::TrainingSnapshot& snapshot, const char* what, int step) {
  const std::string name = std::string(scene::word(snapshot.settings.task)) + what + "-seed" +
                           std::to_string(snapshot.settings.seed) + "-step" + std::to_string(step);
  return io::free_path(runs_folder() / (name + ".safetensors"));
}

/// The step whose weights are used: the kept one that is shown, else the newest.
int shown_step(const scene::TrainingSnapshot& snapshot, const scene::TrainingSettings& settings) {
  const auto run = static_cast<std::size_t>(std::max(0, settings.run - 1));
  int step = snapshot.step;
  if (settings.shown_step < 0 || run >= snapshot.runs.size()) return step;
  for (const scene::FilmFrame& frame : snapshot.runs[run].film)
    if (frame.step <= settings.shown_step) step = frame.step;
  return step;
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
    // What was looked at belongs to the run before.
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
    if (snapshot) session.use_trained(free_name(*snapshot, "-model", shown_step(*snapshot, settings)));
  } else {
    return false;
  }
  return true;
}

}  // namespace headlight::app
