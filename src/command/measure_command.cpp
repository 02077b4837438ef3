#include "command/measure_command.h"

#include "base/numbers.h"
#include "learn/training_run.h"
#include "pages/training/training.h"
#include "scene/model_answers.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "tasks/trained_measures.h"

namespace headlight::app {

namespace {

/// "answer 93.1 %, held-out loss 0.1234".
std::string score_words(const std::string& name, double score, const char* what, double loss) {
  return name + " " + base::written(score, base::percent(1)) + ", " + what + " " + base::fixed(loss, 4);
}

/// The settings that a model was trained with; if the file names none, its task and length, and defaults for
/// the rest.
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

/// Names the sequences of the numbers; every seed has its own.
std::string held_out_words(const scene::TrainingSettings& settings, const scene::TrainedModel& model) {
  if (settings.task == scene::TrainingTask::text) return {};
  const bool own = !model.training.empty();
  return ", on held-out sequences of seed " + std::to_string(settings.seed) +
         (own ? ", its training seed" : "; its file does not name its training seed");
}

std::string roles_text(const nn::HeadScores& scores, const nn::ModelConfig& config, const nn::Guide& guide) {
  std::string out = "mean weight on the key of a relation (uniform attention in brackets)\n";
  for (int l = 0; l < config.layers; ++l) {
    for (int h = 0; h < config.heads; ++h) {
      out += head_line(l, h);
      if (guide.weight > 0 && guide.layer == l && guide.head == h) out += ", guided during training";
      out += ":";
      for (std::size_t r = 0; r < scores.roles.size(); ++r) {
        if (scores.queries[r] == 0) continue;
        out += (r == 0 ? " " : ", ") + scores.roles[r] + " " +
               base::fixed(scores.mean.at(l, h, static_cast<int>(r)), 2) + " (" +
               base::fixed(scores.uniform[r], 2) + ")";
      }
      out += "\n";
    }
  }
  return out;
}

}  // namespace

std::string head_line(int layer, int head) {
  return "  layer " + std::to_string(layer + 1) + ", head " + std::to_string(head + 1);
}

std::string lengths_text(const std::vector<scene::LengthPoint>& lengths, const std::string& score_name) {
  std::string out;
  for (const scene::LengthPoint& p : lengths) {
    out += "  length " + std::to_string(p.length) + ": " +
           (p.possible ? score_words(score_name, p.score, "held-out loss", p.loss)
                       : "not possible: the table of learned positions is shorter") +
           "\n";
  }
  return out;
}

std::string pruning_text(const scene::Pruning& pruning, const std::string& score_name) {
  if (pruning.step < 0) return {};
  std::string out =
      "  every head: " + score_words(score_name, pruning.score, "held-out loss", pruning.loss) + "\n";
  const auto head = [](const scene::PrunedHead& p) {
    return "layer " + std::to_string(p.layer + 1) + ", head " + std::to_string(p.head + 1) + ": ";
  };
  for (const scene::PrunedHead& p : pruning.alone)
    out += "  without " + head(p) + score_words(score_name, p.score, "loss", p.loss) + "\n";
  if (pruning.greedy.empty()) return out;
  out += "  removed in turn, each time the head whose removal leaves the highest " + score_name +
         ", for ties the lowest loss:\n";
  int n = 0;
  for (const scene::PrunedHead& p : pruning.greedy) {
    ++n;
    out += (n < 10 ? "   " : "  ") + std::to_string(n) + " removed, the last one " + head(p) +
           score_words(score_name, p.score, "loss", p.loss) + "\n";
  }
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
  std::string out = model.title + "\n" +
                    score_words(score_name, score.score, "held-out loss", score.validation_loss) +
                    held_out_words(*settings, model) + "\n";
  for (const nn::Baseline& other : (*task)->baselines())
    out += other.name + ": loss " + base::fixed(other.loss, 4) + " on the same sequences\n";
  if (const auto lesson = scene::pronoun_measure(*loaded))
    out += "on the " + std::to_string(lesson->sentences) + " held-out sentences of the lessons, seed " +
           std::to_string(scene::PronounMeasure::seed) + ": " + score_name + " " +
           base::written(lesson->right, base::percent(1)) + "\n";
  out += "\n" + roles_text(nn::head_scores(**task, model.config, model.weights, parallel, 256), model.config,
                           model.guide);
  std::vector<scene::LengthPoint> lengths;
  for (const nn::LengthScore& s : nn::length_scores(**task, model.config, model.weights, parallel))
    lengths.push_back({s.length, s.score, s.loss, s.possible});
  if (!lengths.empty())
    out += "\nat other lengths; trained at " + std::to_string((*task)->length()) + "\n" +
           lengths_text(lengths, score_name);
  const nn::HeadRemoval removal = nn::head_removal(**task, model.config, model.weights, parallel);
  scene::Pruning pruning{0, removal.score, removal.loss, {}, {}};
  for (const nn::RemovedHead& r : removal.alone) pruning.alone.push_back({r.layer, r.head, r.score, r.loss});
  for (const nn::RemovedHead& r : removal.greedy)
    pruning.greedy.push_back({r.layer, r.head, r.score, r.loss});
  return out + "\nheads removed, without retraining\n" + pruning_text(pruning, score_name);
}

}  // namespace headlight::app
