// The tables of the page: the numbers behind its cards.
#include <algorithm>
#include <limits>

#include "pages/head_bench/head_bench.h"
#include "pages/table_parts.h"
#include "tasks/reversal.h"

namespace headlight::scene {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

const BenchResults* bench(const TableSource& s) {
  return s.results.bench.get();
}

/// The layer that head A is in.
const nn::AttentionTrace& bench_trace(const TableSource& s) {
  return bench(s)->layer_of_a(s.results.attention);
}

Names bench_tokens(const TableSource& s) {
  return token_names(s.results.tokens, bench_trace(s).T);
}

Names bench_keys(const TableSource& s) {
  return token_names(s.results.tokens_of_keys(), bench_trace(s).S);
}

MaybeNumbers bench_a(const TableSource& s) {
  if (!bench(s) || bench(s)->map_b.empty()) return std::nullopt;
  const nn::AttentionTrace& trace = bench_trace(s);
  const float* from = trace.weights.plane(bench(s)->a);
  return own(std::vector<float>(from, from + count(trace.T) * count(trace.S)),
             {count(trace.T), count(trace.S)}, {"query", "key"}, {bench_tokens(s), bench_keys(s)});
}

template <nn::Matrix BenchResults::*member>
MaybeNumbers bench_map(const TableSource& s) {
  if (!bench(s) || (bench(s)->*member).empty()) return std::nullopt;
  return view(bench(s)->*member, {"query", "key"}, {bench_tokens(s), bench_keys(s)});
}

MaybeNumbers bench_similarity(const TableSource& s) {
  if (!bench(s) || bench(s)->similarity.empty()) return std::nullopt;
  return view(bench(s)->similarity, {"head of A’s layer", "head of B’s layer"});
}

MaybeNumbers bench_roles(const TableSource& s) {
  if (!bench(s) || bench(s)->roles.empty()) return std::nullopt;
  Columns out{{"previous", "next", "first", "diagonal", "same token"}, {}};
  for (const nn::HeadRoles& r : bench(s)->roles)
    out.row(r.previous, r.next, r.first, r.diagonal, r.same_token);
  return out.take("head");
}

/// What uniform attention has on the same targets: in A's layer, in B's.
MaybeNumbers bench_uniform(const TableSource& s) {
  if (!bench(s) || bench(s)->roles.empty()) return std::nullopt;
  Columns out{{"previous", "next", "first", "diagonal", "same token"}, {}};
  for (const nn::HeadRoles& r : {bench(s)->uniform, bench(s)->uniform_b})
    out.row(r.previous, r.next, r.first, r.diagonal, r.same_token);
  return out.take("layer of A, of B");
}

MaybeNumbers bench_effects(const TableSource& s) {
  if (!bench(s) || bench(s)->effects.empty()) return std::nullopt;
  Columns out{{"change without it", "relative change"}, {}};
  for (const nn::HeadEffect& e : bench(s)->effects) out.row(e.change, e.share);
  return out.take("head");
}

MaybeNumbers bench_tokens_change(const TableSource& s) {
  if (!bench(s) || bench(s)->token_change.empty()) return std::nullopt;
  Columns out{{"change of the output row", "norm of the output row"}, {}};
  for (std::size_t t = 0; t < bench(s)->token_change.size(); ++t)
    out.row(bench(s)->token_change[t], t < bench(s)->token_norm.size() ? bench(s)->token_norm[t] : none);
  return out.take("token", bench_tokens(s));
}

}  // namespace

std::vector<Table> bench_tables() {
  constexpr Page page = Page::bench;
  return {
      {"bench_a", page, "maps", "weights of head A", bench_a},
      {"bench_b", page, "maps", "weights of head B", bench_map<&BenchResults::map_b>},
      {"bench_difference", page, "maps", "weights of A minus weights of B",
       bench_map<&BenchResults::difference>},
      {"bench_similarity", page, "similarity", "cosine of the maps", bench_similarity},
      {"bench_roles", page, "roles", "mean weight on five common targets", bench_roles},
      {"bench_uniform", page, "roles", "the same targets of uniform attention over the allowed keys",
       bench_uniform},
      {"bench_effects", page, "off", "change of the output without each head", bench_effects},
      {"bench_tokens", page, "off", "change of each token’s output without the heads that are off",
       bench_tokens_change},
  };
}

}  // namespace headlight::scene
