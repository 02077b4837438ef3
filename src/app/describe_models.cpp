// Block, Head bench, Training.
#include <algorithm>
#include <cmath>

#include "app/describe.h"
#include "app/describe_text.h"
#include "kit/page_input.h"
#include "pages/block/block.h"
#include "pages/block/encoder_decoder.h"
#include "pages/head_bench/head_bench.h"
#include "pages/training/relations_words.h"
#include "pages/training/training.h"
#include "scene/layer_input.h"

namespace headlight::app {

namespace {

std::string role(double value) {
  return value == value ? number("%.3f", value) : "–";
}

/// At other lengths, and with heads removed: as the plots of the card of the curves.
std::string measures_text(const scene::RunSnapshot& run, const std::string& score_name) {
  std::string out;
  if (!run.lengths.empty()) {
    std::vector<std::vector<std::string>> rows{{"tokens", score_name, "loss"}};
    for (const scene::LengthPoint& p : run.lengths) {
      rows.push_back({std::to_string(p.length), p.possible ? number("%.3f", p.score) : "no positions",
                      p.possible ? number("%.4f", p.loss) : ""});
    }
    out += table(rows);
  }
  const scene::Pruning& p = run.pruning;
  if (p.step < 0) return out;
  std::vector<std::vector<std::string>> rows{{"removed", score_name, "loss"},
                                             {"no head", number("%.3f", p.score), number("%.4f", p.loss)}};
  const auto name = [](const scene::PrunedHead& head) {
    return "layer " + std::to_string(head.layer + 1) + ", head " + std::to_string(head.head + 1);
  };
  for (const scene::PrunedHead& head : p.alone)
    rows.push_back({name(head), number("%.3f", head.score), number("%.4f", head.loss)});
  int n = 0;
  for (const scene::PrunedHead& head : p.greedy)
    rows.push_back({std::to_string(++n) + " in turn, the last " + name(head), number("%.3f", head.score),
                    number("%.4f", head.loss)});
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

std::string run_text(const scene::RunSnapshot& run, const std::string& score_name) {
  std::string out = "\n" + run.name + ", step " + grouped(static_cast<std::uint64_t>(run.step)) + "\n";
  if (!run.loss.empty()) out += "  loss " + number("%.4f", static_cast<double>(run.loss.back().value));
  if (!run.validation.empty())
    out += ", held out " + number("%.4f", static_cast<double>(run.validation.back().value));
  if (!run.score.empty() && !score_name.empty())
    out += ", " + score_name + " " + number("%.3f", static_cast<double>(run.score.back().value));
  if (!run.loss.empty()) out += "\n";
  if (!run.stopped.empty()) out += "  " + run.stopped + "\n";
  for (const scene::HeadLabel& label : run.labels) {
    if (label.role.empty() && !label.guided) continue;
    out += "  layer " + std::to_string(label.layer + 1) + ", head " + std::to_string(label.head + 1) + ": " +
           (label.role.empty() ? "no simple role" : label.role + " " + number("%.3f", label.score)) +
           (label.guided ? ", guided during training" : "") + "\n";
  }
  return out + measures_text(run, score_name);
}

}  // namespace

namespace {

/// The rows of one attention, each with its largest weight.
std::string largest_keys(const nn::Matrix& weights, int head, const std::vector<std::string>& queries,
                         const std::vector<std::string>& keys) {
  std::vector<std::vector<std::string>> rows;
  for (int t = 0; t < weights.rows(); ++t) {
    const auto row = weights.row(head, t);
    const auto best = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
    rows.push_back({std::to_string(t + 1) + " " + queries[static_cast<std::size_t>(t)],
                    std::to_string(best + 1) + " " + keys[best],
                    decimals(static_cast<double>(row[best]), 3)});
  }
  rows.insert(rows.begin(), {"query", "largest key", "weight"});
  return table(rows);
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " ") + name;
  return out;
}

std::string describe_encoder_decoder(const views::PageInput& in) {
  const scene::EncoderDecoderResults& r = *in.results.encoder_decoder;
  const scene::EncoderDecoderSettings& now = in.scene.encoder_decoder;
  std::string out = "an encoder–decoder that writes words backwards: " + grouped(r.parameters) +
                    " parameters, " + count(static_cast<std::size_t>(r.settings.layers), "layer", "layers") +
                    " of " + count(static_cast<std::size_t>(r.settings.heads), "head", "heads") +
                    ", positions " + word(r.settings.positions) + ", seed " +
                    std::to_string(r.settings.seed) + ", " + std::to_string(r.settings.training) +
                    " training steps\n" + std::to_string(r.score.exact) + " of " +
                    std::to_string(r.score.words) + " held-out words exactly, held-out loss " +
                    brief(r.score.loss, 3) + "\n\n";
  std::vector<std::vector<std::string>> rows{
      {"cross-attention, held-out words", "weight on n + 1 − t", "largest there", "on <end> at step n + 1"}};
  for (std::size_t i = 0; i < r.score.mirrored.size(); ++i) {
    const nn::MirrorShare& m = r.score.mirrored[i];
    const auto heads = static_cast<std::size_t>(r.settings.heads);
    rows.push_back({"layer " + std::to_string(i / heads + 1) + ", head " + std::to_string(i % heads + 1),
                    number("%.3f", m.weight), number("%.3f", m.largest), number("%.3f", m.end)});
  }
  out += table(rows);
  if (r.n == 0) return out + "\nthe sentence has no letter a to z\n";
  out += "\nsource " + joined(r.source_names) + "\ndecoded " + joined(r.decoded_names) +
         (r.exact ? ", exactly the word backwards\n"
                  : ", token " + std::to_string(r.right + 1) + " is the first wrong one\n") +
         (r.held_out ? "training never sees this word\n" : "training may have seen this word\n");
  rows = {{"step", "token", "probability", "next", "weight on n + 1 − t"}};
  const int layer = r.layer(now), head = r.head(now);
  for (int t = 1; t <= static_cast<int>(r.decoded.size()); ++t) {
    const auto& best = r.candidates[static_cast<std::size_t>(t - 1)];
    const int mirrored = r.mirrored(t);
    rows.push_back({std::to_string(t), best[0].text, decimals(best[0].probability, 3),
                    best[1].text + " " + decimals(best[1].probability, 3),
                    mirrored > 0 ? decimals(static_cast<double>(r.cross[static_cast<std::size_t>(layer)].at(
                                                head, t - 1, mirrored - 1)),
                                            3)
                                 : "–"});
  }
  const auto of_head = " of layer " + std::to_string(layer + 1) + ", head " + std::to_string(head + 1) + "\n";
  const auto l = static_cast<std::size_t>(layer);
  return out + "\n" + table(rows) + "\nencoder self-attention" + of_head +
         largest_keys(r.encoder[l], head, r.source_names, r.source_names) +
         "\nmasked decoder self-attention" + of_head +
         largest_keys(r.masked[l], head, r.target_names, r.target_names) + "\ncross-attention" + of_head +
         largest_keys(r.cross[l], head, r.target_names, r.source_names);
}

}  // namespace

std::string describe_block(const views::PageInput& in) {
  if (in.results.encoder_decoder) return describe_encoder_decoder(in);
  if (!in.results.block) return {};
  const scene::BlockResults& r = *in.results.block;
  const scene::BlockSettings& s = in.results.scene.block;
  std::string out =
      count(static_cast<std::size_t>(r.layers), "block", "blocks") +
      (s.norm == scene::BlockNorm::none ? ", no layer norm" : std::string(", norm ") + word(s.norm)) +
      (s.residual ? "" : ", no residual connections") +
      (s.feed_forward ? std::string(", feed-forward ") + word(s.activation) + ", " +
                            scene::widening_text(in.results.scene) + " times as wide"
                      : ", no feed-forward layers") +
      (s.causal ? ", causal" : "") + "\n";
  if (r.layers_left_out > 0)
    out += count(static_cast<std::size_t>(r.layers_left_out), "block is", "blocks are") + " left out\n";
  if (r.tokens_left_out > 0)
    out += count(static_cast<std::size_t>(r.tokens_left_out), "token is", "tokens are") + " left out\n";
  std::vector<std::vector<std::string>> rows{
      {"residual stream", "mean", "variance in a token", "norm of a token"}};
  for (const nn::StageStatistics& one : r.stream)
    rows.push_back(
        {one.stage, number("%.4f", one.mean), number("%.4f", one.variance), number("%.3f", one.norm)});
  if (!r.depth.empty()) {
    const auto cosine = [](double mean) { return std::isnan(mean) ? "–" : number("%.4f", mean); };
    const std::string others = s.residual ? "without residuals" : "with residuals";
    std::vector<std::vector<std::string>> deep{
        {"depth", "cosine of tokens", "spread", "gradient", others + ": cosine", "spread ", "gradient "}};
    for (std::size_t l = 0; l < r.depth.size(); ++l) {
      const nn::DepthFigures &a = r.depth[l], &b = r.other_depth[l];
      deep.push_back({l == 0 ? "input" : "after layer " + std::to_string(l), cosine(a.similarity),
                      number("%.3g", a.spread), number("%.3g", a.gradient), cosine(b.similarity),
                      number("%.3g", b.spread), number("%.3g", b.gradient)});
    }
    out +=
        "\nhow alike the tokens become: the mean cosine of all pairs, and their distance from their mean as "
        "a "
        "share of their norm;\nthe norm of the gradient of a random direction of norm about 1 at the end\n" +
        table(deep);
  }
  return out + "\n" + table(rows) + "\nlargest weight of all heads of all layers " +
         decimals(static_cast<double>(r.largest_weight), 3) + "\n";
}

std::string describe_bench(const views::PageInput& in) {
  if (!in.results.bench) return {};
  const scene::BenchResults& r = *in.results.bench;
  const bool stack = r.stack != nullptr;
  const auto guided = [&](int layer, int head) {
    return stack ? in.results.guided(layer, head) : in.results.guided(head);
  };
  const auto name = [&](int layer, int head) {
    return (stack ? "layer " + std::to_string(layer + 1) + ", " : std::string()) + "head " +
           std::to_string(head + 1) + (guided(layer, head) ? " (guided during training)" : "");
  };
  std::string out =
      "\nA is " + name(r.layer_a, r.a) + ", B is " +
      (r.other_seed ? "head " + std::to_string(r.b + 1) + " of another seed" : name(r.layer_b, r.b)) +
      "\n  cosine of their maps " +
      (std::isnan(r.cosine) ? "– (a map without weights has none)" : role(r.cosine)) + ", largest |A − B| " +
      decimals(static_cast<double>(r.largest), 3) +
      (r.largest > 0
           ? " at query " + std::to_string(r.largest_query) + ", key " + std::to_string(r.largest_key)
           : std::string()) +
      "\n\n";
  std::vector<std::vector<std::string>> rows{
      {"head", "previous", "next", "first", "itself", "same token", "the output loses", "share"}};
  for (std::size_t h = 0; h < r.roles.size(); ++h) {
    const nn::HeadRoles& roles = r.roles[h];
    rows.push_back({std::to_string(h + 1) + (guided(r.layer_a, static_cast<int>(h)) ? " guided" : "") +
                        (h < r.on.size() && r.on[h] == 0 ? " off" : ""),
                    role(roles.previous), role(roles.next), role(roles.first), role(roles.diagonal),
                    role(roles.same_token), h < r.effects.size() ? number("%.3f", r.effects[h].change) : "–",
                    h < r.effects.size() ? role(r.effects[h].share) : "–"});
  }
  out += table(rows);
  if (r.change > 0)
    out += "\nwith those heads off the output changes by " + number("%.3f", r.change) + ", " +
           number("%.1f", r.share * 100) + " % of it\n";
  return out;
}

std::string describe_training(const views::PageInput& in) {
  const scene::TrainingSettings& s = in.scene.training;
  const bool relations = s.task == scene::TrainingTask::two_relations;
  std::string out =
      relations ? "task two_relations: one head and two, " + scene::repairs_words(s) + ", " +
                      grouped(static_cast<std::uint64_t>(s.steps)) + " steps of " + std::to_string(s.batch) +
                      " sequences, seeds from " + std::to_string(s.seed) + "\n"
                : std::string("task ") + word(s.task) + ": " + std::to_string(s.layers) + " layers of " +
                      std::to_string(s.heads) + " heads, d " + std::to_string(s.d_model) + ", positions " +
                      word(s.positions) + (s.residual ? "" : ", no residuals") +
                      (s.norm == nn::NormPlace::pre    ? ""
                       : s.norm == nn::NormPlace::post ? ", post-norm"
                                                       : ", no layer norm") +
                      (s.feed_forward ? "" : ", no feed-forward") +
                      (s.dropout > 0 ? ", dropout " + brief(s.dropout, 2) : "") +
                      (s.end_token && s.task == scene::TrainingTask::reverse ? ", end token" : "") + ", " +
                      grouped(static_cast<std::uint64_t>(s.steps)) + " steps of " + std::to_string(s.batch) +
                      " sequences, seed " + std::to_string(s.seed) +
                      (s.guide > 0 && s.task == scene::TrainingTask::pronouns
                           ? ", head 1 of layer " + std::to_string(s.layers) + " guided (weight " +
                                 brief(s.guide, 2) + ")"
                           : "") +
                      "\n";
  if (!in.training)
    return out +
           "nothing has been trained: --measure trains this run and describes it; in the window, press "
           "Train\n";
  const scene::TrainingSnapshot& t = *in.training;
  out += std::string("the run is ") + state_word(t.state) + " at step " +
         grouped(static_cast<std::uint64_t>(t.step)) + " of " + grouped(static_cast<std::uint64_t>(t.steps)) +
         "\n";
  if (t.baseline_loss > 0) out += t.baseline_name + " has the loss " + number("%.4f", t.baseline_loss) + "\n";
  for (const scene::RunSnapshot& run : t.runs) out += run_text(run, t.score_name);
  for (const scene::TrainingVerdict& v : t.verdicts)
    out += "\n" + v.what + ": " + (v.has_printed ? "printed " + brief(v.printed, 4) + ", " : "") + "here " +
           brief(v.ours, 4) + "\n";
  if (!t.note.empty()) out += "\n" + t.note + "\n";
  return out;
}

}  // namespace headlight::app
