// The quantities of the page: its numbers by name.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "pages/attention/offsets.h"
#include "pages/quantity_values.h"
#include "scene/model_answers.h"
#include "scene/settings.h"
#include "scene/shown.h"

namespace headlight::scene {

namespace {

using F = const Quantity&;

using S = const QuantitySource&;

const nn::AttentionTrace& trace(S s) {
  return s.results.attention;
}

bool has_row(S s, int head, int query) {
  return head >= 0 && head < trace(s).heads && query >= 0 && query < trace(s).T;
}

double dot(S s, int head, int query, int key) {
  if (!has_row(s, head, query) || key < 0 || key >= trace(s).S) return no_value;
  double sum = 0;
  for (int c = 0; c < trace(s).d_k; ++c) {
    sum +=
        static_cast<double>(trace(s).query(head, query)[c]) * static_cast<double>(trace(s).key(head, key)[c]);
  }
  return sum;
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

double summary(F f, S s, double nn::HeadSummary::*member) {
  const int head = head_of(f, s);
  if (head < 0 || static_cast<std::size_t>(head) >= s.results.heads.size()) return no_value;
  const nn::HeadSummary& heads = s.results.heads[static_cast<std::size_t>(head)];
  return heads.largest > 0 ? heads.*member : no_value;  // without a weight there is no distribution
}

double setting(F f, S s) {
  const std::string text = get_field(s.scene, f.word("name", ""));
  if (text == "true" || text == "false") return text == "true" ? 1 : 0;
  const auto number = parse_number(text);
  return number ? number->value : no_value;
}

/// Probability of the word of a key, in what a model answers at a pronoun.
double answer(F f, S s) {
  const int query = query_of(f, s), key = key_of(f, s);
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

constexpr QuantityInfo list[] = {
    {"setting", "name", "a setting of the scene that is a number; on is 1, off is 0", setting},
    {"tokens", "", "tokens of the sentence that are used", [](F, S s) { return double(trace(s).T); },
     "tokens"},
    {"d_k", "", "width of a head", [](F, S s) { return double(trace(s).d_k); }},
    {"weight", "head query key", "attention weight",
     [](F f, S s) { return element(trace(s).weights, head_of(f, s), query_of(f, s), key_of(f, s)); }},
    {"dot", "head query key", "q·k, before any division",
     [](F f, S s) { return dot(s, head_of(f, s), query_of(f, s), key_of(f, s)); }},
    {"score", "head query key", "q·k, divided by √d_k and the temperature; before the mask",
     [](F f, S s) {
       return dot(s, head_of(f, s), query_of(f, s), key_of(f, s)) * static_cast<double>(trace(s).scale);
     }},
    {"row_sum", "head query", "the sum of a row of weights",
     [](F f, S s) {
       const int head = head_of(f, s), query = query_of(f, s);
       double sum = 0;
       for (int k = 0; k < trace(s).S; ++k) sum += element(trace(s).weights, head, query, k);
       return trace(s).S > 0 ? sum : no_value;
     }},
    {"answer", "query key", "probability of the word of a key, in what a pronoun model answers at a query",
     answer},
    {"held_out_right", "",
     "held-out pronoun sentences in which the model answers with the noun that is meant",
     [](F, S s) { return held_out(s, [](auto& m) { return m.right; }); }},
    {"held_out_shown", "layer head", "those in which a head has 0.8 of its weight on that noun",
     [](F f, S s) {
       return held_out(s, [&](auto& m) {
         return element(m.heads, f.number("layer", s.scene.weights_layer) - 1, head_of(f, s));
       });
     }},
    {"held_out_shown_best", "", "the same of the head for which it is most",
     [](F, S s) {
       return held_out(
           s, [](auto& m) { return *std::max_element(m.heads.values().begin(), m.heads.values().end()); });
     }},
    {"held_out_subject", "", "held-out pronoun sentences in which the subject is meant",
     [](F, S s) { return held_out(s, [](auto& m) { return m.subject; }); }},
    {"held_out_nearest", "", "those in which the nearest noun is meant",
     [](F, S s) { return held_out(s, [](auto& m) { return m.nearest; }); }},
    {"strongest", "head query", "the key with the largest weight, counted from 0",
     [](F f, S s) {
       const int head = head_of(f, s), query = query_of(f, s);
       if (!has_row(s, head, query)) return no_value;
       const auto row = trace(s).weights.row(head, query);
       if (!has_weights(row)) return no_value;
       return static_cast<double>(std::max_element(row.begin(), row.end()) - row.begin());
     }},
    {"readable", "query", "keys that the mask leaves to a query",
     [](F f, S s) {
       const int query = query_of(f, s);
       if (!has_row(s, 0, query)) return no_value;
       const base::Interval keys = trace(s).allowed[static_cast<std::size_t>(query)];
       return static_cast<double>(keys.end - keys.begin);
     }},
    {"entropy", "head", "mean entropy of a head's rows, in bit",
     [](F f, S s) { return summary(f, s, &nn::HeadSummary::entropy_bits); }, "bits"},
    {"row_entropy", "head query", "entropy of one row, in bit",
     [](F f, S s) {
       const int head = head_of(f, s), query = query_of(f, s);
       return has_row(s, head, query) && has_weights(trace(s).weights.row(head, query))
                  ? entropy_bits(trace(s).weights.row(head, query).data(), trace(s).S)
                  : no_value;
     },
     "bits"},
    {"largest", "head", "the largest weight of a head",
     [](F f, S s) {
       return over_pairs(s, head_of(f, s), [](double m, double w, int, int) { return std::max(m, w); });
     }},
    {"largest_later", "head", "the largest weight on a key that comes after its query",
     [](F f, S s) {
       return over_pairs(s, head_of(f, s),
                         [](double m, double w, int q, int k) { return k > q ? std::max(m, w) : m; });
     }},
    {"score_variance", "head", "variance of the scores over the pairs that are not masked",
     [](F f, S s) { return summary(f, s, &nn::HeadSummary::score_variance); }},
    {"map_difference", "a b", "largest difference between the weights of two heads",
     [](F f, S s) { return map_difference(s, f.number("a", 1) - 1, f.number("b", 2) - 1); }},
    {"output", "token col", "an element of the output",
     [](F f, S s) { return element(trace(s).output, f.number("token", 0), f.number("col", 0)); }},
    {"output_width", "", "numbers in an output row", [](F, S s) { return double(trace(s).output.cols()); }},
    {"output_rows", "", "rows of the output, one for each token",
     [](F, S s) { return double(trace(s).output.rows()); }},
    {"output_difference", "a b", "largest difference between the output rows of two tokens",
     [](F f, S s) { return row_difference(trace(s).output, f.number("a", 0), f.number("b", 1)); }},
    {"input_width", "", "numbers in an input row, positions included",
     [](F, S s) { return double(s.results.x.cols()); }},
    {"input_difference", "a b", "the same of the input rows, positions included",
     [](F f, S s) { return row_difference(s.results.x, f.number("a", 0), f.number("b", 1)); }},
    {"kernel_difference", "query other",
     "largest difference between the weights of two queries at the same offset, in the head on show",
     [](F f, S s) {
       const nn::AttentionTrace& t = trace(s);
       const int i = f.number("query", asked_query(s.scene, t.T)),
                 j = f.number("other", other_query(s.scene, i, t.T)), head = head_of(f, s);
       if (i < 0 || j < 0 || i >= t.T || j >= t.T || head < 0 || head >= t.heads) return no_value;
       return kernel_difference(t.weights.row(head, i), i, t.weights.row(head, j), j).difference;
     }},
};

}  // namespace

std::span<const QuantityInfo> attention_quantities() {
  return list;
}

}  // namespace headlight::scene
