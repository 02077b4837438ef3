// The tables of the page: the numbers behind its cards.
#include <algorithm>
#include <limits>

#include "pages/table_parts.h"
#include "pages/worked/worked.h"

namespace headlight::scene {

namespace {

template <nn::Matrix WorkedResults::*member>
MaybeNumbers worked(const TableSource& s) {
  const auto* r = s.own<WorkedResults>();
  if (!r) return std::nullopt;
  return view((*r).*member, {"row", "column"});
}

template <nn::Matrix nn::AttentionTrace::*member>
MaybeNumbers worked_trace(const TableSource& s) {
  const auto* r = s.own<WorkedResults>();
  if (!r) return std::nullopt;
  return view(r->trace.*member, {"row", "column"});
}

MaybeNumbers worked_number(const TableSource& s) {
  const auto* r = s.own<WorkedResults>();
  if (!r) return std::nullopt;
  const nn::Matrix& stage = matrix_of(*r, s.scene.worked.stage);
  if (stage.empty()) return std::nullopt;
  const auto [row, col] = chosen_element(s.scene.worked, *r);
  return one_each(
      {{"row", row}, {"column", col}, {word(s.scene.worked.stage), static_cast<double>(stage.at(row, col))}});
}

MaybeNumbers worked_printed(const TableSource& s) {
  const auto* r = s.own<WorkedResults>();
  if (!r || r->printed.empty()) return std::nullopt;
  Columns out{{"row", "gap", "agrees"}, {}};
  Names names;
  for (const WorkedPrinted& line : r->printed) {
    out.row(line.row, line.gap, line.agrees);
    names.push_back(line.by);
  }
  return out.take("line", names);
}

}  // namespace

std::vector<Table> worked_tables() {
  constexpr Page page = Page::worked;
  return {
      {"worked_output", page, "flow steps", "weights · v", worked_trace<&nn::AttentionTrace::context>},
      {"worked_x", page, "flow steps", "X", worked<&WorkedResults::x>},
      {"worked_w_q", page, "flow", "W_Q", worked<&WorkedResults::w_q>},
      {"worked_w_k", page, "flow", "W_K", worked<&WorkedResults::w_k>},
      {"worked_w_v", page, "flow", "W_V", worked<&WorkedResults::w_v>},
      {"worked_q", page, "flow plane roles", "queries", worked_trace<&nn::AttentionTrace::q>},
      {"worked_k", page, "flow plane roles", "keys", worked_trace<&nn::AttentionTrace::k>},
      {"worked_v", page, "flow roles", "values", worked_trace<&nn::AttentionTrace::v>},
      {"worked_products", page, "flow plane", "q · k", worked<&WorkedResults::products>},
      {"worked_scores", page, "flow", "scaled", worked_trace<&nn::AttentionTrace::scores>},
      {"worked_numerators", page, "flow", "exp(score − largest score of the row)",
       worked<&WorkedResults::exponentials>},
      {"worked_denominators", page, "flow", "sums of the rows of these exponentials",
       [](const TableSource& s) -> MaybeNumbers {
         const WorkedResults* r = s.own<WorkedResults>();
         if (!r || !r->problem.empty()) return std::nullopt;
         return view(r->trace.row_sum, {"row"});
       }},
      {"worked_weights", page, "flow", "after the softmax", worked_trace<&nn::AttentionTrace::weights>},
      {"worked_soft", page, "lookup", "weights of the soft lookup", worked<&WorkedResults::soft>},
      {"worked_soft_value", page, "lookup", "results of the soft lookup", worked<&WorkedResults::soft_value>},
      {"worked_number", page, "number", "the explained number", worked_number},
      {"worked_printed", page, "printed", "difference between printed rows and Headlight’s", worked_printed},
  };
}

}  // namespace headlight::scene
