// The quantities of the page: its numbers by name.
#include "pages/quantity_values.h"
#include "pages/softmax/softmax.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;
using S = const QuantitySource&;

/// NaN where another page is open.
template <class Pick>
double of_row(S s, Pick pick) {
  const auto* r = s.results.own_as<SoftmaxResults>();
  return r ? pick(*r) : no_value;
}

constexpr QuantityInfo list[] = {
    {"softmax_row_weight", "key", "weight of a score, counted from 0",
     [](Q q, S s) { return of_row(s, [&](auto& r) { return entry(r.row.weights, q.number("key", 0)); }); }},
    {"softmax_exponential", "key", "exp of a score after the largest is taken out",
     [](Q q, S s) {
       return of_row(s, [&](auto& r) { return entry(r.row.exponentials, q.number("key", 0)); });
     }},
    {"softmax_sum", "", "the sum of these exponentials",
     [](Q, S s) { return of_row(s, [](auto& r) { return r.row.sum; }); }},
    {"softmax_entropy", "", "entropy of the weights, in bits",
     [](Q, S s) { return of_row(s, [](auto& r) { return r.row.entropy_bits; }); }, "bits"},
    {"softmax_scores", "", "how many scores there are",
     [](Q, S s) { return of_row(s, [](auto& r) { return double(r.scores.size()); }); }},
};

}  // namespace

std::span<const QuantityInfo> softmax_quantities() {
  return list;
}

}  // namespace headlight::scene
