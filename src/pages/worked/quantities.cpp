// The quantities of the page: its numbers by name.
#include <algorithm>
#include <cmath>

#include "pages/quantity_values.h"
#include "pages/worked/worked.h"

namespace headlight::scene {

namespace {

using F = const Quantity&;

using S = const QuantitySource&;

/// An element of one of the worked example's matrices.
template <class Pick>
double worked(F f, S s, Pick pick) {
  const WorkedResults* r = s.results.worked.get();
  if (!r || !r->problem.empty()) return no_value;
  return element(pick(*r), 0, f.number("row", s.scene.worked.row), f.number("col", s.scene.worked.col));
}

constexpr QuantityInfo list[] = {
    {"worked_x", "row col", "the input",
     [](F f, S s) {
       return worked(
           f, s, [](auto& r) -> auto& { return r.x; });
     }},
    {"worked_q", "row col", "a query",
     [](F f, S s) {
       return worked(
           f, s, [](auto& r) -> auto& { return r.trace.q; });
     }},
    {"worked_k", "row col", "a key",
     [](F f, S s) {
       return worked(
           f, s, [](auto& r) -> auto& { return r.trace.k; });
     }},
    {"worked_v", "row col", "a value",
     [](F f, S s) {
       return worked(
           f, s, [](auto& r) -> auto& { return r.trace.v; });
     }},
    {"worked_product", "row col", "q·k",
     [](F f, S s) {
       return worked(
           f, s, [](auto& r) -> auto& { return r.products; });
     }},
    {"worked_score", "row col", "q·k, divided by √d_k where that is on",
     [](F f, S s) {
       return worked(
           f, s, [](auto& r) -> auto& { return r.trace.scores; });
     }},
    {"worked_exponential", "row col", "e to the score, the numerator of the weight",
     [](F f, S s) {
       return std::exp(worked(
           f, s, [](auto& r) -> auto& { return r.trace.scores; }));
     }},
    {"worked_exponentials", "row", "the sum of a row of them, the denominator",
     [](F f, S s) {
       const WorkedResults* r = s.results.worked.get();
       if (!r || !r->problem.empty()) return no_value;
       double sum = 0;
       for (int c = 0; c < r->trace.S; ++c)
         sum += std::exp(element(r->trace.scores, f.number("row", s.scene.worked.row), c));
       return sum;
     }},
    {"worked_weight", "row col", "attention weight",
     [](F f, S s) {
       return worked(
           f, s, [](auto& r) -> auto& { return r.trace.weights; });
     }},
    {"worked_output", "row col", "an element of the output",
     [](F f, S s) {
       return worked(
           f, s, [](auto& r) -> auto& { return r.trace.output; });
     }},
    {"worked_row_sum", "row", "the sum of a row of weights",
     [](F f, S s) {
       const WorkedResults* r = s.results.worked.get();
       if (!r) return no_value;
       double sum = 0;
       for (int c = 0; c < r->trace.S; ++c)
         sum += element(r->trace.weights, f.number("row", s.scene.worked.row), c);
       return sum;
     }},
    {"worked_soft", "row col", "weight of the soft dictionary, at its own temperature",
     [](F f, S s) {
       return worked(
           f, s, [](auto& r) -> auto& { return r.soft; });
     }},
    {"worked_soft_value", "row col", "what the soft dictionary answers",
     [](F f, S s) {
       return worked(
           f, s, [](auto& r) -> auto& { return r.soft_value; });
     }},
    {"worked_exact", "row", "the first key that equals the query, counted from 0; −1: there is none",
     [](F f, S s) {
       return s.results.worked ? entry(s.results.worked->exact, f.number("row", s.scene.worked.row))
                               : no_value;
     }},
    {"worked_sqrt_d_k", "", "√d_k",
     [](F, S s) { return s.results.worked ? s.results.worked->sqrt_d_k : no_value; }},
    {"worked_tokens", "", "rows of X",
     [](F, S s) { return s.results.worked ? double(s.results.worked->x.rows()) : no_value; }},
};

}  // namespace

std::span<const QuantityInfo> worked_quantities() {
  return list;
}

}  // namespace headlight::scene
