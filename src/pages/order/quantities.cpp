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

using F = const Quantity&;

using S = const QuantitySource&;

double order_part(F f, S s, int which) {
  const OrderResults* r = s.results.order.get();
  return r ? element(r->parts.part[which], head_of(f, s), query_of(f, s), key_of(f, s)) * r->parts.factor
           : no_value;
}

constexpr QuantityInfo list[] = {
    {"order_difference", "", "largest |A(πX) − πA(X)| of the outputs",
     [](F, S s) { return s.results.order ? s.results.order->float32.output : no_value; }},
    {"order_row", "seat", "the same for the token in one seat",
     [](F f, S s) {
       return s.results.order ? entry(s.results.order->float32.rows, f.number("seat", 0)) : no_value;
     }},
    {"order_weights", "", "the same of the weights",
     [](F, S s) { return s.results.order ? s.results.order->float32.weights : no_value; }},
    {"order_largest", "", "the largest output, to compare with",
     [](F, S s) { return s.results.order ? s.results.order->float32.largest : no_value; }},
    {"order_moved", "", "tokens that are not in their own seat",
     [](F, S s) {
       if (!s.results.order) return no_value;
       int moved = 0;
       for (int seat = 0; seat < s.results.order->tokens; ++seat)
         moved += s.results.order->order[static_cast<std::size_t>(seat)] != seat ? 1 : 0;
       return static_cast<double>(moved);
     }},
    {"order_count", "token", "how often the token that stands at this place occurs in the sentence",
     [](F f, S s) {
       if (!s.results.order) return no_value;
       for (const auto& count : s.results.order->bag)
         if (count.token == f.number("token", 0)) return static_cast<double>(count.original);
       return no_value;
     }},
    {"order_xx", "head query key", "part of a score: content with content",
     [](F f, S s) { return order_part(f, s, 0); }},
    {"order_xp", "head query key", "the query's content with the key's position",
     [](F f, S s) { return order_part(f, s, 1); }},
    {"order_px", "head query key", "the query's position with the key's content",
     [](F f, S s) { return order_part(f, s, 2); }},
    {"order_pp", "head query key", "position with position", [](F f, S s) { return order_part(f, s, 3); }},
    {"order_rotation", "head query key", "what a rotation (RoPE) changes; only with a model that has one",
     [](F f, S s) { return order_part(f, s, 4); }},
};

}  // namespace

std::span<const QuantityInfo> order_quantities() {
  return list;
}

}  // namespace headlight::scene
