// The quantities of the page: its numbers by name.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "pages/order/order.h"
#include "pages/quantity_values.h"
#include "scene/model_answers.h"
#include "scene/settings.h"
#include "scene/shown.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;

using S = const QuantitySource&;

double factor(S s) {
  return written_factor(s.scene.order.divided, *s.own<OrderResults>());
}

double order_part(Q q, S s, int which) {
  const OrderResults* r = s.own<OrderResults>();
  return r ? element(r->parts.part[which], head_of(q, s), query_of(q, s), key_of(q, s)) * factor(s)
           : no_value;
}

double in_double(S s, double OrderResidual::*member) {
  const OrderResults* r = s.own<OrderResults>();
  return r && r->has_double ? r->float64.*member : no_value;
}

bool has_parts(S s) {
  const auto* r = s.own<OrderResults>();
  return r && r->parts.tokens > 0 && s.results.attention.heads > 0;
}

/// The largest |part| of a head.
double largest_part(Q q, S s) {
  const int which = q.number("part", 1) - 1, head = head_of(q, s);
  if (!has_parts(s)) return no_value;
  const OrderParts& parts = s.own<OrderResults>()->parts;
  if (which < 0 || which >= parts.count || head < 0 || head >= parts.part[which].depth()) return no_value;
  double largest = 0;
  for (int i = 0; i < parts.part[which].rows(); ++i) {
    for (const double value : parts.part[which].row(head, i)) largest = std::max(largest, std::abs(value));
  }
  return largest * factor(s);
}

/// The sum of all parts of a score.
double sum_of_parts(Q q, S s) {
  if (!has_parts(s)) return no_value;
  double sum = 0;
  for (int part = 0; part < s.own<OrderResults>()->parts.count; ++part) sum += order_part(q, s, part);
  return sum;
}

/// The shares of the layer, or of the one with shuffled projections.
const PartShares* shares_of(Q q, S s, std::vector<PartShares> OrderParts::*member) {
  const auto* r = s.own<OrderResults>();
  if (!r) return nullptr;
  const std::vector<PartShares>& all = r->parts.*member;
  const int head = head_of(q, s);
  return head >= 0 && static_cast<std::size_t>(head) < all.size() ? &all[static_cast<std::size_t>(head)]
                                                                  : nullptr;
}

double part_share(Q q, S s, std::vector<PartShares> OrderParts::*member) {
  const PartShares* shares = shares_of(q, s, member);
  const int which = q.number("part", 4) - 1;
  return shares && which >= 0 && which < s.own<OrderResults>()->parts.count ? shares->part[which] : no_value;
}

double offset_share(Q q, S s, std::vector<PartShares> OrderParts::*member) {
  const PartShares* shares = shares_of(q, s, member);
  return shares ? shares->by_offset : no_value;
}

double spread(Q q, S s, std::vector<PartShares> OrderParts::*member) {
  const PartShares* shares = shares_of(q, s, member);
  return shares ? shares->variance * factor(s) * factor(s) : no_value;
}

// name, label, how it is written, arguments, what it is, value, unit
constexpr QuantityInfo list[] = {
    {"order_difference", "Largest |A(πX) − πA(X)|, float32", significant(3), "",
     "largest |A(πX) − πA(X)| of the outputs",
     [](Q, S s) {
       const auto* r = s.own<OrderResults>();
       return r ? r->float32.output : no_value;
     }},
    {"order_row", "Largest difference of a row", significant(3), "position",
     "largest difference of the output row at one position",
     [](Q q, S s) {
       const auto* r = s.own<OrderResults>();
       return r ? entry(r->float32.rows, q.number("position", 0)) : no_value;
     }},
    {"order_weights", "Largest difference of the weights, float32", significant(3), "",
     "largest difference of the weights",
     [](Q, S s) {
       const auto* r = s.own<OrderResults>();
       return r ? r->float32.weights : no_value;
     }},
    {"order_largest", "Largest output, float32", significant(3), "", "the largest output, for comparison",
     [](Q, S s) {
       const auto* r = s.own<OrderResults>();
       return r ? r->float32.largest : no_value;
     }},
    {"order_moved", "Permuted tokens", whole_form, "", "tokens that are not at their original position",
     [](Q, S s) {
       const auto* r = s.own<OrderResults>();
       if (!r) return no_value;
       int moved = 0;
       for (int position = 0; position < r->tokens; ++position)
         moved += r->order[static_cast<std::size_t>(position)] != position ? 1 : 0;
       return static_cast<double>(moved);
     }},
    {"order_count", "Occurrences of a token", whole_form, "token",
     "how often the token at this position occurs in the sentence",
     [](Q q, S s) {
       const auto& tokens = s.results.tokens;
       const int token = q.number("token", 0);
       const auto* r = s.own<OrderResults>();
       if (!r || token < 0 || token >= r->tokens) return no_value;
       const auto id_of = [&](int at) { return tokens[static_cast<std::size_t>(at)].id; };
       for (const auto& count : r->bag)
         if (id_of(count.token) == id_of(token)) return static_cast<double>(count.original);
       return no_value;
     }},
    {"order_xx", "Content with content", with_sign(3), "head query key",
     "part of a score, or of q·k with order_divided=false: content with content",
     [](Q q, S s) { return order_part(q, s, 0); }},
    {"order_xp", "Content with position", with_sign(3), "head query key",
     "the query’s content with the key’s position", [](Q q, S s) { return order_part(q, s, 1); }},
    {"order_px", "Position with content", with_sign(3), "head query key",
     "the query’s position with the key’s content", [](Q q, S s) { return order_part(q, s, 2); }},
    {"order_pp", "Position with position", with_sign(3), "head query key", "position with position",
     [](Q q, S s) { return order_part(q, s, 3); }},
    {"order_rotation", "Change by the rotation", with_sign(3), "head query key",
     "change of the score by the rotation (RoPE); only with a model that has one",
     [](Q q, S s) { return order_part(q, s, 4); }},
    {"order_difference_double", "Largest |A(πX) − πA(X)|, float64", significant(3), "",
     "the difference of the outputs in double precision",
     [](Q, S s) { return in_double(s, &OrderResidual::output); }},
    {"order_weights_double", "Largest difference of the weights, float64", significant(3), "",
     "the difference of the weights in double precision",
     [](Q, S s) { return in_double(s, &OrderResidual::weights); }},
    {"order_largest_double", "Largest output, float64", significant(3), "",
     "the largest output in double precision", [](Q, S s) { return in_double(s, &OrderResidual::largest); }},
    {"order_part_largest", "Largest part of a score", significant(4), "part head",
     "largest magnitude of a part: 1 content with content, 2 content with position, 3 position with "
     "content, 4 position with position, 5 rotation",
     largest_part},
    {"order_sum", "Sum of the parts", with_sign(3), "head query key", "the sum of all parts of a score",
     sum_of_parts},
    {"order_score", "Score of the forward pass", with_sign(3), "head query key",
     "the score of the forward pass, or its q·k, to which the parts add up",
     [](Q q, S s) {
       return has_parts(s)
                  ? element(s.own<OrderResults>()->parts.dot, head_of(q, s), query_of(q, s), key_of(q, s)) *
                        factor(s)
                  : no_value;
     }},
    {"order_residual", "Largest error of the sum of the parts", rounding_form, "",
     "largest |sum of the parts − score| over all heads and pairs",
     [](Q, S s) { return has_parts(s) ? s.own<OrderResults>()->parts.residual * factor(s) : no_value; }},
    {"order_pair_residual", "Error of the sum of the parts of a pair", rounding_form, "head query key",
     "|sum of the parts − score| of one pair",
     [](Q q, S s) {
       if (!has_parts(s)) return no_value;
       const double score =
           element(s.own<OrderResults>()->parts.dot, head_of(q, s), query_of(q, s), key_of(q, s)) * factor(s);
       return std::abs(sum_of_parts(q, s) - score);
     }},
    {"order_share", "Difference relative to the largest output", percent(1), "",
     "largest |A(πX) − πA(X)| relative to the largest output",
     [](Q, S s) {
       const auto* r = s.own<OrderResults>();
       return r ? r->float32.output / r->float32.largest : no_value;
     }},
    {"order_part_share", "Share of a part in the variance of the scores", percent(1), "part head",
     "covariance of a part with the scores, relative to the variance of the scores, every row centred; the "
     "parts add up to 1, and one may exceed it. Parts as in order_part_largest; without one: position with "
     "position",
     [](Q q, S s) { return part_share(q, s, &OrderParts::shares); }},
    {"order_variance", "Variance of the scores in a row", significant(3), "head",
     "variance of the scores, or of q·k with order_divided=false, every row centred",
     [](Q q, S s) { return spread(q, s, &OrderParts::shares); }},
    {"order_offset_share", "Share of position with position explained by the offset", percent(1), "head",
     "share of the variance of position with position, every row centred, that the best function of key − "
     "query explains",
     [](Q q, S s) { return offset_share(q, s, &OrderParts::shares); }},
    {"shuffled_part_share", "Share of a part, shuffled projections", percent(1), "part head",
     "order_part_share with the entries of each head’s W_Q and W_K in random places",
     [](Q q, S s) { return part_share(q, s, &OrderParts::shuffled); }},
    {"shuffled_variance", "Variance of the scores in a row, shuffled projections", significant(3), "head",
     "order_variance with the entries of each head’s W_Q and W_K in random places",
     [](Q q, S s) { return spread(q, s, &OrderParts::shuffled); }},
    {"shuffled_offset_share", "Share explained by the offset, shuffled projections", percent(1), "head",
     "order_offset_share with the entries of each head’s W_Q and W_K in random places",
     [](Q q, S s) { return offset_share(q, s, &OrderParts::shuffled); }},
};

}  // namespace

std::span<const QuantityInfo> order_quantities() {
  return list;
}

}  // namespace headlight::scene
