// The tables of the page: the numbers behind its cards.
#include <algorithm>
#include <array>
#include <limits>

#include "pages/model/atlas.h"
#include "pages/table_parts.h"

namespace headlight::scene {

namespace {

MaybeNumbers head_scores(const TableSource& s) {
  const Atlas* atlas = atlas_in(s);
  if (!atlas) return std::nullopt;
  Columns columns{{"layer", "head", "previous token", "next token", "first token", "itself", "same token",
                   "induction", "entropy in bits"},
                  {}};
  for (int l = 0; l < atlas->layers(); ++l) {
    for (int h = 0; h < atlas->heads(l); ++h) {
      const HeadMeasure& m = atlas->of({l, h});
      columns.row(l + 1, h + 1, m.roles.previous, m.roles.next, m.roles.first, m.roles.diagonal,
                  m.roles.same_token, m.roles.induction, m.entropy_bits);
    }
  }
  return columns.take("head of a layer");
}

MaybeNumbers similar_heads(const TableSource& s) {
  const Atlas* atlas = atlas_in(s);
  if (!atlas) return std::nullopt;
  Columns columns{{"layer", "head", "rank", "layer of the similar head", "similar head", "cosine"}, {}};
  for (int l = 0; l < atlas->layers(); ++l) {
    for (int h = 0; h < atlas->heads(l); ++h) {
      int rank = 0;
      for (const AlikeHead& one : *atlas->alike.heads({l, h}))
        columns.row(l + 1, h + 1, ++rank, one.at.layer + 1, one.at.head + 1, one.cosine);
    }
  }
  if (columns.values.empty()) return std::nullopt;
  return columns.take("pair of heads");
}

MaybeNumbers head_pictures(const TableSource& s) {
  const Atlas* atlas = atlas_in(s);
  if (!atlas) return std::nullopt;
  const std::size_t side = count(atlas->tiles.side), wide = count(atlas->tiles.wide), size = side * wide;
  std::vector<float> values;
  for (int l = 0; l < atlas->layers(); ++l) {
    for (int h = 0; h < atlas->heads(l); ++h) {
      const float* from = atlas->tiles.tile(l, h);
      values.insert(values.end(), from, from + size);
    }
  }
  return own(std::move(values), {count(atlas->all_heads()), side, wide},
             {"head of a layer", "queries", "keys"});
}

const Predictions* predictions_in(const TableSource& s) {
  const auto* r = s.own<AtlasResults>();
  return r && r->predictions.none.empty() && !r->predictions.top.empty() ? &r->predictions : nullptr;
}

/// A row for each token, named by its text.
MaybeNumbers of_tokens(const std::vector<PredictedToken>& tokens, const char* rows) {
  Columns columns{{"id", "probability"}, {}};
  Names names;
  for (const PredictedToken& one : tokens) columns.row(one.id, one.probability), names.push_back(one.text);
  return columns.take(rows, std::move(names));
}

MaybeNumbers next_tokens(const TableSource& s) {
  const Predictions* p = predictions_in(s);
  return p ? of_tokens(p->top, "token") : std::nullopt;
}

MaybeNumbers logit_lens(const TableSource& s) {
  const Predictions* p = predictions_in(s);
  if (!p) return std::nullopt;
  const bool truth = p->truth.has_value();
  Columns columns{{"id", "probability"}, {}};
  if (truth)
    columns.names.insert(columns.names.end(), {"next id", "its probability", "its rank", "its loss in nats"});
  Names names;
  for (const LensLayer& layer : p->lens) {
    const PredictedToken& top = layer.top.front();
    if (truth) {
      const nn::Follower& next = *layer.truth;
      columns.row(top.id, top.probability, next.next, next.probability, next.rank, next.loss);
    } else {
      columns.row(top.id, top.probability);
    }
    names.push_back(top.text);
  }
  return columns.take("layers", std::move(names));
}

MaybeNumbers logit_lens_ranks(const TableSource& s) {
  const Predictions* p = predictions_in(s);
  if (!p) return std::nullopt;
  Columns columns{{"layers", "rank", "id", "probability"}, {}};
  Names names;
  for (std::size_t l = 0; l < p->lens.size(); ++l) {
    int rank = 0;
    for (const PredictedToken& one : p->lens[l].top)
      columns.row(static_cast<int>(l), ++rank, one.id, one.probability), names.push_back(one.text);
  }
  return columns.take("layers and rank", std::move(names));
}

MaybeNumbers token_losses(const TableSource& s) {
  const Predictions* p = predictions_in(s);
  if (!p || p->followers.empty()) return std::nullopt;
  Columns columns{{"position", "next id", "probability", "rank", "loss in nats"}, {}};
  for (const nn::Follower& one : p->followers)
    columns.row(one.position, one.next, one.probability, one.rank, one.loss);
  return columns.take("token", token_names(s.results.tokens, static_cast<int>(p->followers.size())));
}

MaybeNumbers likely_tokens(const TableSource& s) {
  const Predictions* p = predictions_in(s);
  if (!p || p->after_each.empty()) return std::nullopt;
  Columns columns{{"position", "rank", "id", "probability"}, {}};
  Names names;
  for (std::size_t t = 0; t < p->after_each.size(); ++t) {
    int rank = 0;
    for (const PredictedToken& one : p->after_each[t])
      columns.row(static_cast<int>(t), ++rank, one.id, one.probability), names.push_back(one.text);
  }
  return columns.take("position and rank", std::move(names));
}

MaybeNumbers changed_tokens(const TableSource& s) {
  const Predictions* p = predictions_in(s);
  if (!p || !p->changed) return std::nullopt;
  Columns columns{{"id", "probability with all heads", "probability with the heads changed", "change"}, {}};
  Names names;
  for (std::size_t i = 0; i < p->top.size(); ++i) {
    const double after = p->changed->after[i];
    columns.row(p->top[i].id, p->top[i].probability, after, after - p->top[i].probability);
    names.push_back(p->top[i].text);
  }
  return columns.take("token", std::move(names));
}

MaybeNumbers changed_losses(const TableSource& s) {
  const Predictions* p = predictions_in(s);
  if (!p || !p->changed || p->followers.empty()) return std::nullopt;
  Columns columns{{"position", "next id", "loss with all heads, in nats",
                   "loss with the heads changed, in nats", "change"},
                  {}};
  for (std::size_t i = 0; i < p->followers.size(); ++i) {
    const nn::Follower &before = p->followers[i], &after = p->changed->followers[i];
    columns.row(before.position, before.next, before.loss, after.loss, after.loss - before.loss);
  }
  return columns.take("token", token_names(s.results.tokens, static_cast<int>(p->followers.size())));
}

/// The head on show, 0-based; −1: it is not among the first `heads`.
int head_in(const TableSource& s, std::size_t heads) {
  const int head = first_head(s.scene, s.results.attention.heads);
  return static_cast<std::size_t>(head) < heads ? head : -1;
}

MaybeNumbers query_components(const TableSource& s) {
  const auto* r = s.own<AtlasResults>();
  const int head = r ? head_in(s, r->details.components.size()) : -1;
  if (head < 0) return std::nullopt;
  const HeadComponents& c = r->details.components[static_cast<std::size_t>(head)];
  std::vector<float> values(c.products.values().begin(), c.products.values().end());
  return own(std::move(values), {count(c.products.rows()), count(c.products.cols())}, {"key", "component"});
}

MaybeNumbers query_key_plane(const TableSource& s) {
  const auto* r = s.own<AtlasResults>();
  const int head = r ? head_in(s, r->details.planes.size()) : -1;
  if (head < 0) return std::nullopt;
  const HeadPlane& plane = r->details.planes[static_cast<std::size_t>(head)];
  Columns columns{{"query 1", "query 2", "key 1", "key 2"}, {}};
  // Cross-attention may have more queries than keys, or the reverse: missing ones are NaN.
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  const std::size_t rows = std::max(plane.queries.size(), plane.keys.size());
  const auto point = [&](const std::vector<std::array<float, 2>>& list, std::size_t i) {
    return i < list.size() ? list[i] : std::array<float, 2>{none, none};
  };
  for (std::size_t i = 0; i < rows; ++i) {
    const auto query = point(plane.queries, i), key = point(plane.keys, i);
    columns.row(query[0], query[1], key[0], key[1]);
  }
  const bool one_line = s.results.key_tokens.empty();
  return columns.take("token", one_line ? token_names(s.results.tokens, static_cast<int>(rows)) : Names());
}

MaybeNumbers differences(const TableSource& s) {
  const auto* r = s.own<AtlasResults>();
  if (!r || !r->check || r->check->heads.empty()) return std::nullopt;
  Columns columns{{"layer", "head", "difference", "query", "key", "a", "b"}, {}};
  for (const CheckedHead& one : r->check->heads)
    columns.row(one.layer + 1, one.head + 1, one.difference, one.query, one.key, one.a, one.b);
  return columns.take("head of a layer");
}

}  // namespace

std::vector<Table> model_tables() {
  constexpr Page page = Page::model;
  return {
      {"head_scores", page, "atlas head",
       "what every head of every layer attends to: mean weights, entropy; nan: nothing to measure",
       head_scores},
      {"head_pictures", page, "atlas",
       "the small pictures: the largest weight under each pixel, heads of layer 1 first", head_pictures},
      {"similar_heads", page, "head",
       "for each head of every layer up to six heads with the most similar maps, and their cosine",
       similar_heads},
      {"head_differences", page, "check",
       "each head’s largest difference from the saved run that is compared, with its place", differences},
      {"next_tokens", page, "next", "the most probable tokens at the position that is shown", next_tokens},
      {"token_losses", page, "next", "probability, rank and loss of the token that follows each token",
       token_losses},
      {"likely_tokens", page, "next", "up to four most probable tokens after each token", likely_tokens},
      {"logit_lens", page, "next",
       "the most probable token there after 0, 1, 2 … layers; probability and rank of the token that follows",
       logit_lens},
      {"logit_lens_ranks", page, "next", "the ten most probable tokens there after 0, 1, 2 … layers",
       logit_lens_ranks},
      {"next_tokens_off", page, "next", "probabilities with the heads off or scaled, and their change",
       changed_tokens},
      {"token_losses_off", page, "next", "losses with the heads off or scaled, and their change",
       changed_losses},
      {"qk_components", page, "head", "q·k of the pinned query, component by component, sorted",
       query_components},
      {"qk_plane", page, "head",
       "queries and keys of the head in the plane that explains most of their variance", query_key_plane}};
}

}  // namespace headlight::scene
