// `headlight train` and `headlight measure`: checks the arguments and runs the commands.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/stop_signals.h"
#include "command/measure_command.h"
#include "command/train_command.h"
#include "command/words.h"
#include "io/unfinished.h"
#include "pages/training/given.h"
#include "pages/training/training.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "scene/trained_model.h"

namespace headlight::app {

namespace {

/// Takes over the settings that a model was trained with.
std::optional<Failure> take_settings(const std::string& path, scene::Scene& scene) {
  const auto model = scene::model_at(path);
  if (!model) return Failure{world_failed, model.error()};
  if ((*model)->training.empty())
    return Failure{world_failed,
                   path +
                       ": it does not contain its training settings; models trained by this version do, "
                       "unless a setting was changed during the training"};
  if ((*model)->config.tied == ((*model)->config.positions == nn::ModelPositions::sinusoidal))
    return Failure{world_failed, path +
                                     ": it was trained beside a model with other positions and uses that "
                                     "model’s kind of output head; train both again with training_compare"};
  for (const auto& [name, value] : (*model)->training) {
    if (const base::Status status = scene::set_field(scene, name + '=' + value); !status)
      return Failure{world_failed, path + ": " + status.error()};
  }
  return std::nullopt;
}

/// An error for a setting that has no meaning for the task.
std::optional<Failure> check_training(const Words& words, const scene::Scene& scene) {
  for (const std::string& set : words.sets) {
    const std::string name = set.substr(0, set.find('='));
    const auto settings = scene::training_settings();
    const bool of_training = std::any_of(settings.begin(), settings.end(),
                                         [&](const auto& one) { return name == one.field.name; });
    const std::string why = of_training ? scene::not_of_run(scene.training, name) : std::string();
    if (why.empty()) continue;
    return Failure{words_wrong, "--set " + set + ": " + why + "; `headlight fields` describes the settings"};
  }
  // If both runs would be the same, the setting was repaired.
  if (const std::string set = scene::lost_comparison(scene.training, words.sets); !set.empty())
    return Failure{words_wrong,
                   "--set " + set + ": the run is already without it; both runs would be the same"};
  return std::nullopt;
}

}  // namespace

void leave_at_once(int signal) {
  io::take_back_unfinished();
  std::_Exit(base::status_of_signal(signal));
}

int train_model(const Words& words) {
  if (!words.out.empty()) {
    if (const auto failure = check_ending(words.out, {".safetensors"}))
      return complain(failure->status, failure->message);
  }
  scene::Scene scene;
  if (!words.scene_file.empty()) {
    base::Result<scene::Scene> loaded = scene::load(words.scene_file, io::Opens::files_and_pipes);
    if (!loaded) return complain(world_failed, loaded.error());
    scene = std::move(*loaded);
  }
  if (!words.like.empty()) {
    if (const auto failure = take_settings(words.like, scene))
      return complain(failure->status, failure->message);
  }
  if (!words.task.empty()) {
    const auto task = task_named(words.task);
    if (!task) return complain(words_wrong, "--task: " + task.error());
    scene.training.task = *task;
    scene::suggest(scene.training);
  }
  scene.training.compare = scene::TrainingCompare::nothing;
  if (const auto failure = apply(words.sets, scene)) return complain(failure->status, failure->message);
  std::vector<scene::Given> given;
  give(words.sets, given);
  for (const auto& [name, value] : given) note(scene::repaired_to(scene, name, value));
  // Each is named as the setting of the page.
  for (const auto& [option, value] :
       {std::pair{"seed", &words.seed}, {"steps", &words.steps}, {"file", &words.file}}) {
    if (value->empty()) continue;
    const base::Status status = scene::set_field(scene, std::string("training_") + option + '=' + *value);
    if (!status) return complain(words_wrong, std::string("--") + option + ": " + status.error());
  }
  if (const auto failure = check_training(words, scene)) return complain(failure->status, failure->message);
  const base::StopSignals signals([](int) {}, leave_at_once);  // the first signal lets the step end
  // Two relations have only curves and maps: the results are printed, and a file serves to continue the run.
  if (words.out.empty() && (scene.training.task != scene::TrainingTask::two_relations || words.resume))
    return complain(words_wrong, "train requires --out FILE (.safetensors)");
  if (words.float16 && words.keep_run)
    return complain(words_wrong, "--float16 stores the model alone: a run that --keep-run keeps is float32");
  const auto report =
      train({.settings = scene.training,
             .out = words.out,
             .resume = words.resume,
             .keep_run = words.keep_run,
             .stored = words.float16 ? scene::StoredWeights::float16 : scene::StoredWeights::float32,
             .prune = words.prune,
             .first = {words.first_sentence, words.look_at, words.first},
             .stop = [] { return base::stop_signal() != 0; }});
  if (!report) return complain(world_failed, report.error());
  const int stated = say(report->text);
  return stated == done && report->stopped ? base::status_of_signal(base::stop_signal()) : stated;
}

int measure_model(const Words& words) {
  if (const auto failure = no_scene(words)) return complain(failure->status, failure->message);
  if (words.like.empty())
    return complain(words_wrong, "measure requires a model: a name or a .safetensors file");
  const auto text = measure(words.like, words.file);
  return text ? say(*text) : complain(world_failed, text.error());
}

const char* const train_notes =
    "The run is saved to the file every ten seconds, and when SIGINT (Ctrl+C), SIGTERM or SIGHUP ends "
    "it:\n"
    "--resume continues it. The exit status is then 128 + the signal. At the end the file contains only "
    "the\n"
    "model. `headlight fields` lists the settings that begin with training_.";
const char* const measure_notes =
    "  headlight measure small-english\n"
    "The task and its seed come from the file; a file without a seed is "
    "measured with seed 7.";

}  // namespace headlight::app
