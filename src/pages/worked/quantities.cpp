// The quantities of the page: its numbers by name.
#include <algorithm>
#include <cmath>

#include "pages/quantity_values.h"
#include "pages/worked/worked.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;

using S = const QuantitySource&;

/// An element of one of the worked example's matrices; NaN when they are not the scene's.
template <class Pick>
double worked(Q q, S s, Pick pick) {
  const WorkedResults* r = s.own<WorkedResults>();
  if (!r || !r->problem.empty()) return no_value;
  const auto [row, col] = chosen_element(s.scene.worked, *r);
  return element(pick(*r), 0, q.number("row", row), q.number("col", col));
}

// name, label, how it is written, arguments, what it is, value, unit
constexpr QuantityInfo list[] = {
    {"worked_x", "Input element", compact_form, "row col", "the input",
     [](Q q, S s) {
       return worked(
           q, s, [](auto& r) -> auto& { return r.x; });
     }},
    {"worked_q", "Query element", compact_form, "row col", "a query",
     [](Q q, S s) {
       return worked(
           q, s, [](auto& r) -> auto& { return r.trace.q; });
     }},
    {"worked_k", "Key element", compact_form, "row col", "a key",
     [](Q q, S s) {
       return worked(
           q, s, [](auto& r) -> auto& { return r.trace.k; });
     }},
    {"worked_v", "Value element", compact_form, "row col", "a value",
     [](Q q, S s) {
       return worked(
           q, s, [](auto& r) -> auto& { return r.trace.v; });
     }},
    {"worked_product", "q·k", compact_form, "row col", "q·k",
     [](Q q, S s) {
       return worked(
           q, s, [](auto& r) -> auto& { return r.products; });
     }},
    {"worked_score", "Score", compact_form, "row col", "q·k, divided by √d_k if the division is on",
     [](Q q, S s) {
       return worked(
           q, s, [](auto& r) -> auto& { return r.trace.scores; });
     }},
    {"worked_exponential", "Exponential of the score", compact_form, "row col",
     "exp(score), the numerator of the weight",
     [](Q q, S s) {
       return std::exp(worked(
           q, s, [](auto& r) -> auto& { return r.trace.scores; }));
     }},
    {"worked_exponentials", "Sum of a row of exponentials", compact_form, "row",
     "the sum of a row of exponentials, the denominator of the weights",
     [](Q q, S s) {
       const WorkedResults* r = s.own<WorkedResults>();
       if (!r || !r->problem.empty()) return no_value;
       double sum = 0;
       for (int c = 0; c < r->trace.S; ++c)
         sum +=
             std::exp(element(r->trace.scores, q.number("row", chosen_element(s.scene.worked, *r).first), c));
       return sum;
     }},
    {"worked_numerator", "Exponential of the score minus the largest", compact_form, "row col",
     "exp(score − largest score of the row), as the explained weight is computed; 0 for a masked key",
     [](Q q, S s) {
       return worked(
           q, s, [](auto& r) -> auto& { return r.exponentials; });
     }},
    {"worked_denominator", "Sum of a row of these exponentials", compact_form, "row",
     "the sum of a row of worked_numerator, by which each is divided",
     [](Q q, S s) {
       const WorkedResults* r = s.own<WorkedResults>();
       if (!r || !r->problem.empty()) return no_value;
       return element(r->trace.row_sum, 0, q.number("row", chosen_element(s.scene.worked, *r).first));
     }},
    {"worked_weight", "Attention weight", compact_form, "row col", "attention weight",
     [](Q q, S s) {
       return worked(
           q, s, [](auto& r) -> auto& { return r.trace.weights; });
     }},
    {"worked_output", "Output element", compact_form, "row col", "an element of the output",
     [](Q q, S s) {
       return worked(
           q, s, [](auto& r) -> auto& { return r.trace.output; });
     }},
    {"worked_row_sum", "Sum of a row of weights", decimals(3), "row", "the sum of a row of weights",
     [](Q q, S s) {
       const WorkedResults* r = s.own<WorkedResults>();
       if (!r) return no_value;
       double sum = 0;
       for (int c = 0; c < r->trace.S; ++c)
         sum += element(r->trace.weights, q.number("row", chosen_element(s.scene.worked, *r).first), c);
       return sum;
     }},
    {"worked_soft", "Weight of the soft lookup", weight_form(3), "row col",
     "weight of the soft dictionary, at its own temperature",
     [](Q q, S s) {
       return worked(
           q, s, [](auto& r) -> auto& { return r.soft; });
     }},
    {"worked_soft_value", "Result of the soft lookup", compact_form, "row col",
     "result of the soft dictionary",
     [](Q q, S s) {
       return worked(
           q, s, [](auto& r) -> auto& { return r.soft_value; });
     }},
    {"worked_exact", "Key that equals the query", whole_form, "row",
     "the first key that equals the query, counted from 0; −1 if there is none",
     [](Q q, S s) {
       const auto* r = s.own<WorkedResults>();
       return r ? entry(r->exact, q.number("row", chosen_element(s.scene.worked, *r).first)) : no_value;
     }},
    {"worked_sqrt_d_k", "√d_k", compact_form, "", "√d_k",
     [](Q, S s) {
       const auto* r = s.own<WorkedResults>();
       return r ? r->sqrt_d_k : no_value;
     }},
    {"worked_tokens", "Rows of X", whole_form, "", "rows of X",
     [](Q, S s) {
       const auto* r = s.own<WorkedResults>();
       return r ? double(r->x.rows()) : no_value;
     }},
    {"worked_residual", "float32 error of the weights", significant(2), "",
     "largest difference between a weight and its value in double precision",
     [](Q, S s) {
       const auto* r = s.own<WorkedResults>();
       return r ? r->residual : no_value;
     }},
};

}  // namespace

std::span<const QuantityInfo> worked_quantities() {
  return list;
}

}  // namespace headlight::scene
