// The quantities of the page: its numbers by name.
#include <algorithm>
#include <cmath>

#include "pages/quantity_values.h"
#include "pages/variants/variants.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;

using S = const QuantitySource&;

const VariantSideResults* side(Q q, S s) {
  const VariantsResults* r = s.own<VariantsResults>();
  if (!r) return nullptr;
  const VariantSideResults& chosen = q.word("side", "a") == "b" ? r->b : r->a;
  return chosen.error.empty() ? &chosen : nullptr;
}

template <class Pick>
double of_side(Q q, S s, Pick pick) {
  const VariantSideResults* chosen = side(q, s);
  return chosen ? static_cast<double>(pick(*chosen)) : no_value;
}

template <class Pick>
double of_width(Q q, S s, Pick pick) {
  const auto* r = s.own<VariantsResults>();
  if (!r) return no_value;
  for (const DotProducts& dots : r->dots) {
    if (dots.d_k == q.number("d", 1)) return pick(dots);
  }
  return no_value;
}

template <class Pick>
double of_variants(S s, Pick pick) {
  const auto* r = s.own<VariantsResults>();
  return r ? static_cast<double>(pick(*r)) : no_value;
}

/// A number of A − B; NaN unless both are computed.
template <class Pick>
double of_difference(S s, Pick pick) {
  const VariantsResults* r = s.own<VariantsResults>();
  return r && !r->difference.weights.empty() ? pick(r->difference) : no_value;
}

const BatchSentence* sentence(Q q, S s) {
  const VariantsResults* r = s.own<VariantsResults>();
  const int n = q.number("sentence", 1) - 1;
  return r && n >= 0 && static_cast<std::size_t>(n) < r->batch.size() ? &r->batch[static_cast<std::size_t>(n)]
                                                                      : nullptr;
}

/// The largest residual over the steps of decoding.
double decoding(S s, double Decoding::Step::*member) {
  const VariantsResults* r = s.own<VariantsResults>();
  if (!r || r->decoding.steps.empty()) return no_value;
  double worst = 0;
  for (const Decoding::Step& step : r->decoding.steps) worst = std::max(worst, step.*member);
  return worst;
}

// name, label, how it is written, arguments, what it is, value, unit
constexpr QuantityInfo list[] = {
    {"variant_weight", "Attention weight", weight_form(3), "side query key", "a weight of A or B",
     [](Q q, S s) {
       const auto* chosen = side(q, s);
       return chosen ? element(chosen->weights, q.number("query", 0), q.number("key", 0)) : no_value;
     }},
    {"variant_entropy", "Mean entropy of a row", decimals(2), "side",
     "mean entropy of the rows of A or B, in bits",
     [](Q q, S s) { return of_side(q, s, [](auto& r) { return r.entropy_bits; }); }, "bits"},
    {"variant_largest", "Largest weight", weight_form(3), "side", "the largest weight of A or B",
     [](Q q, S s) { return of_side(q, s, [](auto& r) { return r.largest; }); }},
    {"variant_variance", "Variance of the scores", decimals(2), "side", "variance of the scores of A or B",
     [](Q q, S s) { return of_side(q, s, [](auto& r) { return r.score_variance; }); }},
    {"variant_pairs", "Allowed pairs", whole_form, "side", "pairs that the mask of A or B allows",
     [](Q q, S s) { return of_side(q, s, [](auto& r) { return r.allowed; }); }},
    {"variant_bias", "Bias of a score", decimals(3), "side query key", "bias that A or B adds to a score",
     [](Q q, S s) {
       const auto* chosen = side(q, s);
       return chosen ? element(chosen->bias, q.number("query", 0), q.number("key", 0)) : no_value;
     }},
    {"variant_by_distance", "Bias by distance", decimals(3), "side query distance",
     "Shaw: number that a query of A or B adds to the score of a key at a distance; clipped to ± the clip "
     "distance",
     [](Q q, S s) {
       const auto* chosen = side(q, s);
       if (!chosen || chosen->clip == 0) return no_value;
       const int column = std::clamp(q.number("distance", 0), -chosen->clip, chosen->clip) + chosen->clip;
       return element(chosen->by_clipped, q.number("query", 0), column);
     }},
    {"variant_slope", "ALiBi slope", significant(4), "side head", "ALiBi’s slope of a head",
     [](Q q, S s) {
       const auto* chosen = side(q, s);
       return chosen ? entry(chosen->slopes, q.number("head", s.scene.variants.head) - 1) : no_value;
     }},
    {"variant_shift", "Largest change of a score by the shift", significant(3), "side",
     "largest change of a score when the sentence is shifted",
     [](Q q, S s) { return of_side(q, s, [](auto& r) { return r.shift.score_change; }); }},
    {"variant_shift_weight", "Largest change of a weight by the shift", significant(2), "side",
     "largest change of a weight when the sentence is shifted",
     [](Q q, S s) { return of_side(q, s, [](auto& r) { return r.shift.weight_change; }); }},
    {"variant_moved", "Share of a row’s weight that moves from A to B", percent(1), "",
     "share of a row’s weight that moves from A to B, mean over the rows",
     [](Q, S s) { return of_difference(s, [](auto& d) { return d.moved; }); }},
    {"variant_difference", "Largest difference between the weights of A and B", weight_form(3), "",
     "the largest difference between the weights of A and B",
     [](Q, S s) { return of_difference(s, [](auto& d) { return d.largest; }); }},
    {"dots_variance", "Variance of q·k", significant(3), "d", "variance of q·k of random vectors of width d",
     [](Q q, S s) { return of_width(q, s, [](auto& r) { return r.variance; }); }},
    {"dots_scaled_variance", "Variance of q·k ÷ √d", significant(3), "d", "the same after division by √d",
     [](Q q, S s) { return of_width(q, s, [](auto& r) { return r.scaled_variance; }); }},
    {"dots_largest", "Mean largest weight", decimals(3), "d",
     "mean largest weight of their softmax over 8 keys",
     [](Q q, S s) { return of_width(q, s, [](auto& r) { return r.raw.largest; }); }},
    {"dots_scaled_largest", "Mean largest weight after ÷ √d", decimals(3), "d",
     "the same after division by √d",
     [](Q q, S s) { return of_width(q, s, [](auto& r) { return r.scaled.largest; }); }},
    {"dots_gradient", "Mean gradient of the softmax", significant(3), "d",
     "mean norm of the softmax’s gradient",
     [](Q q, S s) { return of_width(q, s, [](auto& r) { return r.raw.gradient; }); }},
    {"dots_scaled_gradient", "Mean gradient of the softmax after ÷ √d", significant(3), "d",
     "the same after division by √d",
     [](Q q, S s) { return of_width(q, s, [](auto& r) { return r.scaled.gradient; }); }},
    {"dots_entropy", "Mean entropy of their softmax", decimals(3), "d",
     "mean entropy of their softmax over 8 keys",
     [](Q q, S s) { return of_width(q, s, [](auto& r) { return r.raw.entropy_bits; }); }, "bits"},
    {"dots_scaled_entropy", "Mean entropy of their softmax after ÷ √d", decimals(3), "d",
     "the same after division by √d",
     [](Q q, S s) { return of_width(q, s, [](auto& r) { return r.scaled.entropy_bits; }); }, "bits"},
    {"batch_length", "Tokens before padding", whole_form, "sentence",
     "tokens before padding of sentence 1 or 2 of the batch",
     [](Q q, S s) { return sentence(q, s) ? double(sentence(q, s)->length) : no_value; }},
    {"batch_pad_share", "Share of a row on padding without the mask", percent(1), "sentence",
     "share of a row’s weight on padding without the mask",
     [](Q q, S s) { return sentence(q, s) ? sentence(q, s)->pad_share : no_value; }},
    {"batch_residual", "Largest difference from the sentence alone", rounding_form, "sentence",
     "largest difference between a row in the batch and the sentence alone",
     [](Q q, S s) { return sentence(q, s) ? sentence(q, s)->residual : no_value; }},
    {"cross_queries", "Queries of cross-attention", whole_form, "", "queries of cross-attention",
     [](Q, S s) { return of_variants(s, [](auto& r) { return r.cross.queries.size(); }); }},
    {"cross_keys", "Keys of cross-attention", whole_form, "", "keys of cross-attention",
     [](Q, S s) { return of_variants(s, [](auto& r) { return r.cross.keys.size(); }); }},
    {"cross_unknown", "Unknown keys of cross-attention", whole_form, "",
     "keys of cross-attention that are not in the model’s vocabulary; the model treats them as one token",
     [](Q, S s) { return of_variants(s, [](auto& r) { return r.cross.unknown; }); }},
    {"cross_weight", "Weight of cross-attention", weight_form(3), "query key", "a weight of cross-attention",
     [](Q q, S s) {
       const auto* r = s.own<VariantsResults>();
       return r ? element(r->cross.weights, q.number("query", 0), q.number("key", 0)) : no_value;
     }},
    {"decoding_residual", "Largest difference, token by token", rounding_form, "",
     "largest difference between decoding one token at a time and the whole sentence at once",
     [](Q, S s) { return decoding(s, &Decoding::Step::context_residual); }},
    {"decoding_forgotten", "Largest difference if the position stays 0", significant(3), "",
     "the same if the position stays 0",
     [](Q, S s) { return decoding(s, &Decoding::Step::forgotten_residual); }},
    {"variant_difference_query", "Query of the largest difference", whole_form, "",
     "the query of that difference, counted from 0",
     [](Q, S s) {
       return of_variants(
           s, [](auto& r) { return r.difference.query < 0 ? no_value : double(r.difference.query); });
     }},
    {"variant_difference_key", "Key of the largest difference", whole_form, "",
     "the key of that difference, counted from 0",
     [](Q, S s) {
       return of_variants(s,
                          [](auto& r) { return r.difference.key < 0 ? no_value : double(r.difference.key); });
     }},
    {"cross_entropy", "Mean entropy of cross-attention", decimals(2), "",
     "mean entropy of a row of cross-attention",
     [](Q, S s) {
       return of_variants(s,
                          [](auto& r) { return r.cross.weights.empty() ? no_value : r.cross.entropy_bits; });
     },
     "bits"},
    {"cross_most_entropy", "Entropy of uniform cross-attention", decimals(2), "",
     "log₂ of the number of keys of cross-attention: the largest possible entropy of a row",
     [](Q, S s) {
       return of_variants(s, [](auto& r) {
         return r.cross.weights.empty() ? no_value : std::log2(double(r.cross.weights.cols()));
       });
     },
     "bits"},
    {"decoding_input", "Largest difference of an input row, token by token", rounding_form, "",
     "largest difference between the rows of X one token at a time and all at once",
     [](Q, S s) { return decoding(s, &Decoding::Step::input_residual); }},
};

}  // namespace

std::span<const QuantityInfo> variants_quantities() {
  return list;
}

}  // namespace headlight::scene
