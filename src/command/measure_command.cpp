#include "command/measure_command.h"

#include <array>
#include <cstdio>

#include "learn/training_run.h"
#include "pages/training/training.h"
#include "scene/model_answers.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "tasks/trained_measures.h"

namespace headlight::app {

namespace {

template <class... Values>
std::string line(const char* format, Values... values) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

/// The settings that a model was trained with; of a file that names none its task and length, the rest as
/// they are by default.
base::Result<scene::TrainingSettings> settings_of(const scene::TrainedModel& model, const std::string& name) {
  scene::Scene scene;
  bool known = false;
  int n = 0;
  for (const char* word : scene::Words<scene::TrainingTask>::list) {
    if (model.task == word) scene.training.task = static_cast<scene::TrainingTask>(n), known = true;
    ++n;
  }
  if (!known) return base::Error{name + ": the file does not name a task to measure it with"};
  scene.training.length = model.config.context;
  for (const auto& [field, value] : model.training) {
    if (const base::Status status = scene::set_field(scene, field + '=' + value); !status)
      return base::Error{name + ": " + status.error()};
  }
  return scene.training;
}

/// Which sequences the numbers are of; every seed has its own.
std::string held_out_words(const scene::TrainingSettings& settings, const scene::TrainedModel& model) {
  if (settings.task == scene::TrainingTask::text) return {};
  const bool own = !model.training.empty();
  return line(", on held-out sequences of seed %d", settings.seed) +
         (own ? ", its training seed" : "; its file does not name its training seed");
}

std::string roles_text(const nn::HeadScores& scores, const nn::ModelConfig& config, const nn::Guide& guide) {
  std::string out = "mean weight on the key of a relation (uniform attention in brackets)\n";
  for (int l = 0; l < config.layers; ++l) {
    for (int h = 0; h < config.heads; ++h) {
      out += line("  layer %d, head %d", l + 1, h + 1);
      if (guide.weight > 0 && guide.layer == l && guide.head == h) out += ", guided during training";
      out += ":";
      for (std::size_t r = 0; r < scores.roles.size(); ++r) {
        if (scores.queries[r] == 0) continue;
        out += line("%s %s %.2f (%.2f)", r == 0 ? "" : ",", scores.roles[r].c_str(),
                    scores.mean.at(l, h, static_cast<int>(r)), scores.uniform[r]);
      }
      out += "\n";
    }
  }
  return out;
}

}  // namespace

std::string lengths_text(const std::vector<scene::LengthPoint>& lengths, const std::string& score_name) {
  std::string out;
  for (const scene::LengthPoint& p : lengths) {
    out += p.possible
               ? line("  length %d: %s %.1f %%, held-out loss %.4f\n", p.length, score_name.c_str(),
                      100 * p.score, p.loss)
               : line("  length %d: not possible: the table of learned positions is shorter\n", p.length);
  }
  return out;
}

std::string pruning_text(const scene::Pruning& pruning, const std::string& score_name) {
  if (pruning.step < 0) return {};
  const char* name = score_name.c_str();
  std::string out =
      line("  every head: %s %.1f %%, held-out loss %.4f\n", name, 100 * pruning.score, pruning.loss);
  for (const scene::PrunedHead& p : pruning.alone)
    out += line("  without layer %d, head %d: %s %.1f %%, loss %.4f\n", p.layer + 1, p.head + 1, name,
                100 * p.score, p.loss);
  if (pruning.greedy.empty()) return out;
  out += "  removed in turn, each time the head whose removal leaves the highest " + score_name +
         ", for ties the lowest loss:\n";
  int n = 0;
  for (const scene::PrunedHead& p : pruning.greedy)
    out += line("  %2d removed, the last one layer %d, head %d: %s %.1f %%, loss %.4f\n", ++n, p.layer + 1,
                p.head + 1, name, 100 * p.score, p.loss);
  return out;
}

base::Result<std::string> measure(const std::string& name, const std::string& text) {
  const auto loaded = scene::model_at(name);
  if (!loaded) return base::Error{loaded.error()};
  const scene::TrainedModel& model = **loaded;
  if (!model.not_finite.empty()) return base::Error{name + ": " + model.not_finite};
  auto settings = settings_of(model, name);
  if (!settings) return base::Error{settings.error()};
  if (!text.empty()) settings->file = text;
  const auto task = scene::training_task(*settings);
  const bool unnamed = model.task == "text" && text.empty();
  if (!task) return base::Error{task.error() + (unnamed ? "; --file names the text it was trained on" : "")};
  if ((*task)->encoding() != model.encoder->vocabulary())
    return base::Error{name + ": its vocabulary is not that of the task \"" + model.task +
                       (model.task == "text" ? "\" on this text; --file names the text it was trained on"
                                             : "\" of this version")};
  base::Parallel parallel;
  const nn::TaskScore score = (*task)->evaluate(model.config, model.weights, parallel);
  const std::string score_name = (*task)->score_name();
  std::string out =
      model.title + "\n" +
      line("%s %.1f %%, held-out loss %.4f", score_name.c_str(), 100 * score.score, score.validation_loss) +
      held_out_words(*settings, model) + "\n";
  for (const nn::Baseline& other : (*task)->baselines())
    out += line("%s: loss %.4f on the same sequences\n", other.name.c_str(), other.loss);
  if (const auto lesson = scene::pronoun_measure(*loaded))
    out += line("on the %d held-out sentences of the lessons, seed %d: %s %.1f %%\n", lesson->sentences,
                static_cast<int>(scene::PronounMeasure::seed), score_name.c_str(), 100 * lesson->right);
  out += "\n" + roles_text(nn::head_scores(**task, model.config, model.weights, parallel, 256), model.config,
                           model.guide);
  std::vector<scene::LengthPoint> lengths;
  for (const nn::LengthScore& s : nn::length_scores(**task, model.config, model.weights, parallel))
    lengths.push_back({s.length, s.score, s.loss, s.possible});
  if (!lengths.empty())
    out += line("\nat other lengths; trained at %d\n", (*task)->length()) + lengths_text(lengths, score_name);
  const nn::HeadRemoval removal = nn::head_removal(**task, model.config, model.weights, parallel);
  scene::Pruning pruning{0, removal.score, removal.loss, {}, {}};
  for (const nn::RemovedHead& r : removal.alone) pruning.alone.push_back({r.layer, r.head, r.score, r.loss});
  for (const nn::RemovedHead& r : removal.greedy)
    pruning.greedy.push_back({r.layer, r.head, r.score, r.loss});
  return out + "\nheads removed, without retraining\n" + pruning_text(pruning, score_name);
}

}  // namespace headlight::app
