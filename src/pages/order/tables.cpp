// The tables of the page: the numbers behind its cards.
#include <algorithm>
#include <limits>

#include "pages/order/order.h"
#include "pages/table_parts.h"

namespace headlight::scene {

namespace {

Names positions(const TableSource& s) {
  Names out;
  for (const int token : s.own<OrderResults>()->order) out.push_back(s.results.tokens[count(token)].text);
  return out;
}

MaybeNumbers token_order(const TableSource& s) {
  if (!s.own<OrderResults>()) return std::nullopt;
  Columns out{{"token", "change of the output row"}, {}};
  const OrderResults& r = *s.own<OrderResults>();
  for (std::size_t position = 0; position < r.order.size(); ++position)
    out.row(r.order[position], position < r.float32.rows.size() ? r.float32.rows[position] : 0.0);
  return out.take("position", positions(s));
}

MaybeNumbers order_verdict(const TableSource& s) {
  if (!s.own<OrderResults>()) return std::nullopt;
  const OrderResults& r = *s.own<OrderResults>();
  return one_each(
      {{"output, float32", r.float32.output},
       {"weights, float32", r.float32.weights},
       {"largest output", r.float32.largest},
       {"output, double", r.has_double ? r.float64.output : std::numeric_limits<double>::quiet_NaN()},
       {"weights, double", r.has_double ? r.float64.weights : std::numeric_limits<double>::quiet_NaN()}});
}

MaybeNumbers order_parts(const TableSource& s) {
  const auto* r = s.own<OrderResults>();
  if (!r || r->parts.tokens == 0) return std::nullopt;
  const OrderParts& parts = r->parts;
  const double factor = written_factor(s.scene.order.divided, *r);
  std::vector<double> values;
  for (int which = 0; which < parts.count; ++which) {
    for (const double value : parts.part[which].values()) values.push_back(value * factor);
  }
  Names names = {"xx", "xp", "px", "pp", "rotation"};
  names.resize(count(parts.count));
  return own(std::move(values),
             {names.size(), count(parts.part[0].depth()), count(parts.tokens), count(parts.tokens)},
             {"part", "head", "query", "key"}, {names, {}, {}, {}});
}

}  // namespace

std::vector<Table> order_tables() {
  constexpr Page page = Page::order;
  return {
      {"order_positions", page, "token-order", "the token at each position, and the change of its output row",
       token_order},
      {"order_moved", page, "rows", "outputs of the permuted tokens",
       [](const TableSource& s) -> MaybeNumbers {
         const auto* r = s.own<OrderResults>();
         if (!r) return std::nullopt;
         return view(r->moved, {"position", "column"}, {positions(s), {}});
       }},
      {"order_original", page, "rows", "outputs of the tokens in the original order",
       [](const TableSource& s) -> MaybeNumbers {
         const auto* r = s.own<OrderResults>();
         if (!r) return std::nullopt;
         return view(r->original, {"token", "column"}, {token_names(s.results.tokens, r->tokens), {}});
       }},
      {"order_verdict", page, "verdict", "largest differences between A(πX) and πA(X)", order_verdict},
      {"order_parts", page, "parts",
       "scores, or q·k with order_divided=false, split into content and position: xx, xp, px, pp, and the "
       "change by a rotation",
       order_parts},
  };
}

}  // namespace headlight::scene
