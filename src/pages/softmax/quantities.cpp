// The quantities of the page: its numbers by name.
#include <algorithm>
#include <cmath>

#include "pages/quantity_values.h"
#include "pages/softmax/softmax.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;
using S = const QuantitySource&;

/// NaN when another page is open.
template <class Pick>
double of_row(S s, Pick pick) {
  const auto* r = s.own<SoftmaxResults>();
  return r ? pick(*r) : no_value;
}

// name, label, how it is written, arguments, what it is, value, unit
constexpr QuantityInfo list[] = {
    {"softmax_row_weight", "Weight", weight_form(3), "key", "weight of a score, counted from 0",
     [](Q q, S s) { return of_row(s, [&](auto& r) { return entry(r.row.weights, q.number("key", 0)); }); }},
    {"softmax_exponential", "Exponential", weight_form(3), "key",
     "exp of a score after the largest is subtracted",
     [](Q q, S s) {
       return of_row(s, [&](auto& r) { return entry(r.row.exponentials, q.number("key", 0)); });
     }},
    {"softmax_sum", "Sum of the exponentials", decimals(3), "", "the sum of these exponentials",
     [](Q, S s) { return of_row(s, [](auto& r) { return r.row.sum; }); }},
    {"softmax_entropy", "Entropy", decimals(3), "", "entropy of the weights, in bits",
     [](Q, S s) { return of_row(s, [](auto& r) { return r.row.entropy_bits; }); }, "bits"},
    {"softmax_scores", "Scores", whole_form, "", "number of scores",
     [](Q, S s) { return of_row(s, [](auto& r) { return double(r.scores.size()); }); }},
    {"softmax_temperature", "Temperature", significant(3), "", "the number that the scores are divided by",
     [](Q, S s) { return of_row(s, [](auto& r) { return r.temperature; }); }},
    {"softmax_maximum", "Largest score divided by the temperature", decimals(3), "",
     "m, which is subtracted before the exponential",
     [](Q, S s) { return of_row(s, [](auto& r) { return r.row.largest; }); }},
    {"softmax_largest", "Largest weight", weight_form(3), "", "the largest weight",
     [](Q, S s) {
       return of_row(s,
                     [](auto& r) { return *std::max_element(r.row.weights.begin(), r.row.weights.end()); });
     }},
    {"softmax_most_entropy", "Entropy of uniform weights", decimals(3), "", "log₂ of the number of scores",
     [](Q, S s) { return of_row(s, [](auto& r) { return std::log2(double(r.scores.size())); }); }, "bits"},
};

}  // namespace

std::span<const QuantityInfo> softmax_quantities() {
  return list;
}

}  // namespace headlight::scene
