// The quantities of the page: its numbers by name.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "pages/compare/compare.h"
#include "pages/quantity_values.h"
#include "scene/map_scale.h"
#include "scene/model_answers.h"
#include "scene/settings.h"
#include "scene/shown.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;

using S = const QuantitySource&;

double role(Q q, S s, double nn::HeadRoles::*member) {
  const CompareResults* r = s.own<CompareResults>();
  const int head = head_of(q, s);
  return r && head >= 0 && static_cast<std::size_t>(head) < r->roles.size()
             ? r->roles[static_cast<std::size_t>(head)].*member
             : no_value;
}

/// The end of the colour scale of all three maps.
double limit(S s) {
  const CompareResults* r = s.own<CompareResults>();
  if (!r || r->map_b.empty()) return no_value;
  return static_cast<double>(
      weight_scale(s.scene, std::max(r->map_b.rows(), r->map_b.cols()), r->counts).end);
}

/// Mean weight on the key at this offset, over the queries that have one; NaN when none has.
double weight_at_offset(const nn::AttentionTrace& t, int head, int offset) {
  if (head < 0 || head >= t.weights.depth() || t.T != t.S || std::abs(offset) >= t.T) return no_value;
  double sum = 0;
  const int first = std::max(0, -offset), end = t.T - std::max(0, offset);
  for (int q = first; q < end; ++q) sum += static_cast<double>(t.weights.at(head, q, q + offset));
  return sum / (end - first);
}

constexpr int nearest_offsets = 4;

template <class Pick>
double of_pair(S s, Pick pick) {
  const auto* r = s.own<CompareResults>();
  return r ? static_cast<double>(pick(*r)) : no_value;
}

/// A number of the pair with this rank among those that differ most.
template <class Pick>
double of_apart(Q q, S s, Pick pick) {
  const auto* r = s.own<CompareResults>();
  const int place = q.number("rank", 1) - 1;
  return r && place >= 0 && static_cast<std::size_t>(place) < r->apart.size()
             ? static_cast<double>(pick(r->apart[static_cast<std::size_t>(place)]))
             : no_value;
}

// name, label, how it is written, arguments, what it is, value, unit
constexpr QuantityInfo list[] = {
    {"previous", "Mean weight on the previous key", decimals(3), "head",
     "mean weight on the key just before the query",
     [](Q q, S s) { return role(q, s, &nn::HeadRoles::previous); }},
    {"previous_even", "Mean weight on the previous key, uniform attention", decimals(3), "",
     "mean weight on the key just before the query with uniform attention over the allowed keys",
     [](Q, S s) {
       const nn::AttentionTrace& t = trace(s);
       const auto* r = s.own<CompareResults>();
       if (!r || r->layered() || t.T < 2) return no_value;
       double sum = 0;
       int queries = 0;
       for (int q = 1; q < t.T; ++q) {
         const base::Interval keys = t.allowed[static_cast<std::size_t>(q)];
         if (keys.end <= keys.begin) continue;  // it attends to no key
         ++queries;
         if (keys.begin <= q - 1 && q - 1 < keys.end) sum += 1.0 / (keys.end - keys.begin);
       }
       return queries > 0 ? sum / queries : no_value;
     }},
    {"next", "Mean weight on the next key", decimals(3), "head",
     "mean weight on the key just after the query",
     [](Q q, S s) { return role(q, s, &nn::HeadRoles::next); }},
    {"first", "Mean weight on the first key", decimals(3), "head", "mean weight on the first key",
     [](Q q, S s) { return role(q, s, &nn::HeadRoles::first); }},
    {"itself", "Mean weight on the query’s own position", decimals(3), "head",
     "mean weight on the query’s own position",
     [](Q q, S s) { return role(q, s, &nn::HeadRoles::diagonal); }},
    {"same_token", "Mean weight on the same token", decimals(3), "head",
     "mean weight on other occurrences of the query’s token",
     [](Q q, S s) { return role(q, s, &nn::HeadRoles::same_token); }},
    {"offset_weight", "Mean weight at an offset", decimals(3), "head offset",
     "mean weight on the key at an offset, key − query, over the queries that have such a key",
     [](Q q, S s) {
       const auto* r = s.own<CompareResults>();
       return r ? weight_at_offset(r->layer_of_a(trace(s)), head_of(q, s), q.number("offset", 0)) : no_value;
     }},
    {"best_offset", "Offset with the largest mean weight", whole_form, "head",
     "the offset, key − query, from −4 to 4 with the largest mean weight",
     [](Q q, S s) {
       const auto* r = s.own<CompareResults>();
       if (!r) return no_value;
       double best = no_value, largest = -1;
       for (int offset = -nearest_offsets; offset <= nearest_offsets; ++offset) {
         const double weight = weight_at_offset(r->layer_of_a(trace(s)), head_of(q, s), offset);
         if (weight > largest) largest = weight, best = offset;
       }
       return best;
     }},
    {"similarity", "Cosine of two heads’ maps", decimals(2), "a b",
     "cosine of the angle between the maps of two heads",
     [](Q q, S s) {
       const auto* r = s.own<CompareResults>();
       return r ? element(r->similarity, q.number("a", 1) - 1, q.number("b", 2) - 1) : no_value;
     }},
    {"effect", "Relative change without a head", decimals(3), "head",
     "norm of the change of the output without a head, relative to the norm of the output, b_O included",
     [](Q q, S s) {
       const int head = head_of(q, s);
       const auto* r = s.own<CompareResults>();
       return r && head >= 0 && static_cast<std::size_t>(head) < r->effects.size()
                  ? r->effects[static_cast<std::size_t>(head)].share
                  : no_value;
     }},
    {"bench_change", "Relative change without the heads that are off", decimals(3), "",
     "norm of the change of the output without the heads that are off, relative to its norm",
     [](Q, S s) {
       const auto* r = s.own<CompareResults>();
       return r ? r->share : no_value;
     }},
    {"heads_off", "Heads that are off", whole_form, "", "heads that are switched off",
     [](Q, S s) {
       const CompareResults* r = s.own<CompareResults>();
       return r ? double(std::count(r->on.begin(), r->on.end(), 0)) : no_value;
     }},
    {"bench_cosine", "Cosine of the maps of A and B", decimals(2), "",
     "cosine of the angle between the maps of the two heads that are compared",
     [](Q, S s) { return of_pair(s, [](auto& r) { return r.cosine; }); }},
    {"bench_difference", "Largest |A − B|", weight_form(3), "",
     "largest difference between the weights of the two heads that are compared",
     [](Q, S s) { return of_pair(s, [](auto& r) { return r.largest; }); }},
    {"bench_map_limit", "Upper end of the colour scale of A and B", compact_form, "",
     "the weight at which the colour scale of A and B ends", [](Q, S s) { return limit(s); }},
    {"bench_difference_limit", "Upper end of the colour scale of A − B", compact_form, "",
     "the |A − B| at which the colour scale of A − B ends", [](Q, S s) { return limit(s); }},
    {"bench_difference_query", "Query of the largest |A − B|", whole_form, "",
     "the query of that difference, counted from 0",
     [](Q, S s) { return of_pair(s, [](auto& r) { return r.largest > 0 ? r.largest_query : no_value; }); }},
    {"bench_difference_key", "Key of the largest |A − B|", whole_form, "",
     "the key of that difference, counted from 0",
     [](Q, S s) { return of_pair(s, [](auto& r) { return r.largest > 0 ? r.largest_key : no_value; }); }},
    {"bench_apart", "A − B of a pair that differs most", with_sign(3), "rank",
     "A − B of the pair with this rank by |A − B|, the largest first, up to 5",
     [](Q q, S s) { return of_apart(q, s, [](const PairApart& one) { return one.difference; }); }},
    {"bench_apart_query", "Query of that pair", whole_form, "rank", "its query, counted from 0",
     [](Q q, S s) { return of_apart(q, s, [](const PairApart& one) { return one.query; }); }},
    {"bench_apart_key", "Key of that pair", whole_form, "rank", "its key, counted from 0",
     [](Q q, S s) { return of_apart(q, s, [](const PairApart& one) { return one.key; }); }},
    {"bench_norm", "Change of the output without the heads that are off", decimals(3), "",
     "norm of the change of the output without the heads that are off",
     [](Q, S s) { return of_pair(s, [](auto& r) { return r.change; }); }},
    {"effect_norm", "Change of the output without a head", decimals(3), "head",
     "norm of the change of the output without a head",
     [](Q q, S s) {
       const int head = head_of(q, s);
       const auto* r = s.own<CompareResults>();
       return r && head >= 0 && static_cast<std::size_t>(head) < r->effects.size()
                  ? r->effects[static_cast<std::size_t>(head)].change
                  : no_value;
     }},
};

}  // namespace

std::span<const QuantityInfo> compare_quantities() {
  return list;
}

}  // namespace headlight::scene
