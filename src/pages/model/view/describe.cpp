// The page in words.
#include "base/words.h"
#include "kit/plain_text.h"
#include "pages/model/view/page.h"

namespace headlight::views::plain {

namespace {

/// What changes with some heads off: the ten, and the losses.
std::string changed(const PageInput& in, const scene::Predictions& p, int layers) {
  if (!p.change_problem.empty()) return p.change_problem + "\n";
  if (!p.changed) return {};
  std::string out = "with " + changed_words(*p.changed, layers) + " (and the change from all heads on):";
  int rank = 0;
  for (const scene::PredictedToken& one : p.top) {
    ++rank;
    out += (rank > 1 ? ", " : " ") + in_quotes(shown_token(one.text)) + " " +
           in.text(quantity("model_after_probability", {{"rank", rank}})) + " (" +
           in.text(quantity("model_after_change", {{"rank", rank}})) + ")";
  }
  out += "\nthen the most probable:";
  rank = 0;
  for (const scene::PredictedToken& one : p.changed->top) {
    ++rank;
    out += (rank > 1 ? ", " : " ") + in_quotes(shown_token(one.text)) + " " +
           in.text(quantity("model_after_top", {{"rank", rank}}));
  }
  out += "\n";
  if (p.truth)
    out += "loss of the token that follows " + in.text("model_after_loss") + " nats (" +
           in.text("model_after_loss_change") + ")\n";
  if (!p.changed->followers.empty())
    out += "mean loss " + in.text("model_after_mean_loss") + " nats (" +
           in.text("model_after_mean_loss_change") + ")\n";
  return out;
}

/// What temperature, top-k and top-p leave, where they cut something.
std::string drawn(const PageInput& in, const scene::Predictions& p) {
  const scene::ModelPageSettings& set = in.results.scene.model;
  if (!p.causal || (set.top_k == 0 && set.top_p >= 1) || p.drawn.tokens >= p.vocabulary) return {};
  std::string out = "can be sampled: " + in.text("model_drawn_tokens") +
                    (in.value("model_drawn_tokens") == 1 ? " token with " : " tokens with ") +
                    in.text("model_drawn_kept") + " of the probability:";
  int rank = 0;
  for (const scene::PredictedToken& one : p.drawn_top()) {
    ++rank;
    if (in.value(quantity("model_drawn_probability", {{"rank", rank}})) > 0)
      out += (rank > 1 ? ", " : " ") + in_quotes(shown_token(one.text)) + " " +
             in.text(quantity("model_drawn_probability", {{"rank", rank}}));
  }
  return out + "\n";
}

std::string masks(const PageInput& in, const scene::Predictions& p) {
  std::string out;
  int mask = 0;
  for (const scene::MaskedPlace& place : p.masks) {
    out += "mask " + std::to_string(++mask) + " at token " + std::to_string(place.position) + ":";
    int rank = 0;
    for (const scene::PredictedToken& one : place.top) {
      ++rank;
      out += (rank > 1 ? ", " : " ") + in_quotes(shown_token(one.text)) + " " +
             in.text(quantity("model_mask_probability", {{"mask", mask}, {"rank", rank}}));
    }
    out += "\n";
  }
  return out;
}

/// The heads that are most similar to the chosen one.
std::string most_alike(const PageInput& in, const scene::Atlas& atlas, const scene::AlikeHeads& alike) {
  scene::HeadPlace shown = shown_head(in.results.scene, in.results, atlas);
  shown.head = scene::first_head(in.scene, in.results.attention.heads);
  const auto* others = alike.heads(shown);
  if (!others || others->empty()) return {};
  std::string out = "most similar to layer " + std::to_string(shown.layer + 1) + ", head " +
                    std::to_string(shown.head + 1) + " (cosine of the maps" + alike_over(alike) + "):";
  int rank = 0;
  for (const scene::AlikeHead& one : *others) {
    ++rank;
    out += std::string(rank > 1 ? ", " : " ") + "layer " + std::to_string(one.at.layer + 1) + " head " +
           std::to_string(one.at.head + 1) + " " +
           in.text(quantity("model_alike",
                            {{"layer", shown.layer + 1}, {"head", shown.head + 1}, {"rank", rank}}));
  }
  return out + "\n";
}

/// What is shown of the chosen head beside its weights.
std::string details(const PageInput& in, const scene::HeadDetails& shown, int head) {
  const auto at = static_cast<std::size_t>(head);
  const auto of_head = [&](const char* name, int rank) {
    return in.text(quantity(name, {{"rank", rank}, {"head", head + 1}}));
  };
  std::string out;
  if (in.results.scene.model.detail != scene::ModelDetail::weights && in.results.attention.q.empty())
    out = std::string(no_vectors) + "\n";
  if (at < shown.components.size()) {
    const scene::HeadComponents& c = shown.components[at];
    out = "q·k of " + quoted_token(in, shown.query) + " and " + quoted_key(in, c.key) + " is " +
          in.text(quantity("dot", {{"head", head + 1}, {"query", shown.query}, {"key", c.key}})) +
          "; the components that add most:";
    const int most = std::min(5, c.products.cols());
    for (int rank = 1; rank <= most; ++rank)
      out += (rank > 1 ? ", " : " ") + component_name(in, shown, head, rank) + " " +
             of_head("model_component", rank);
    out += "\n";
  }
  if (at < shown.planes.size()) {
    const auto share = [&](int axis) {
      return in.text(quantity("model_plane_share", {{"axis", axis}, {"head", head + 1}}));
    };
    out += "queries and keys of head " + std::to_string(head + 1) + " in a plane: axis 1 explains " +
           share(1) + " of their variance, axis 2 " + share(2) + "\n";
  }
  return out;
}

/// The most probable tokens after each token; a tick where the sentence continues that way.
std::string after_each(const PageInput& in, const scene::Predictions& p) {
  constexpr std::size_t most = 64;
  if (p.after_each.size() < 2) return {};
  std::string out = std::string("most probable after each token") + (p.changed ? ", all heads on" : "") +
                    " (✓: the sentence continues with it):\n";
  for (std::size_t t = 0; t < std::min(most, p.after_each.size()); ++t) {
    const int token = static_cast<int>(t);
    out += "  " + std::to_string(token) + " " + in_quotes(printable(token_label(in, token))) + ":";
    int rank = 0;
    for (const scene::PredictedToken& one : p.after_each[t]) {
      const bool truth = t < p.followers.size() && p.followers[t].next == one.id;
      ++rank;
      out += (rank > 1 ? ", " : " ") + in_quotes(shown_token(one.text)) + " " +
             in.text(quantity("model_likely", {{"query", token}, {"rank", rank}})) + (truth ? " ✓" : "");
    }
    out += "\n";
  }
  if (p.after_each.size() > most) out += std::to_string(p.after_each.size() - most) + " more tokens\n";
  return out;
}

std::string predicted(const PageInput& in, const scene::Predictions& p, int layers) {
  if (!p.none.empty()) return "no predictions: " + p.none + "\n";
  std::string out =
      (p.causal ? "after token " : "in place of token ") + std::to_string(p.position) + ", counted from 0:";
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
  out += after_each(in, p);
  out += "logit lens, after each layer:";
  for (int after = 0; after < static_cast<int>(p.lens.size()); ++after) {
    const scene::LensLayer& layer = p.lens[static_cast<std::size_t>(after)];
    out += " " + std::to_string(after) + " " + in_quotes(shown_token(layer.top.front().text)) + " " +
           in.text(quantity("model_lens_probability", {{"layers", after}}));
    if (layer.truth)
      out += " (" + in_quotes(shown_token(p.truth_text)) + " " +
             in.text(quantity("model_lens_true_probability", {{"layers", after}})) + ", rank " +
             in.text(quantity("model_lens_true_rank", {{"layers", after}})) + ")";
  }
  return out + "\n" + masks(in, p) + drawn(in, p) + changed(in, p, layers);
}

std::string checked(const PageInput& in, const scene::Check* check) {
  if (!check) return {};
  if (!check->problem.empty()) return "not compared: " + check->problem + "\n";
  std::string out = "beside " + printable(check->name) + ": " + check_words(in, *check) + "\n" +
                    rounding_words(in, *check) + "\n";
  if (!check->left_out.empty()) out += check->left_out + "\n";
  if (!check->other_tokens.empty()) out += check->other_tokens + "\n";
  std::vector<std::vector<std::string>> rows{{"layer"}};
  constexpr int most = 24;
  const int heads = std::min(check->differences.cols(), most);
  for (int h = 0; h < heads; ++h) rows.front().push_back("head " + std::to_string(h + 1));
  for (int l = 0; l < check->differences.rows(); ++l) {
    rows.push_back({std::to_string(l + 1)});
    for (int h = 0; h < heads; ++h)
      rows.back().push_back(in.text(quantity("model_check", {{"layer", l + 1}, {"head", h + 1}})));
  }
  return out + table(rows);
}

}  // namespace

std::string describe_model(const PageInput& in, int) {
  const auto* r = in.own<scene::AtlasResults>();
  if (!r) return {};
  if (!r->problem.empty()) return r->problem + "\n";
  const scene::Atlas& atlas = *r->atlas;
  if (atlas.layers() == 0) return {};
  std::string out = model_question(in) + " " + base::counted(atlas.layers(), "layer") + ", " +
                    base::counted(atlas.all_heads(), "head") +
                    "; mean weights over the queries, entropy in bits\n";
  if (const std::string beyond = beyond_training_words(atlas); !beyond.empty()) out += beyond + "\n";
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
  // Layers that follow each other and have the same are one row.
  std::string first_layer;
  for (int layer = 0; layer < atlas.layers(); ++layer) {
    const std::string number = std::to_string(layer + 1);
    std::vector<std::string> row{number, "uniform"};
    for (int s = 0; s < scene::model_scores; ++s)
      row.push_back(uniform_text(in, layer, static_cast<scene::ModelScore>(s)));
    std::vector<std::string>& before = rows.back();
    if (layer > 0 && std::equal(row.begin() + 1, row.end(), before.begin() + 1, before.end())) {
      before.front() = first_layer + "–" + number;
      continue;
    }
    first_layer = number;
    rows.push_back(std::move(row));
  }
  out += table(rows);
  for (int s = 0; s < scene::model_scores; ++s) {
    const auto score = static_cast<scene::ModelScore>(s);
    if (const std::string none = no_score_words(atlas, score); !none.empty())
      out += std::string(score_words(score)) + ": nothing to measure, " + none + "\n";
    else if (score == scene::ModelScore::same_token || score == scene::ModelScore::induction)
      out += std::string(score_words(score)) + ": mean over " + std::to_string(atlas.queries_of(score)) +
             " of " + std::to_string(atlas.tiles.T) + " queries\n";
  }
  if (heads.size() > most) out += std::to_string(heads.size() - most) + " more heads\n";
  out += most_alike(in, atlas, r->atlas->alike);
  return out + details(in, r->details, scene::first_head(in.scene, in.results.attention.heads)) +
         checked(in, r->check.get()) + predicted(in, r->predictions, atlas.layers());
}

}  // namespace headlight::views::plain
