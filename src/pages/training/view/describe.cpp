// The page in words.
#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "pages/training/changes.h"
#include "pages/training/relations_words.h"
#include "pages/training/training.h"
#include "pages/training/view/page.h"
#include "scene/layer_input.h"

namespace headlight::views::plain {

namespace {

/// At other lengths, and with heads removed: as the plots of the card of the curves.
std::string measures_text(const PageInput& in, int of, const std::string& score_name) {
  const scene::RunSnapshot& run = in.training->runs[static_cast<std::size_t>(of - 1)];
  std::string out;
  if (!run.lengths.empty()) {
    std::vector<std::vector<std::string>> rows{{"tokens", score_name, "loss"}};
    for (const scene::LengthPoint& p : run.lengths) {
      const auto number = [&](const char* name) {
        return in.text(quantity(name, {{"run", of}, {"length", p.length}}));
      };
      rows.push_back({std::to_string(p.length), p.possible ? number("length_score") : "no positions",
                      p.possible ? number("length_loss") : ""});
    }
    out += table(rows);
  }
  const scene::Pruning& p = run.pruning;
  if (p.step < 0) return out;
  std::vector<std::vector<std::string>> rows{
      {"removed", score_name, "loss"},
      {"no head", in.text(quantity("removed_score", {{"run", of}})), fixed(p.loss, 4)}};
  const auto name = [](const scene::PrunedHead& head) {
    return "layer " + std::to_string(head.layer + 1) + ", head " + std::to_string(head.head + 1);
  };
  for (const scene::PrunedHead& head : p.alone)
    rows.push_back({name(head),
                    in.text(quantity("removed_score",
                                     {{"run", of}, {"layer", head.layer + 1}, {"head", head.head + 1}})),
                    fixed(head.loss, 4)});
  int n = 0;
  for (const scene::PrunedHead& head : p.greedy) {
    ++n;
    rows.push_back({std::to_string(n) + " in turn, the last " + name(head),
                    in.text(quantity("removed_in_turn_score", {{"run", of}, {"removed", n}})),
                    fixed(head.loss, 4)});
  }
  return out + table(rows);
}

const char* state_word(scene::TrainingState state) {
  switch (state) {
    case scene::TrainingState::idle:
      return "not started";
    case scene::TrainingState::running:
      return "running";
    case scene::TrainingState::paused:
      return "paused";
    case scene::TrainingState::finished:
      return "finished";
  }
  return "";
}

/// The run with this number, from 1.
std::string run_text(const PageInput& in, int of, const std::string& score_name) {
  const scene::RunSnapshot& run = in.training->runs[static_cast<std::size_t>(of - 1)];
  const auto number = [&](const char* name) { return in.text(quantity(name, {{"run", of}})); };
  std::string out = "\n" + run.name + ", step " + base::with_commas(run.step) + "\n";
  if (!run.loss.empty()) out += "  loss " + number("training_loss");
  if (!run.validation.empty()) out += ", held out " + number("validation_loss");
  if (!run.score.empty() && !score_name.empty()) out += ", " + score_name + " " + number("training_score");
  if (!run.loss.empty()) out += "\n";
  if (scene::lowest_point(run.validation))
    out += "  lowest held-out loss " + number("lowest_validation_loss") + " at step " +
           number("lowest_validation_step") + "\n";
  if (!run.stopped.empty()) out += "  " + run.stopped + "\n";
  for (const scene::HeadLabel& label : run.labels) {
    if (label.role.empty() && !label.guided) continue;
    out +=
        "  layer " + std::to_string(label.layer + 1) + ", head " + std::to_string(label.head + 1) + ": " +
        (label.role.empty()
             ? "no simple role"
             : label.role + ", " +
                   in.text(quantity("label_score",
                                    {{"run", of}, {"layer", label.layer + 1}, {"head", label.head + 1}}))) +
        (label.guided ? ", guided during training" : "") + "\n";
  }
  return out + measures_text(in, of, score_name);
}

}  // namespace

std::string describe_training(const PageInput& in, int) {
  const scene::TrainingSettings& s = in.scene.training;
  const bool relations = s.task == scene::TrainingTask::two_relations;
  std::string out = relations
                        ? "task two_relations: one head and two, " + scene::repairs_words(s) + ", " +
                              base::with_commas(s.steps) + " steps of " + std::to_string(s.batch) +
                              " sequences, seeds from " + std::to_string(s.seed) + "\n"
                        : std::string("task ") + word(s.task) + ": " + base::counted(s.layers, "layer") +
                              " of " + base::counted(s.heads, "head") + ", d " + std::to_string(s.d_model) +
                              ", positions " + word(s.positions) + (s.residual ? "" : ", no residuals") +
                              (s.norm == nn::NormPlace::pre    ? ""
                               : s.norm == nn::NormPlace::post ? ", post-norm"
                                                               : ", no layer norm") +
                              (s.feed_forward ? "" : ", no feed-forward") +
                              (s.dropout > 0 ? ", dropout " + base::brief(s.dropout, 2) : "") +
                              (s.end_token && s.task == scene::TrainingTask::reverse ? ", end token" : "") +
                              ", " + base::with_commas(s.steps) + " steps of " + std::to_string(s.batch) +
                              " sequences, seed " + std::to_string(s.seed) +
                              (s.guide > 0 && s.task == scene::TrainingTask::pronouns
                                   ? ", head 1 of layer " + std::to_string(s.layers) + " guided (weight " +
                                         base::brief(s.guide, 2) + ")"
                                   : "") +
                              "\n";
  if (!in.training)
    return out +
           "no run has been trained yet: --measure trains this run and describes it; in the window, press "
           "Train\n";
  const scene::TrainingSnapshot& t = *in.training;
  out += std::string("the run is ") + state_word(t.state) + " at step " + base::with_commas(t.step) + " of " +
         base::with_commas(t.steps) + "\n";
  if (!t.changes.empty()) out += "changed: " + scene::changes_words(t.changes) + "\n";
  for (const scene::TrainingBaseline& level : t.baselines)
    out += level.name + " has the loss " +
           (level.name == "chance" ? in.text("chance_loss") : fixed(level.loss, 4)) + "\n";
  for (std::size_t of = 1; of <= t.runs.size(); ++of) out += run_text(in, static_cast<int>(of), t.score_name);
  for (const scene::TrainingVerdict& v : t.verdicts)
    out += "\n" + v.what + ": " + (v.has_printed ? "printed " + fixed(v.printed, 4) + ", " : "") + "here " +
           fixed(v.ours, 4) + "\n";
  if (!t.note.empty()) out += "\n" + t.note + "\n";
  return out;
}

}  // namespace headlight::views::plain
