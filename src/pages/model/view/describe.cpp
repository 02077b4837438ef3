// The page in words.
#include "kit/plain_text.h"
#include "pages/model/view/page.h"

namespace headlight::views::plain {

namespace {

std::string predicted(const PageInput& in, const scene::Predictions& p) {
  if (!p.none.empty()) return "no predictions: " + p.none + "\n";
  std::string out = (p.causal ? "after token " : "in the place of token ") + std::to_string(p.position) +
                    ", counted from 0:";
  int rank = 0;
  for (const scene::PredictedToken& one : p.top) {
    out += (rank > 0 ? ", " : " ") + in_quotes(shown_token(one.text)) + " ";
    ++rank;
    out += in.text(quantity("model_next_probability", {{"rank", rank}}));
  }
  out += "\n";
  if (p.truth)
    out += "the sentence continues with " + in_quotes(shown_token(p.truth_text)) + ": probability " +
           in.text("model_true_probability") + ", rank " + in.text("model_true_rank") + ", loss " +
           in.text("model_loss") + " nats\n";
  if (!p.followers.empty()) out += "mean loss " + in.text("model_mean_loss") + " nats\n";
  out += "after each layer:";
  for (int layers = 0; layers < static_cast<int>(p.lens.size()); ++layers)
    out += " " + std::to_string(layers) + " " +
           in_quotes(shown_token(p.lens[static_cast<std::size_t>(layers)].text)) + " " +
           in.text(quantity("model_lens_probability", {{"layers", layers}}));
  return out + "\n";
}

}  // namespace

std::string describe_model(const PageInput& in, int) {
  const auto* r = in.results.own_as<scene::AtlasResults>();
  if (!r) return {};
  if (!r->problem.empty()) return r->problem + "\n";
  const scene::Atlas& atlas = *r->atlas;
  if (atlas.layers() == 0) return {};
  std::string out = model_question(in) + " " + in.text("model_layers") + " layers, " +
                    in.text("model_heads") + " heads; mean weights over the queries, entropy in bits\n";
  std::vector<std::vector<std::string>> rows{
      {"layer", "head", "previous", "first", "itself", "same token", "induction", "entropy"}};
  constexpr std::size_t most = 200;
  const std::vector<scene::HeadPlace>& order = atlas.by(
      in.scene.model.order == scene::ModelOrder::score ? in.scene.model.score : scene::ModelScore::previous);
  std::vector<scene::HeadPlace> heads(order.begin(), order.end());
  if (in.scene.model.order == scene::ModelOrder::layer) {
    heads.clear();
    for (int l = 0; l < atlas.layers(); ++l) {
      for (int h = 0; h < atlas.heads(l); ++h) heads.push_back({l, h});
    }
  }
  for (const scene::HeadPlace at : heads) {
    if (rows.size() > most) break;
    std::vector<std::string>& row = rows.emplace_back();
    row = {std::to_string(at.layer + 1), std::to_string(at.head + 1)};
    for (int s = 0; s < scene::model_scores; ++s)
      row.push_back(score_text(in, at, static_cast<scene::ModelScore>(s)));
  }
  out += table(rows);
  if (heads.size() > most) out += std::to_string(heads.size() - most) + " more heads\n";
  return out + predicted(in, r->predictions);
}

}  // namespace headlight::views::plain
