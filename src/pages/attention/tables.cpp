// The tables of the page: the numbers behind its cards.
#include <algorithm>
#include <cmath>
#include <limits>

#include "nn/attention.h"
#include "nn/explain.h"
#include "nn/positional.h"
#include "pages/table_parts.h"
#include "scene/detail_query.h"
#include "scene/hidden_tokens.h"
#include "scene/layer_input.h"
#include "scene/shown.h"

namespace headlight::scene {

namespace {

Names queries(const TableSource& s) {
  return token_names(s.results.tokens, s.results.attention.T);
}

Names keys(const TableSource& s) {
  return token_names(s.results.tokens_of_keys(), s.results.attention.S);
}

/// [T, H·d] with the heads side by side, to (1, H, T, d).
Numbers by_heads(const nn::Matrix& side_by_side, int heads, int width) {
  const int tokens = side_by_side.rows();
  nn::Matrix numbers(heads, tokens, width);
  for (int h = 0; h < heads; ++h) {
    for (int t = 0; t < tokens; ++t)
      std::copy_n(side_by_side.row(t).data() + count(h) * count(width), width, numbers.row(h, t).data());
  }
  const auto kept = std::make_shared<const nn::Matrix>(std::move(numbers));
  return {io::TensorView<float>{{},
                                {1, count(heads), count(tokens), count(width)},
                                kept->values(),
                                {"layer", "head", "token", "component"}},
          {},
          kept};
}

MaybeNumbers x(const TableSource& s) {
  if (s.results.attention.T == 0 || s.results.x.empty()) return std::nullopt;
  return view(s.results.x, {"token", "column"}, {queries(s), {}});
}

/// [D_in, H·d] to (1, H, D_in, d).
template <nn::Matrix nn::AttentionWeights::*member>
MaybeNumbers projection(const TableSource& s) {
  if (s.results.attention.T == 0 || s.results.opened) return std::nullopt;
  const auto weights = layer_weights(s.results.scene);
  const nn::Matrix& w = (*weights).*member;
  const int heads = s.results.attention.heads;
  Numbers out = by_heads(w, heads, w.cols() / heads);
  std::visit([](auto& tensor) { tensor.axes = {"layer", "head", "row", "column"}; }, out.tensor);
  return out;
}

/// [H·d_v, d_model] as (1, H, d_v, d_model): the rows of a head are contiguous.
MaybeNumbers w_o(const TableSource& s) {
  if (s.results.attention.T == 0 || s.results.opened) return std::nullopt;
  const std::shared_ptr<const nn::AttentionWeights> weights = layer_weights(s.results.scene);
  if (weights->w_o.empty()) return std::nullopt;
  const nn::Matrix& w = weights->w_o;
  const auto heads = count(s.results.attention.heads);
  return Numbers{io::TensorView<float>{{},
                                       {1, heads, count(w.rows()) / heads, count(w.cols())},
                                       w.values(),
                                       {"layer", "head", "row", "column"}},
                 {},
                 weights};
}

MaybeNumbers concatenation(const TableSource& s) {
  if (s.results.attention.T == 0 || s.results.attention.context.empty()) return std::nullopt;
  return view(s.results.attention.context, {"token", "column"}, {queries(s), {}});
}

Numbers by_pairs(const nn::AttentionTrace& trace, std::span<const float> values) {
  return {io::TensorView<float>{{},
                                {1, count(trace.heads), count(trace.T), count(trace.S)},
                                values,
                                {"layer", "head", "query", "key"}},
          {},
          nullptr};
}

template <double nn::HeadSummary::*member>
MaybeNumbers of_heads(const TableSource& s) {
  const bool scores = member == &nn::HeadSummary::score_variance;
  // Without tokens there is no mean.
  if (s.results.attention.T == 0 || (scores && s.results.attention.q.empty())) return std::nullopt;
  std::vector<double> values;
  for (const nn::HeadSummary& head : s.results.heads) values.push_back(head.*member);
  const std::size_t n = values.size();
  return own(std::move(values), {n}, {"head"});
}

MaybeNumbers map(const TableSource& s) {
  return own(map_on_show(s.scene, s.results.attention), {"query", "key"}, {queries(s), keys(s)});
}

MaybeNumbers rows(const TableSource& s) {
  const nn::Matrix all = map_on_show(s.scene, s.results.attention);
  const Pinned there = pinned(s.scene, all.rows(), all.cols());
  if (there.queries.empty()) return std::nullopt;
  nn::Matrix out(static_cast<int>(there.queries.size()), all.cols());
  Names names;
  for (int n = 0; n < out.rows(); ++n) {
    const int query = there.queries[count(n)];
    std::copy_n(all.row(query).data(), all.cols(), out.row(n).data());
    names.push_back(s.results.tokens[count(query)].text);
  }
  return own(std::move(out), {"query", "key"}, {names, keys(s)});
}

/// The share of each row of that map that the filters hide.
MaybeNumbers hidden_shares(const TableSource& s) {
  const HiddenTokens hidden = hidden_tokens(s.scene, s.results);
  if (!hidden.any() && !(s.scene.attention.least_weight > 0)) return std::nullopt;
  const nn::Matrix all = map_on_show(s.scene, s.results.attention);
  std::vector<double> shares;
  for (int query = 0; query < all.rows(); ++query)
    shares.push_back(hidden_share(all.row(query), query, hidden, s.scene.attention.least_weight));
  const std::size_t T = shares.size();
  return own(std::move(shares), {T}, {"query"}, {queries(s)});
}

/// The two rows of the Kernels card by offset; NaN where there is no key.
MaybeNumbers kernels(const TableSource& s) {
  if (!s.results.key_tokens.empty()) return std::nullopt;  // offsets need one line of tokens
  const nn::Matrix all = map_on_show(s.scene, s.results.attention);
  const int T = all.rows(), detail_query = detail_query_of(s.scene, T),
            other = other_query(s.scene, detail_query, T);
  if (other < 0) return std::nullopt;
  std::vector<float> values;
  Names offsets;
  for (int offset = 1 - T; offset < T; ++offset) offsets.push_back(std::to_string(offset));
  for (const int query : {detail_query, other}) {
    for (int offset = 1 - T; offset < T; ++offset) {
      const int key = query + offset;
      values.push_back(key >= 0 && key < T ? all.at(query, key) : std::numeric_limits<float>::quiet_NaN());
    }
  }
  return own(std::move(values), {2, offsets.size()}, {"query", "offset"},
             {{std::to_string(detail_query), std::to_string(other)}, offsets});
}

MaybeNumbers cell(const TableSource& s) {
  const auto trace = explain_pinned(s.scene, s.results);
  if (!trace) return std::nullopt;
  if (!trace->heads.empty()) {  // several heads have only weights
    std::vector<double> weights;
    Names names;
    for (const nn::HeadWeight& one : trace->heads)
      weights.push_back(one.weight), names.push_back("head " + std::to_string(one.head + 1));
    return own(std::move(weights), {names.size()}, {"head"}, {names});
  }
  std::vector<double> values = trace->q;
  values.insert(values.end(), trace->k.begin(), trace->k.end());
  values.insert(values.end(), trace->products.begin(), trace->products.end());
  return own(std::move(values), {3, trace->q.size()}, {"vector", "component"}, {{"q", "k", "q×k"}, {}});
}

/// What that cell adds to the output; not for saved attention or several heads.
MaybeNumbers cell_value(const TableSource& s) {
  const auto trace = explain_pinned(s.scene, s.results);
  if (!trace || trace->weighted_v.empty()) return std::nullopt;
  std::vector<double> values = trace->v;
  values.insert(values.end(), trace->weighted_v.begin(), trace->weighted_v.end());
  return own(std::move(values), {2, trace->v.size()}, {"vector", "component"}, {{"v", "α·v"}, {}});
}

MaybeNumbers arithmetic(const TableSource& s) {
  const auto t = explain_pinned(s.scene, s.results);
  if (!t) return std::nullopt;
  if (!t->heads.empty()) {
    std::vector<std::pair<std::string, double>> all = {
        {"query", t->query}, {"key", t->key}, {"allowed", t->allowed ? 1 : 0}};
    for (const nn::HeadWeight& one : t->heads)
      all.emplace_back("weight of head " + std::to_string(one.head + 1), one.weight);
    if (t->heads.size() == 1) return one_each(std::move(all));  // saved, without q and k
    all.emplace_back(t->largest ? "largest over the heads" : "mean over the heads", t->weight);
    if (t->largest) all.emplace_back("head of the largest", t->head + 1);
    all.emplace_back("the same in float32", static_cast<double>(t->weight_f32));
    all.emplace_back("residual", t->residual);
    return one_each(std::move(all));
  }
  return one_each({{"head", t->head},
                   {"query", t->query},
                   {"key", t->key},
                   {"q·k", t->dot},
                   {"divisor", t->divisor},
                   {"added", t->add},
                   {"score", t->score},
                   {"allowed", t->allowed ? 1 : 0},
                   {"row maximum", t->row_max},
                   {"exponential", t->exponential},
                   {"row sum", t->row_sum},
                   {"weight", t->weight},
                   {"weight in float32", static_cast<double>(t->weight_f32)},
                   {"residual", t->residual},
                   {"share of ‖αv‖", t->share},
                   {"projection on the head’s output", t->projection},
                   {"q·k ÷ divisor", t->dot / t->divisor}});
}

MaybeNumbers scores(const TableSource& s) {
  const nn::AttentionTrace& trace = s.results.attention;
  if (trace.T == 0) return by_pairs(trace, {});
  if (trace.q.empty()) return std::nullopt;
  const auto kept =
      std::make_shared<const nn::Matrix>(nn::attention_scores(trace, s.results.options.pairs, s.parallel));
  Numbers out = by_pairs(trace, kept->values());
  out.keeps = kept;
  return out;
}

}  // namespace

std::vector<Table> attention_tables() {
  constexpr Page page = Page::attention;
  return {
      {"map", page, "map", "the map shown: one head, or several combined", map},
      {"rows", page, "bars", "rows of the pinned queries in that map", rows},
      {"hidden", page, "map", "share of each query’s row that the filters leave out of that map",
       hidden_shares},
      {"kernels", page, "kernels", "two queries’ rows by the offset of the key", kernels},
      {"cell", page, "cell", "the open cell: q, k and their products; for several heads, their weights",
       cell},
      {"cell_value", page, "cell", "the open cell: v and the weighted value α·v", cell_value},
      {"arithmetic", page, "cell", "the open cell, number by number", arithmetic},
      {"weights", page, "heads map bars", "after the softmax",
       [](const TableSource& s) -> MaybeNumbers {
         return by_pairs(s.results.attention, s.results.attention.weights.values());
       }},
      {"scores", page, "map cell", "scaled, before the mask", scores},
      {"q", page, "cell matrices", "queries, head by head",
       [](const TableSource& s) -> MaybeNumbers {
         const nn::AttentionTrace& trace = s.results.attention;
         if (trace.T > 0 && trace.q.empty()) return std::nullopt;
         return by_heads(trace.q, trace.heads, trace.d_k);
       }},
      {"k", page, "cell matrices", "keys, for each query head; shared ones repeated",
       [](const TableSource& s) -> MaybeNumbers {
         const nn::AttentionTrace& trace = s.results.attention;
         if (trace.T > 0 && trace.k.empty()) return std::nullopt;
         return by_heads(trace.k, trace.heads, trace.d_k);
       }},
      {"v", page, "cell matrices", "values, for each query head; shared ones repeated",
       [](const TableSource& s) -> MaybeNumbers {
         const nn::AttentionTrace& trace = s.results.attention;
         if (trace.T > 0 && trace.v.empty()) return std::nullopt;
         return by_heads(trace.v, trace.heads, trace.d_v);
       }},
      {"output", page, "matrices", "of the layer, after W_O",
       [](const TableSource& s) -> MaybeNumbers {
         const nn::Matrix& output = s.results.attention.output;
         if (s.results.attention.T > 0 && output.empty()) return std::nullopt;
         return Numbers{
             io::TensorView<float>{{},
                                   {count(output.rows()),
                                    s.results.opened ? count(output.cols()) : count(s.results.scene.d_model)},
                                   output.values(),
                                   {"row", "column"}},
             {queries(s), {}},
             nullptr};
       }},
      {"x", page, "cell matrices", "input of the layer: content and position", x},
      {"w_q", page, "cell matrices", "projection to the queries, head by head",
       projection<&nn::AttentionWeights::w_q>},
      {"w_k", page, "cell matrices", "projection to the keys, head by head",
       projection<&nn::AttentionWeights::w_k>},
      {"w_v", page, "cell matrices", "projection to the values, head by head",
       projection<&nn::AttentionWeights::w_v>},
      {"w_o", page, "cell matrices", "output projection, rows head by head", w_o},
      {"concatenation", page, "cell matrices", "concatenated heads, before W_O", concatenation},
      {"entropy", page, "heads", "mean entropy of each head’s rows, in bits",
       of_heads<&nn::HeadSummary::entropy_bits>},
      {"score_variance", page, "heads", "of each head’s scaled scores",
       of_heads<&nn::HeadSummary::score_variance>},
  };
}

}  // namespace headlight::scene
