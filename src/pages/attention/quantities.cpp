// The quantities of the page: its numbers by name.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "pages/attention/offsets.h"
#include "pages/quantity_values.h"
#include "scene/detail_query.h"
#include "scene/hidden_tokens.h"
#include "scene/map_scale.h"
#include "scene/marginals.h"
#include "scene/model_answers.h"
#include "scene/settings.h"
#include "scene/shown.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;

using S = const QuantitySource&;

bool has_row(S s, int head, int query) {
  return head >= 0 && head < trace(s).heads && query >= 0 && query < trace(s).T;
}

/// fold(weight, query, key) over all pairs of a head.
template <class Fold>
double over_pairs(S s, int head, Fold fold) {
  if (!has_row(s, head, 0)) return no_value;
  double out = 0;
  for (int q = 0; q < trace(s).T; ++q) {
    for (int k = 0; k < trace(s).S; ++k)
      out = fold(out, static_cast<double>(trace(s).weights.at(head, q, k)), q, k);
  }
  return out;
}

double map_difference(S s, int a, int b) {
  if (!has_row(s, a, 0) || !has_row(s, b, 0)) return no_value;
  return over_pairs(s, a, [&](double worst, double w, int q, int k) {
    return std::max(worst, std::abs(w - static_cast<double>(trace(s).weights.at(b, q, k))));
  });
}

template <class E>
double summary(Q q, S s, E nn::HeadSummary::*member) {
  const int head = head_of(q, s);
  if (head < 0 || static_cast<std::size_t>(head) >= s.results.heads.size()) return no_value;
  const nn::HeadSummary& heads = s.results.heads[static_cast<std::size_t>(head)];
  return heads.largest > 0 ? static_cast<double>(heads.*member)
                           : no_value;  // there is no distribution without weights
}

/// A number of the arithmetic of one head's weight: pick(cell) of the opened cell if that is meant, else of a
/// cell that is computed for it. NaN outside.
template <class Pick>
double arithmetic(Q q, S s, Pick pick) {
  const int head = head_of(q, s), query = query_of(q, s), key = key_of(q, s);
  if (!has_row(s, head, query) || key < 0 || key >= trace(s).S || trace(s).q.empty()) return no_value;
  const nn::CellTrace* open = s.cell;
  if (open && open->heads.empty() && open->head == head && open->query == query && open->key == key)
    return static_cast<double>(pick(*open));
  const nn::CellTrace computed = nn::explain_cell(trace(s), s.results.options, head, query, key);
  return static_cast<double>(pick(computed));
}

/// The same for a number that all cells of a row share.
template <class Pick>
double of_row(Q q, S s, Pick pick) {
  const int head = head_of(q, s), query = query_of(q, s);
  if (!has_row(s, head, query) || trace(s).S == 0 || trace(s).q.empty()) return no_value;
  if (s.cell && s.cell->heads.empty() && s.cell->head == head && s.cell->query == query)
    return static_cast<double>(pick(*s.cell));
  const nn::CellTrace computed = nn::explain_cell(trace(s), s.results.options, head, query, 0);
  return static_cast<double>(pick(computed));
}

/// The same for a number that needs v, which saved attention does not have.
template <class Pick>
double of_value(Q q, S s, Pick pick) {
  return trace(s).v.empty() ? no_value : arithmetic(q, s, pick);
}

/// A size; NaN when it is 0 because saved attention does not have it.
double size_or_none(S s, int size) {
  return size == 0 && s.results.opened && s.results.opened->saved ? no_value : double(size);
}

/// A row of the map on show: of one head, or the mean or maximum of several. The same numbers as
/// map_on_show(), without the other rows; empty outside.
std::vector<float> row_on_map(S s, int query) {
  if (!has_row(s, 0, query)) return {};
  const bool largest = s.scene.combine == Combine::max;
  const std::vector<int> heads = heads_on_show(s.scene, trace(s).heads);
  const nn::Matrix& all = largest ? s.results.max : s.results.mean;
  if (s.scene.head.empty() && heads.size() > 1 && all.rows() == trace(s).T && all.cols() == trace(s).S)
    return {all.row(query).begin(), all.row(query).end()};
  std::vector<float> room;
  const auto row = combined_row(
      heads, s.scene.combine,
      [&](int head) { return std::span<const float>(trace(s).weights.row(head, query)); }, room);
  return {row.begin(), row.end()};
}

/// Compares two queries' rows of the map on show by offset.
KernelDifference kernels(Q q, S s) {
  const int T = trace(s).T, i = q.number("query", detail_query_of(s.scene, T)),
            j = q.number("other", other_query(s.scene, i, T));
  KernelDifference none;
  none.difference = no_value;
  if (!s.results.key_tokens.empty()) return none;  // offsets need one line of tokens
  const std::vector<float> a = row_on_map(s, i), b = row_on_map(s, j);
  return a.empty() || b.empty() ? none : kernel_difference(a, i, b, j);
}

/// The colour scale of the map on show.
WeightScale scale_shown(S s) {
  const std::vector<int> heads = heads_on_show(s.scene, trace(s).heads);
  return scale_on_show(s.scene, s.results, heads, s.scene.head.empty());
}

Marginals marginals_shown(S s) {
  const std::vector<int> heads = heads_on_show(s.scene, trace(s).heads);
  return marginals_on_show(s.scene, s.results, heads, s.scene.head.empty());
}

/// A count of hidden tokens; NaN when nothing is hidden.
template <class Count>
double hidden_count(S s, Count count) {
  const HiddenTokens hidden = hidden_tokens(s.scene, s.results);
  return hidden.any() && trace(s).T > 0 ? double(count(hidden)) : no_value;
}

double row_hidden(Q q, S s) {
  const HiddenTokens hidden = hidden_tokens(s.scene, s.results);
  const int query = query_of(q, s);
  const std::vector<float> row = row_on_map(s, query);
  if (row.empty() || (!hidden.any() && !(s.scene.attention.least_weight > 0))) return no_value;
  return hidden_share(row, query, hidden, s.scene.attention.least_weight);
}

double setting(Q q, S s) {
  const Setting* named = find_setting(q.word("name", ""));
  if (named == nullptr) return no_value;
  const auto exactly = named->visit(s.scene, [](const auto& value) -> std::optional<double> {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>) return double(value);
    return std::nullopt;
  });
  if (exactly) return *exactly;
  const auto number = parse_number(named->text(s.scene));  // a list with one element
  return number ? number->value : no_value;
}

/// The probability of a key's word in the model's answer at a pronoun.
double answer(Q q, S s) {
  const int query = query_of(q, s), key = key_of(q, s);
  if (key < 0 || static_cast<std::size_t>(key) >= s.results.tokens.size()) return no_value;
  for (const ModelAnswer& one : s.results.answers) {
    if (one.query == query)
      return entry(one.probabilities, s.results.tokens[static_cast<std::size_t>(key)].piece);
  }
  return no_value;
}

template <class Pick>
double held_out(S s, Pick pick) {
  const auto measure = pronoun_measure(s.results.model);
  return measure ? static_cast<double>(pick(*measure)) : no_value;
}

// name, label, how it is written, arguments, what it is, value, unit
constexpr QuantityInfo list[] = {
    {"setting", "Setting", significant(6), "name", "a numeric setting of the scene; on is 1, off is 0",
     setting},
    {"tokens", "Tokens", whole_form, "", "tokens of the sentence that are used",
     [](Q, S s) { return double(trace(s).T); }},
    {"keys", "Keys", whole_form, "",
     "tokens that can be attended to: in cross-attention, those of the other sequence",
     [](Q, S s) { return s.results.key_tokens.empty() ? no_value : double(trace(s).S); }},
    {"d_k", "Head width", whole_form, "", "width of a head",
     [](Q, S s) { return size_or_none(s, trace(s).d_k); }},
    {"weight", "Attention weight", weight_form(3), "head query key", "attention weight",
     [](Q q, S s) { return element(trace(s).weights, head_of(q, s), query_of(q, s), key_of(q, s)); }},
    {"dot", "q·k", decimals(3), "head query key", "q·k, before any division",
     [](Q q, S s) { return arithmetic(q, s, [](auto& c) { return c.dot; }); }},
    {"score", "Score", decimals(3), "head query key",
     "q·k divided by √d_k and the temperature, plus any position bias; before the mask",
     [](Q q, S s) { return arithmetic(q, s, [](auto& c) { return c.score; }); }},
    {"row_sum", "Sum of a row of weights", decimals(3), "head query", "the sum of a row of weights",
     [](Q q, S s) {
       const int head = head_of(q, s), query = query_of(q, s);
       double sum = 0;
       for (int k = 0; k < trace(s).S; ++k) sum += element(trace(s).weights, head, query, k);
       return trace(s).S > 0 ? sum : no_value;
     }},
    {"answer", "Probability of the key’s word", weight_form(3), "query key",
     "probability of a key’s word in a pronoun model’s answer at a query", answer},
    {"held_out_right", "Share of held-out sentences answered with the noun that is meant", percent(0), "",
     "held-out pronoun sentences in which the model answers with the noun that is meant",
     [](Q, S s) { return held_out(s, [](auto& m) { return m.right; }); }},
    {"held_out_shown", "Share of held-out sentences in which a head attends to the noun that is meant",
     percent(0), "layer head",
     "held-out pronoun sentences in which a head assigns at least 0.8 of its weight to the noun that is "
     "meant",
     [](Q q, S s) {
       return held_out(s, [&](auto& m) {
         return element(m.heads, q.number("layer", s.scene.weights_layer) - 1, head_of(q, s));
       });
     }},
    {"held_out_shown_best",
     "Share of held-out sentences in which the best head attends to the noun that is meant", percent(0), "",
     "the same for the head with the largest share",
     [](Q, S s) {
       return held_out(
           s, [](auto& m) { return *std::max_element(m.heads.values().begin(), m.heads.values().end()); });
     }},
    {"held_out_subject", "Share of held-out sentences whose pronoun means the subject", percent(0), "",
     "held-out pronoun sentences in which the subject is meant",
     [](Q, S s) { return held_out(s, [](auto& m) { return m.subject; }); }},
    {"held_out_nearest", "Share of held-out sentences whose pronoun means the nearest noun", percent(0), "",
     "held-out pronoun sentences in which the nearest noun is meant",
     [](Q, S s) { return held_out(s, [](auto& m) { return m.nearest; }); }},
    {"strongest", "Key with the largest weight", whole_form, "head query",
     "the key with the largest weight, counted from 0",
     [](Q q, S s) {
       const int head = head_of(q, s), query = query_of(q, s);
       if (!has_row(s, head, query)) return no_value;
       const auto row = trace(s).weights.row(head, query);
       if (!has_weights(row)) return no_value;
       return static_cast<double>(std::max_element(row.begin(), row.end()) - row.begin());
     }},
    {"readable", "Keys that a query may attend to", whole_form, "query", "keys that a query may attend to",
     [](Q q, S s) {
       const int query = query_of(q, s);
       if (!has_row(s, 0, query)) return no_value;
       const base::Interval keys = trace(s).allowed[static_cast<std::size_t>(query)];
       return static_cast<double>(keys.end - keys.begin);
     }},
    {"entropy", "Mean entropy of a row", decimals(2), "head", "mean entropy of a head’s rows, in bits",
     [](Q q, S s) { return summary(q, s, &nn::HeadSummary::entropy_bits); }, "bits"},
    {"row_entropy", "Entropy of a row", decimals(2), "head query", "entropy of one row, in bits",
     [](Q q, S s) {
       const int head = head_of(q, s), query = query_of(q, s);
       return has_row(s, head, query) && has_weights(trace(s).weights.row(head, query))
                  ? entropy_bits(trace(s).weights.row(head, query).data(), trace(s).S)
                  : no_value;
     },
     "bits"},
    {"largest", "Largest weight", weight_form(3), "head", "the largest weight of a head",
     [](Q q, S s) { return summary(q, s, &nn::HeadSummary::largest); }},
    {"largest_later", "Largest weight on a later key", weight_form(3), "head",
     "the largest weight on a key that comes after its query",
     [](Q q, S s) {
       return over_pairs(s, head_of(q, s),
                         [](double m, double w, int i, int j) { return j > i ? std::max(m, w) : m; });
     }},
    {"score_variance", "Variance of the scores", decimals(3), "head",
     "variance of the scores over the pairs that are not masked",
     [](Q q, S s) { return summary(q, s, &nn::HeadSummary::score_variance); }},
    {"map_difference", "Largest difference between two heads’ weights", decimals(3), "a b",
     "largest difference between the weights of two heads",
     [](Q q, S s) { return map_difference(s, q.number("a", 1) - 1, q.number("b", 2) - 1); }},
    {"output", "Output element", decimals(4), "token col", "an element of the output",
     [](Q q, S s) { return element(trace(s).output, q.number("token", 0), q.number("col", 0)); }},
    {"output_width", "Output width", whole_form, "", "components of an output row",
     [](Q, S s) { return size_or_none(s, trace(s).output.cols()); }},
    {"output_rows", "Output rows", whole_form, "", "rows of the output, one for each token",
     [](Q, S s) { return size_or_none(s, trace(s).output.rows()); }},
    {"output_difference", "Largest difference between two output rows", significant(3), "a b",
     "largest difference between the output rows of two tokens",
     [](Q q, S s) { return row_difference(trace(s).output, q.number("a", 0), q.number("b", 1)); }},
    {"input_width", "Input width", whole_form, "", "components of an input row, positions included",
     [](Q, S s) { return size_or_none(s, s.results.x.cols()); }},
    {"input_difference", "Largest difference between two input rows", significant(3), "a b",
     "largest difference between the input rows of two tokens, positions included",
     [](Q q, S s) { return row_difference(s.results.x, q.number("a", 0), q.number("b", 1)); }},
    {"kernel_difference", "Largest difference at the same offset", weight_form(3), "query other",
     "largest difference between the weights of two queries at the same offset, on the map shown",
     [](Q q, S s) { return static_cast<double>(kernels(q, s).difference); }},
    {"kernel_offset", "Offset of that difference", whole_form, "query other",
     "the offset, key − query, of that difference",
     [](Q q, S s) {
       const KernelDifference most = kernels(q, s);
       return std::isnan(most.difference) ? no_value : double(most.offset);
     }},
    {"map_weight", "Weight on the map", weight_form(4), "query key",
     "weight on the map shown: of one head, or the mean or largest of several",
     [](Q q, S s) { return entry(row_on_map(s, query_of(q, s)), key_of(q, s)); }},
    {"map_row_sum", "Sum of a row of the map", decimals(3), "query", "the sum of a row of the map shown",
     [](Q q, S s) {
       const std::vector<float> row = row_on_map(s, query_of(q, s));
       return row.empty() ? no_value : std::accumulate(row.begin(), row.end(), 0.0);
     }},
    {"map_row_entropy", "Entropy of a row of the map", decimals(2), "query",
     "entropy of a row of the map shown, in bits: 0 where one key has all the weight, log₂ of the number of "
     "keys where all have the same; of one head, or of the mean of all",
     [](Q q, S s) { return entry(marginals_shown(s).entropy_bits, query_of(q, s)); }, "bits"},
    {"hidden_queries", "Hidden queries", whole_form, "", "queries whose rows are not drawn",
     [](Q, S s) { return hidden_count(s, [](auto& hidden) { return hidden.hidden_queries(); }); }},
    {"hidden_keys", "Hidden keys", whole_form, "", "keys whose columns are not drawn",
     [](Q, S s) { return hidden_count(s, [](auto& hidden) { return hidden.hidden_keys(); }); }},
    {"hidden_share", "Share of a row that is not drawn", percent(1), "query",
     "share of the weight of a row that is not drawn: hidden keys and weights below the smallest drawn; all "
     "of it if "
     "the query is hidden",
     row_hidden},
    {"received", "Weight received from all queries", decimals(2), "key",
     "what a key receives from all queries: the sum of its column of the map shown",
     [](Q q, S s) { return entry(marginals_shown(s).received, key_of(q, s)); }},
    {"map_limit", "Upper end of the colour scale", significant(3), "",
     "the weight at which the colour scale of the map shown ends: 1, or on the automatic scale the 99th "
     "percentile, rounded up to 1, 2 or 5 · 10ⁿ",
     [](Q, S s) { return trace(s).T > 0 ? static_cast<double>(scale_shown(s).end) : no_value; }},
    {"map_above", "Share of the weights above the colour scale", percent(1), "",
     "the share of the weights shown that are larger than that; above 128 tokens, weights are grouped and "
     "each "
     "group counts by its largest",
     [](Q, S s) { return trace(s).T > 0 ? scale_shown(s).above : no_value; }},
    {"divisor", "Divisor of the scores", decimals(3), "", "√d_k times the temperature: q·k is divided by it",
     [](Q q, S s) { return of_row(q, s, [](auto& c) { return c.divisor; }); }},
    {"bias", "Bias of a score", decimals(3), "head query key",
     "number that relative positions add to a score (T5, ALiBi)",
     [](Q q, S s) { return arithmetic(q, s, [](auto& c) { return c.add; }); }},
    {"row_maximum", "Row maximum", decimals(3), "head query",
     "the largest score of the keys that a query may attend to",
     [](Q q, S s) { return of_row(q, s, [](auto& c) { return c.row_masked ? no_value : c.row_max; }); }},
    {"exponential", "Exponential of the score", weight_form(3), "head query key", "exp(score − row maximum)",
     [](Q q, S s) { return arithmetic(q, s, [](auto& c) { return c.exponential; }); }},
    {"exponentials", "Sum of a row of exponentials", decimals(3), "head query",
     "the sum of the exponentials of a row, the denominator of its weights",
     [](Q q, S s) { return of_row(q, s, [](auto& c) { return c.row_sum; }); }},
    {"weight_in_double", "Attention weight in double precision", weight_form(3), "head query key",
     "the weight computed in double precision from the float32 q and k",
     [](Q q, S s) { return arithmetic(q, s, [](auto& c) { return c.weight; }); }},
    {"weight_error", "float32 error", significant(2), "head query key",
     "weight in float32 minus weight in double precision",
     [](Q q, S s) { return arithmetic(q, s, [](auto& c) { return c.residual; }); }},
    {"value_share", "Share of ‖αv‖", decimals(3), "head query key",
     "norm of a weighted value as a share of the sum of these norms over the keys",
     [](Q q, S s) { return of_value(q, s, [](auto& c) { return c.share; }); }},
    {"value_projection", "Projection on the head’s output", decimals(3), "head query key",
     "projection of a weighted value on the head’s output, as a share of the output’s norm; the shares of "
     "all keys add up to 1",
     [](Q q, S s) { return of_value(q, s, [](auto& c) { return c.projection; }); }},
};

}  // namespace

std::span<const QuantityInfo> attention_quantities() {
  return list;
}

}  // namespace headlight::scene
