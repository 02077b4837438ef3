// The tables of the page: the numbers behind its cards.
#include <algorithm>
#include <limits>

#include "pages/compare/compare.h"
#include "pages/table_parts.h"
#include "tasks/reversal.h"

namespace headlight::scene {

namespace {

constexpr double no_norm = std::numeric_limits<double>::quiet_NaN();

const CompareResults* compared(const TableSource& s) {
  return s.own<CompareResults>();
}

/// The layer that head A is in.
const nn::AttentionTrace& compare_trace(const TableSource& s) {
  return compared(s)->layer_of_a(s.results.attention);
}

Names compare_tokens(const TableSource& s) {
  return token_names(s.results.tokens, compare_trace(s).T);
}

Names compare_keys(const TableSource& s) {
  return token_names(s.results.tokens_of_keys(), compare_trace(s).S);
}

MaybeNumbers compare_a(const TableSource& s) {
  if (!compared(s) || compared(s)->map_b.empty()) return std::nullopt;
  const nn::AttentionTrace& trace = compare_trace(s);
  const float* from = trace.weights.plane(compared(s)->a);
  return own(std::vector<float>(from, from + count(trace.T) * count(trace.S)),
             {count(trace.T), count(trace.S)}, {"query", "key"}, {compare_tokens(s), compare_keys(s)});
}

template <nn::Matrix CompareResults::*member>
MaybeNumbers compare_map(const TableSource& s) {
  if (!compared(s) || (compared(s)->*member).empty()) return std::nullopt;
  return view(compared(s)->*member, {"query", "key"}, {compare_tokens(s), compare_keys(s)});
}

MaybeNumbers compare_apart(const TableSource& s) {
  if (!compared(s) || compared(s)->apart.empty()) return std::nullopt;
  Columns out{{"query", "key", "weight of A", "weight of B", "A − B"}, {}};
  const nn::AttentionTrace& trace = compare_trace(s);
  for (const PairApart& one : compared(s)->apart) {
    const auto key = static_cast<std::size_t>(one.key);
    out.row(one.query, one.key, static_cast<double>(trace.weights.row(compared(s)->a, one.query)[key]),
            static_cast<double>(compared(s)->map_b.row(one.query)[key]), static_cast<double>(one.difference));
  }
  return out.take("pair");
}

MaybeNumbers compare_similarity(const TableSource& s) {
  if (!compared(s) || compared(s)->similarity.empty()) return std::nullopt;
  return view(compared(s)->similarity, {"head of A’s layer", "head of B’s layer"});
}

MaybeNumbers compare_roles(const TableSource& s) {
  if (!compared(s) || compared(s)->roles.empty()) return std::nullopt;
  Columns out{{"previous", "next", "first", "diagonal", "same token"}, {}};
  for (const nn::HeadRoles& r : compared(s)->roles)
    out.row(r.previous, r.next, r.first, r.diagonal, r.same_token);
  return out.take("head");
}

/// The roles of head B, which may be in another layer or drawn from another seed.
MaybeNumbers compare_role_b(const TableSource& s) {
  if (!compared(s) || compared(s)->roles.empty()) return std::nullopt;
  const nn::HeadRoles& r = compared(s)->role_b;
  return one_each({{"previous", r.previous},
                   {"next", r.next},
                   {"first", r.first},
                   {"diagonal", r.diagonal},
                   {"same token", r.same_token}});
}

/// The roles of uniform attention in A's layer and in B's.
MaybeNumbers compare_uniform(const TableSource& s) {
  if (!compared(s) || compared(s)->roles.empty()) return std::nullopt;
  Columns out{{"previous", "next", "first", "diagonal", "same token"}, {}};
  for (const nn::HeadRoles& r : {compared(s)->uniform, compared(s)->uniform_b})
    out.row(r.previous, r.next, r.first, r.diagonal, r.same_token);
  return out.take("layer of A, of B");
}

MaybeNumbers compare_effects(const TableSource& s) {
  if (!compared(s) || compared(s)->effects.empty()) return std::nullopt;
  Columns out{{"change without it", "relative change"}, {}};
  for (const nn::HeadEffect& e : compared(s)->effects) out.row(e.change, e.share);
  return out.take("head");
}

MaybeNumbers compare_tokens_change(const TableSource& s) {
  if (!compared(s) || compared(s)->token_change.empty()) return std::nullopt;
  Columns out{{"change of the output row", "norm of the output row"}, {}};
  for (std::size_t t = 0; t < compared(s)->token_change.size(); ++t)
    out.row(compared(s)->token_change[t],
            t < compared(s)->token_norm.size() ? compared(s)->token_norm[t] : no_norm);
  return out.take("token", compare_tokens(s));
}

}  // namespace

std::vector<Table> compare_tables() {
  constexpr Page page = Page::compare;
  return {
      {"bench_a", page, "maps", "weights of head A", compare_a},
      {"bench_b", page, "maps", "weights of head B", compare_map<&CompareResults::map_b>},
      {"bench_difference", page, "maps", "weights of A minus weights of B",
       compare_map<&CompareResults::difference>},
      {"bench_apart", page, "apart", "the five pairs with the largest |A − B|", compare_apart},
      {"bench_similarity", page, "similarity", "cosine of the maps", compare_similarity},
      {"bench_roles", page, "roles", "mean weight on five common targets", compare_roles},
      {"bench_role_b", page, "roles", "the same of head B", compare_role_b},
      {"bench_uniform", page, "roles", "the same targets of uniform attention over the allowed keys",
       compare_uniform},
      {"bench_effects", page, "off", "change of the output without each head", compare_effects},
      {"bench_tokens", page, "off", "change of each token’s output without the heads that are off",
       compare_tokens_change},
  };
}

}  // namespace headlight::scene
