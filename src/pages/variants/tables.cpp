// The tables of the page: the numbers behind its cards.
#include <algorithm>
#include <limits>

#include "pages/table_parts.h"
#include "pages/variants/variants.h"

namespace headlight::scene {

namespace {

enum class Which { a, b };

template <Which which>
const VariantSideResults* side(const TableSource& s) {
  const auto* r = s.own<VariantsResults>();
  if (!r) return nullptr;
  return which == Which::a ? &r->a : &r->b;
}

Names variant_tokens(const TableSource& s) {
  return token_names(s.results.tokens, s.own<VariantsResults>()->T);
}

template <Which which, nn::Matrix VariantSideResults::*member>
MaybeNumbers pairs_of(const TableSource& s) {
  const VariantSideResults* r = side<which>(s);
  if (!r || (r->*member).empty()) return std::nullopt;
  return view(r->*member, {"query", "key"}, {variant_tokens(s), variant_tokens(s)});
}

/// What a side applies: a bias, a table of positions, or angular speeds.
template <Which which>
MaybeNumbers applied(const TableSource& s) {
  const VariantSideResults* r = side<which>(s);
  if (!r) return std::nullopt;
  if (!r->bias.empty()) return pairs_of<which, &VariantSideResults::bias>(s);
  if (!r->p.empty()) return view(r->p, {"position", "column"});
  if (!r->omega.empty()) return own(r->omega, {r->omega.size()}, {"pair"});
  return one_each({{"allowed pairs", static_cast<double>(r->allowed)},
                   {"score variance", r->score_variance},
                   {"entropy in bits", r->entropy_bits}});
}

/// Shaw: what each query adds, by the clipped distance.
template <Which which>
MaybeNumbers clipped(const TableSource& s) {
  const VariantSideResults* r = side<which>(s);
  if (!r || r->by_clipped.empty()) return std::nullopt;
  Names distances;
  for (int distance = -r->clip; distance <= r->clip; ++distance)
    distances.push_back(std::to_string(distance));
  return view(r->by_clipped, {"query", "clipped distance"}, {variant_tokens(s), distances});
}

/// RoPE: the rotation of each pair at each position, in radians, before and after the shift.
template <Which which>
MaybeNumbers turns(const TableSource& s) {
  const VariantSideResults* r = side<which>(s);
  if (!r || r->omega.empty()) return std::nullopt;
  std::vector<double> values;
  for (const int first : {0, r->shift.shift}) {
    for (int position = 0; position < s.own<VariantsResults>()->T; ++position) {
      for (const double omega : r->omega) values.push_back((first + position) * omega);
    }
  }
  return own(std::move(values), {2, count(s.own<VariantsResults>()->T), r->omega.size()},
             {"sentence", "position", "pair"}, {{"as it is", "shifted"}, {}, {}});
}

/// T5: the bias of each bucket.
template <Which which>
MaybeNumbers buckets(const TableSource& s) {
  const VariantSideResults* r = side<which>(s);
  if (!r || r->bucket_bias.empty()) return std::nullopt;
  return own(r->bucket_bias, {r->bucket_bias.size()}, {"bucket"});
}

/// ALiBi: the slope of each head.
template <Which which>
MaybeNumbers slopes(const TableSource& s) {
  const VariantSideResults* r = side<which>(s);
  if (!r || r->slopes.empty()) return std::nullopt;
  return own(r->slopes, {r->slopes.size()}, {"head"});
}

/// Summary numbers of both sides, and of A − B.
MaybeNumbers sides(const TableSource& s) {
  const VariantSideResults *a = side<Which::a>(s), *b = side<Which::b>(s);
  if (!a || !b || !a->error.empty() || !b->error.empty()) return std::nullopt;
  std::vector<double> values;
  const auto add = [&](double of_a, double of_b) { values.insert(values.end(), {of_a, of_b, of_a - of_b}); };
  add(a->entropy_bits, b->entropy_bits);
  add(a->largest, b->largest);
  add(a->score_variance, b->score_variance);
  add(static_cast<double>(a->allowed), static_cast<double>(b->allowed));
  const auto score_change = [](const VariantSideResults& side) {
    return side.shift_error.empty() ? side.shift.score_change : std::numeric_limits<double>::quiet_NaN();
  };
  add(score_change(*a), score_change(*b));
  return own(
      std::move(values), {5, 3}, {"quantity", "side"},
      {{"entropy in bits", "largest weight", "score variance", "allowed pairs", "score change by the shift"},
       {"A", "B", "A − B"}});
}

MaybeNumbers shifts(const TableSource& s) {
  const VariantSideResults *a = side<Which::a>(s), *b = side<Which::b>(s);
  if (!a || !b) return std::nullopt;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Columns out{{"shift", "A: change of the scores", "A: change of the weights", "B: change of the scores",
               "B: change of the weights"},
              {}};
  for (std::size_t i = 0; i < std::max(a->shifts.size(), b->shifts.size()); ++i) {
    const ShiftPoint* of_a = i < a->shifts.size() ? &a->shifts[i] : nullptr;
    const ShiftPoint* of_b = i < b->shifts.size() ? &b->shifts[i] : nullptr;
    out.row((of_a ? of_a : of_b)->shift, of_a ? of_a->score_change : none, of_a ? of_a->weight_change : none,
            of_b ? of_b->score_change : none, of_b ? of_b->weight_change : none);
  }
  return out.take("point");
}

MaybeNumbers dots(const TableSource& s) {
  const auto* r = s.own<VariantsResults>();
  if (!r) return std::nullopt;
  Columns out{{"d_k", "variance of q·k", "variance of q·k / √d_k", "largest weight", "entropy in bits",
               "gradient", "largest weight, scaled", "entropy in bits, scaled", "gradient, scaled"},
              {}};
  for (const DotProducts& d : r->dots)
    out.row(d.d_k, d.variance, d.scaled_variance, d.raw.largest, d.raw.entropy_bits, d.raw.gradient,
            d.scaled.largest, d.scaled.entropy_bits, d.scaled.gradient);
  return out.take("width");
}

MaybeNumbers decoding(const TableSource& s) {
  const auto* r = s.own<VariantsResults>();
  if (!r || r->decoding.steps.empty()) return std::nullopt;
  Columns out{{"input difference", "output difference", "difference with offset 0"}, {}};
  for (const Decoding::Step& step : r->decoding.steps)
    out.row(step.input_residual, step.context_residual, step.forgotten_residual);
  return out.take("token", variant_tokens(s));
}

MaybeNumbers cross(const TableSource& s) {
  const auto* r = s.own<VariantsResults>();
  if (!r || r->cross.weights.empty()) return std::nullopt;
  const CrossAttention& c = r->cross;
  return view(c.weights, {"query", "key"},
              {token_names(c.queries, c.weights.rows()), token_names(c.keys, c.weights.cols())});
}

template <std::size_t which>
MaybeNumbers batch(const TableSource& s) {
  const auto* r = s.own<VariantsResults>();
  if (!r || r->batch.size() <= which) return std::nullopt;
  return view(r->batch[which].weights, {"query", "key"});
}

}  // namespace

std::vector<Table> variants_tables() {
  constexpr Page page = Page::variants;
  using R = VariantSideResults;
  return {
      {"variants_a_weights", page, "a", "weights of A", pairs_of<Which::a, &R::weights>},
      {"variants_a_scores", page, "a", "scores of A, before the mask", pairs_of<Which::a, &R::scores>},
      {"variants_b_weights", page, "b", "weights of B", pairs_of<Which::b, &R::weights>},
      {"variants_b_scores", page, "b", "scores of B, before the mask", pairs_of<Which::b, &R::scores>},
      {"variants_difference", page, "difference", "weights of A minus weights of B",
       [](const TableSource& s) -> MaybeNumbers {
         const auto* r = s.own<VariantsResults>();
         if (!r || r->difference.weights.empty()) return std::nullopt;
         return view(r->difference.weights, {"query", "key"}, {variant_tokens(s), variant_tokens(s)});
       }},
      {"variants_sides", page, "difference",
       "entropy, largest weight, variance of the scores, allowed pairs and score change of A and B", sides},
      {"variants_a_applied", page, "applied-a", "A’s bias, table of positions or angular speeds",
       applied<Which::a>},
      {"variants_b_applied", page, "applied-b", "B’s bias, table of positions or angular speeds",
       applied<Which::b>},
      {"variants_a_clipped", page, "applied-a",
       "number that A’s queries add by clipped distance, with Shaw’s tables", clipped<Which::a>},
      {"variants_b_clipped", page, "applied-b",
       "number that B’s queries add by clipped distance, with Shaw’s tables", clipped<Which::b>},
      {"variants_a_turns", page, "applied-a",
       "angles by which A’s RoPE rotates each pair, and after the shift", turns<Which::a>},
      {"variants_b_turns", page, "applied-b",
       "angles by which B’s RoPE rotates each pair, and after the shift", turns<Which::b>},
      {"variants_a_buckets", page, "applied-a", "bias of each of A’s T5 buckets", buckets<Which::a>},
      {"variants_b_buckets", page, "applied-b", "bias of each of B’s T5 buckets", buckets<Which::b>},
      {"variants_a_slopes", page, "applied-a", "A’s ALiBi slope of each head", slopes<Which::a>},
      {"variants_b_slopes", page, "applied-b", "B’s ALiBi slope of each head", slopes<Which::b>},
      {"variants_shift", page, "shift", "change of scores and weights when the sentence is shifted", shifts},
      {"variants_dots", page, "dots", "q·k of random vectors by their width", dots},
      {"variants_decoding", page, "decoding", "one token at a time, compared with all at once", decoding},
      {"variants_cross", page, "cross", "weights over the second sentence", cross},
      {"variants_batch_1", page, "batch", "weights of the first sentence of the batch", batch<0>},
      {"variants_batch_2", page, "batch", "weights of the second sentence of the batch", batch<1>},
  };
}

}  // namespace headlight::scene
