// The tables of the Order, Variants, Worked example and Presets page.
#include <algorithm>
#include <limits>

#include "pages/order/order.h"
#include "pages/presets/presets.h"
#include "pages/table_parts.h"
#include "pages/variants/variants.h"
#include "pages/worked/worked.h"

namespace headlight::scene {

namespace {

template <nn::Matrix WorkedResults::*member>
MaybeNumbers worked(const TableSource& s) {
  if (!s.results.worked) return std::nullopt;
  return view((*s.results.worked).*member, {"row", "column"});
}

template <nn::Matrix nn::AttentionTrace::*member>
MaybeNumbers worked_trace(const TableSource& s) {
  if (!s.results.worked) return std::nullopt;
  return view(s.results.worked->trace.*member, {"row", "column"});
}

const nn::Matrix& stage_of(const WorkedResults& r, WorkedStage stage) {
  switch (stage) {
    case WorkedStage::q:
      return r.trace.q;
    case WorkedStage::k:
      return r.trace.k;
    case WorkedStage::v:
      return r.trace.v;
    case WorkedStage::products:
      return r.products;
    case WorkedStage::scores:
      return r.trace.scores;
    case WorkedStage::weights:
      return r.trace.weights;
    case WorkedStage::output:
      break;
  }
  return r.trace.context;
}

MaybeNumbers worked_number(const TableSource& s) {
  if (!s.results.worked) return std::nullopt;
  const nn::Matrix& stage = stage_of(*s.results.worked, s.scene.worked.stage);
  if (s.scene.worked.row >= stage.rows() || s.scene.worked.col >= stage.cols()) return std::nullopt;
  return quantities(
      {{"row", s.scene.worked.row},
       {"column", s.scene.worked.col},
       {word(s.scene.worked.stage), static_cast<double>(stage.at(s.scene.worked.row, s.scene.worked.col))}});
}

MaybeNumbers worked_printed(const TableSource& s) {
  if (!s.results.worked || s.results.worked->printed.empty()) return std::nullopt;
  Columns out{{"row", "gap", "agrees"}, {}};
  Names names;
  for (const WorkedPrinted& line : s.results.worked->printed) {
    out.row(line.row, line.gap, line.agrees);
    names.push_back(line.by);
  }
  return out.take("line", names);
}

Names seats(const TableSource& s) {
  Names out;
  for (const int token : s.results.order->order) out.push_back(s.results.tokens[count(token)].text);
  return out;
}

MaybeNumbers order_seats(const TableSource& s) {
  if (!s.results.order) return std::nullopt;
  Columns out{{"token", "change of the output row"}, {}};
  const OrderResults& r = *s.results.order;
  for (std::size_t seat = 0; seat < r.order.size(); ++seat)
    out.row(r.order[seat], seat < r.float32.rows.size() ? r.float32.rows[seat] : 0.0);
  return out.take("seat", seats(s));
}

MaybeNumbers order_verdict(const TableSource& s) {
  if (!s.results.order) return std::nullopt;
  const OrderResults& r = *s.results.order;
  return quantities(
      {{"output, float32", r.float32.output},
       {"weights, float32", r.float32.weights},
       {"largest output", r.float32.largest},
       {"output, double", r.has_double ? r.float64.output : std::numeric_limits<double>::quiet_NaN()},
       {"weights, double", r.has_double ? r.float64.weights : std::numeric_limits<double>::quiet_NaN()}});
}

MaybeNumbers order_parts(const TableSource& s) {
  if (!s.results.order || s.results.order->parts.tokens == 0) return std::nullopt;
  const OrderParts& parts = s.results.order->parts;
  std::vector<double> values;
  for (int which = 0; which < parts.count; ++which)
    values.insert(values.end(), parts.part[which].values().begin(), parts.part[which].values().end());
  Names names = {"xx", "xp", "px", "pp", "rotation"};
  names.resize(count(parts.count));
  return own(std::move(values),
             {names.size(), count(parts.part[0].depth()), count(parts.tokens), count(parts.tokens)},
             {"part", "head", "query", "key"}, {names, {}, {}, {}});
}

enum class Which { a, b };
template <Which which>
const VariantSideResults* side(const TableSource& s) {
  if (!s.results.variants) return nullptr;
  return which == Which::a ? &s.results.variants->a : &s.results.variants->b;
}

Names variant_tokens(const TableSource& s) {
  return token_names(s.results.tokens, s.results.variants->T);
}

template <Which which, nn::Matrix VariantSideResults::*member>
MaybeNumbers pairs_of(const TableSource& s) {
  const VariantSideResults* r = side<which>(s);
  if (!r || (r->*member).empty()) return std::nullopt;
  return view(r->*member, {"query", "key"}, {variant_tokens(s), variant_tokens(s)});
}

/// What a side applies, whichever it is: a bias, a table of positions, or angular speeds.
template <Which which>
MaybeNumbers applied(const TableSource& s) {
  const VariantSideResults* r = side<which>(s);
  if (!r) return std::nullopt;
  if (!r->bias.empty()) return pairs_of<which, &VariantSideResults::bias>(s);
  if (!r->p.empty()) return view(r->p, {"position", "column"});
  if (!r->omega.empty()) return own(r->omega, {r->omega.size()}, {"pair"});
  return quantities({{"allowed pairs", static_cast<double>(r->allowed)},
                     {"score variance", r->score_variance},
                     {"entropy in bits", r->entropy_bits}});
}

/// Shaw's: what each query adds, by the clipped distance.
template <Which which>
MaybeNumbers clipped(const TableSource& s) {
  const VariantSideResults* r = side<which>(s);
  if (!r || r->by_clipped.empty()) return std::nullopt;
  Names distances;
  for (int distance = -r->clip; distance <= r->clip; ++distance)
    distances.push_back(std::to_string(distance));
  return view(r->by_clipped, {"query", "clipped distance"}, {variant_tokens(s), distances});
}

MaybeNumbers shifts(const TableSource& s) {
  const VariantSideResults *a = side<Which::a>(s), *b = side<Which::b>(s);
  if (!a || !b) return std::nullopt;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Columns out{{"shift", "A: change of the scores", "A: change of the weights", "B: change of the scores",
               "B: change of the weights"},
              {}};
  for (std::size_t i = 0; i < std::max(a->shifts.size(), b->shifts.size()); ++i) {
    const ShiftPoint* of_a = i < a->shifts.size() ? &a->shifts[i] : nullptr;
    const ShiftPoint* of_b = i < b->shifts.size() ? &b->shifts[i] : nullptr;
    out.row((of_a ? of_a : of_b)->shift, of_a ? of_a->score_change : none, of_a ? of_a->weight_change : none,
            of_b ? of_b->score_change : none, of_b ? of_b->weight_change : none);
  }
  return out.take("point");
}

MaybeNumbers dots(const TableSource& s) {
  if (!s.results.variants) return std::nullopt;
  Columns out{{"d_k", "variance of q·k", "variance of q·k / √d_k", "largest weight", "entropy in bits",
               "gradient", "largest weight, scaled", "entropy in bits, scaled", "gradient, scaled"},
              {}};
  for (const DotProducts& d : s.results.variants->dots)
    out.row(d.d_k, d.variance, d.scaled_variance, d.raw.largest, d.raw.entropy_bits, d.raw.gradient,
            d.scaled.largest, d.scaled.entropy_bits, d.scaled.gradient);
  return out.take("width");
}

MaybeNumbers decoding(const TableSource& s) {
  if (!s.results.variants || s.results.variants->decoding.steps.empty()) return std::nullopt;
  Columns out{{"input residual", "context residual", "residual with offset 0"}, {}};
  for (const Decoding::Step& step : s.results.variants->decoding.steps)
    out.row(step.input_residual, step.context_residual, step.forgotten_residual);
  return out.take("token", variant_tokens(s));
}

MaybeNumbers cross(const TableSource& s) {
  if (!s.results.variants || s.results.variants->cross.weights.empty()) return std::nullopt;
  const CrossAttention& c = s.results.variants->cross;
  return view(c.weights, {"query", "key"},
              {token_names(c.queries, c.weights.rows()), token_names(c.keys, c.weights.cols())});
}

template <std::size_t which>
MaybeNumbers batch(const TableSource& s) {
  if (!s.results.variants || s.results.variants->batch.size() <= which) return std::nullopt;
  return view(s.results.variants->batch[which].weights, {"query", "key"});
}

MaybeNumbers presets(const TableSource& s) {
  if (!s.results.presets) return std::nullopt;
  Columns out{{"printed lines", "printed lines that agree", "formula lines", "largest gap", "contradiction"},
              {}};
  Names names;
  for (const Preset& preset : s.results.presets->presets) {
    const auto lines = [&](auto&& wanted) {
      return std::count_if(preset.lines.begin(), preset.lines.end(), wanted);
    };
    out.row(lines([](const PresetLine& l) { return l.kind == PresetKind::printed; }),
            lines([](const PresetLine& l) { return l.kind == PresetKind::printed && l.agrees; }),
            lines([](const PresetLine& l) { return l.kind == PresetKind::formula; }), preset.gap,
            preset.verdict == Verdict::contradiction);
    names.push_back(preset.title);
  }
  return out.take("preset", names);
}

MaybeNumbers preset(const TableSource& s) {
  if (!s.results.presets || s.results.presets->presets.empty()) return std::nullopt;
  const auto& all = s.results.presets->presets;
  const Preset& shown = all[std::min(count(std::max(1, s.scene.presets.shown)) - 1, all.size() - 1)];
  Columns out{{"printed", "gap", "agrees"}, {}};  // what is not printed is a formula, and agrees with nothing
  Names names;
  for (const PresetLine& line : shown.lines) {
    const bool printed = line.kind == PresetKind::printed;
    out.row(printed, line.gap < 0 ? std::numeric_limits<double>::quiet_NaN() : line.gap,
            printed ? line.agrees : std::numeric_limits<double>::quiet_NaN());
    names.push_back(line.what);
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
      {"worked_q", page, "flow plane hats", "queries", worked_trace<&nn::AttentionTrace::q>},
      {"worked_k", page, "flow plane hats", "keys", worked_trace<&nn::AttentionTrace::k>},
      {"worked_v", page, "flow hats", "values", worked_trace<&nn::AttentionTrace::v>},
      {"worked_products", page, "flow plane", "q · k", worked<&WorkedResults::products>},
      {"worked_scores", page, "flow", "scaled", worked_trace<&nn::AttentionTrace::scores>},
      {"worked_weights", page, "flow", "after the softmax", worked_trace<&nn::AttentionTrace::weights>},
      {"worked_soft", page, "lookup", "weights of the soft dictionary", worked<&WorkedResults::soft>},
      {"worked_soft_value", page, "lookup", "what it answers", worked<&WorkedResults::soft_value>},
      {"worked_number", page, "number", "the number that is explained", worked_number},
      {"worked_printed", page, "printed", "how far printed rows are from ours", worked_printed},
  };
}

std::vector<Table> order_tables() {
  constexpr Page page = Page::order;
  return {
      {"order_seats", page, "seats", "the token in each seat, and how far its output row moved", order_seats},
      {"order_moved", page, "rows", "outputs of the tokens in their seats",
       [](const TableSource& s) -> MaybeNumbers {
         if (!s.results.order) return std::nullopt;
         return view(s.results.order->moved, {"seat", "column"}, {seats(s), {}});
       }},
      {"order_original", page, "rows", "outputs of the tokens as typed",
       [](const TableSource& s) -> MaybeNumbers {
         if (!s.results.order) return std::nullopt;
         return view(s.results.order->original, {"token", "column"},
                     {token_names(s.results.tokens, s.results.order->tokens), {}});
       }},
      {"order_verdict", page, "verdict", "largest differences between A(πX) and πA(X)", order_verdict},
      {"order_parts", page, "parts",
       "q·k as content and position: xx, xp, px, pp, and what a rotation changes", order_parts},
  };
}

std::vector<Table> variants_tables() {
  constexpr Page page = Page::variants;
  using R = VariantSideResults;
  return {
      {"variants_a_weights", page, "a", "weights of A", pairs_of<Which::a, &R::weights>},
      {"variants_a_scores", page, "a", "scores of A, before the mask", pairs_of<Which::a, &R::scores>},
      {"variants_b_weights", page, "b", "weights of B", pairs_of<Which::b, &R::weights>},
      {"variants_b_scores", page, "b", "scores of B, before the mask", pairs_of<Which::b, &R::scores>},
      {"variants_difference", page, "difference", "weights of A less those of B",
       [](const TableSource& s) -> MaybeNumbers {
         if (!s.results.variants || s.results.variants->difference.weights.empty()) return std::nullopt;
         return view(s.results.variants->difference.weights, {"query", "key"},
                     {variant_tokens(s), variant_tokens(s)});
       }},
      {"variants_a_applied", page, "applied-a", "A's bias, table of positions or angular speeds",
       applied<Which::a>},
      {"variants_b_applied", page, "applied-b", "B's bias, table of positions or angular speeds",
       applied<Which::b>},
      {"variants_a_clipped", page, "applied-a",
       "what A's queries add by clipped distance, with Shaw's tables", clipped<Which::a>},
      {"variants_b_clipped", page, "applied-b",
       "what B's queries add by clipped distance, with Shaw's tables", clipped<Which::b>},
      {"variants_shift", page, "shift", "what changes when the sentence stands later", shifts},
      {"variants_dots", page, "dots", "q·k of random vectors by their width", dots},
      {"variants_decoding", page, "decoding", "one token at a time beside all at once", decoding},
      {"variants_cross", page, "cross", "weights over the second sentence", cross},
      {"variants_batch_1", page, "batch", "weights of the first sentence of the batch", batch<0>},
      {"variants_batch_2", page, "batch", "weights of the second", batch<1>},
  };
}

std::vector<Table> presets_tables() {
  constexpr Page page = Page::presets;
  return {
      {"presets", page, "list contradictions",
       "how many lines of each example are printed and agree, and how many follow from a formula", presets},
      {"preset", page, "preset", "the lines of the one on show", preset},
  };
}

}  // namespace headlight::scene
