#include "pages/attention/view/cell_lines.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kit/page_input.h"

namespace headlight::views {

namespace {

CellLine explained(CellLine line, std::string quantity) {
  line.explains = std::move(quantity);
  return line;
}

constexpr std::size_t most_heads_listed = 8;

/// A mean or a maximum has no softmax of its own, so the lines list the heads' weights.
std::vector<CellLine> lines_of_heads(const Sheet& sheet) {
  const nn::CellTrace& cell = *sheet.in.cell;
  std::vector<CellLine> out;
  const std::size_t count = cell.heads.size();
  const std::size_t listed = count <= most_heads_listed ? count : most_heads_listed - 1;
  double sum = 0, rest = 0, largest_of_rest = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const nn::HeadWeight& one = cell.heads[n];
    sum += one.weight;
    if (n < listed) {
      out.push_back(
          {"head " + std::to_string(one.head + 1), weight_text(one.weight), false, false, one.head});
    } else {
      rest += one.weight, largest_of_rest = std::max(largest_of_rest, one.weight);
    }
  }
  if (listed < count) {
    const std::string more = std::to_string(count - listed) + " more heads, ";
    out.push_back({more + (cell.largest ? "the largest" : "together"),
                   weight_text(cell.largest ? largest_of_rest : rest), false, true});
  }
  if (!cell.allowed) {
    out.push_back({"mask: every head’s weight is exactly", "0", true});
  } else if (cell.largest) {
    out.push_back({"the largest: head " + std::to_string(cell.head + 1), weight_text(cell.weight), true});
  } else {
    out.push_back({"sum", weight_text(sum)});
    out.push_back({"÷ " + std::to_string(count) + " heads = mean", weight_text(cell.weight), true});
  }
  out.push_back({"display only: no layer computes it", "", false, true});
  for (CellLine& line : score_controls(sheet)) out.push_back(std::move(line));
  return out;
}

std::string of_cell(const char* name, const nn::CellTrace& cell) {
  return quantity(name, {{"head", cell.head + 1}, {"query", cell.query}, {"key", cell.key}});
}

/// Returns the lines of a weight that was saved without q and k.
std::vector<CellLine> lines_of_saved(const PageInput& in, const nn::CellTrace& cell) {
  const std::string weight = in.text(of_cell("weight", cell));
  std::vector<CellLine> out{{"weight", weight, cell.allowed}};
  out.push_back({"sum of the query’s row",
                 in.text(quantity("row_sum", {{"head", cell.head + 1}, {"query", cell.query}}))});
  out.push_back({"entropy of the row in bits",
                 in.text(quantity("row_entropy", {{"head", cell.head + 1}, {"query", cell.query}}))});
  out.push_back({"no q and k in the file: no scores", "", false, true});
  return out;
}

/// Describes what an imported model does to q and k before they are multiplied; empty: it only projects.
std::string done_to_q_and_k(const scene::OpenedLayer& layer, int d_k) {
  std::string out;
  const auto add = [&](const std::string& words) { out += (out.empty() ? "q, k: after " : ", ") + words; };
  if (layer.bias) add("bias");
  if (layer.qk_norm) add("norm");
  if (layer.rotary > 0)
    add("RoPE" + (layer.rotary < d_k
                      ? " on " + std::to_string(layer.rotary) + " of " + std::to_string(d_k) + " components"
                      : std::string()));
  return out;
}

/// Adds the lines from q · k to the score, one for each step.
void add_steps_to_score(const Sheet& sheet, std::vector<CellLine>& out) {
  const PageInput& in = sheet.in;
  const nn::CellTrace& cell = *in.cell;
  const scene::OpenedLayer* opened = in.results.opened.get();
  double score = cell.dot;
  // Settings of the scene have their control at the step that they change; for an opened model they change
  // the layer.
  using Control = CellLine::Control;
  const double scale = in.results.options.custom_scale;
  if (in.results.options.divide_by_sqrt_d_k) {
    score /= cell.sqrt_d_k;
    out.push_back(
        {"÷ √d_k = √" + fixed(static_cast<double>(cell.q.size()), 0) + " = " + fixed(cell.sqrt_d_k, 3),
         fixed(score, 3), false, false, -1, Control::divides});
  } else if (opened && scale != 1) {
    score *= scale;
    out.push_back({"× " + brief(scale, 4) + ", the model’s scale", fixed(score, 3)});
  } else {
    const bool own = opened && opened->scale == 1;
    out.push_back({own ? "not ÷ √d_k, the model’s own" : "not divided by √d_k", fixed(score, 3), false, true,
                   -1, own ? Control::none : Control::divides});
  }
  score /= cell.temperature;
  out.push_back({"÷ temperature " + brief(cell.temperature, 4), fixed(score, 3), false, cell.temperature == 1,
                 -1, Control::temperature});
  if (cell.cap > 0) {
    const std::string cap = brief(cell.cap, 4);
    score = cell.cap * std::tanh(score / cell.cap);
    out.push_back({"soft cap " + cap + " · tanh(score ÷ " + cap + ")", fixed(score, 3)});
  }
}

std::string mask_words(const Sheet& sheet) {
  const nn::CellTrace& cell = *sheet.in.cell;
  const scene::OpenedLayer* opened = sheet.in.results.opened.get();
  if (cell.row_masked) return "mask: this query may attend to no key";
  if (opened && opened->causal && cell.key > cell.query) return "causal mask: this key comes later";
  if (opened && opened->window > 0 && cell.key <= cell.query - opened->window)
    return "window: only the last " + std::to_string(opened->window) + " keys are allowed";
  return "mask: this key is blocked";
}

}  // namespace

std::vector<CellLine> score_controls(const Sheet& sheet) {
  std::vector<CellLine> out;
  const nn::AttentionOptions& options = sheet.in.results.options;
  const scene::OpenedLayer* opened = sheet.in.results.opened.get();
  if (sheet.pen.canvas.plain() || on_slide(sheet.pen) || (opened && opened->saved)) return out;
  using Control = CellLine::Control;
  const bool divides = options.divide_by_sqrt_d_k;
  // The scale that a model has in the place of √d_k is no setting.
  if (divides || !opened || opened->scale != 1)
    out.push_back({divides ? "÷ √d_k" : "not divided by √d_k", "", false, true, -1, Control::divides});
  out.push_back(
      {"÷ temperature " + brief(options.temperature, 4), "", false, true, -1, Control::temperature});
  return out;
}

std::vector<CellLine> cell_lines(const Sheet& sheet) {
  const PageInput& in = sheet.in;
  const nn::CellTrace& cell = *in.cell;
  if (cell.heads.size() == 1) return lines_of_saved(in, cell);
  if (!cell.heads.empty()) return lines_of_heads(sheet);
  std::vector<CellLine> out;
  const auto number = [&](const char* name) { return in.text(of_cell(name, cell)); };
  const auto of_row = [&](const char* name) {
    return quantity(name, {{"head", cell.head + 1}, {"query", cell.query}});
  };
  const auto in_row = [&](const char* name) { return in.text(of_row(name)); };
  out.push_back(explained({"q · k (sum of the row q×k)", number("dot")}, of_cell("dot", cell)));
  if (const scene::OpenedLayer* opened = in.results.opened.get()) {
    if (std::string done = done_to_q_and_k(*opened, static_cast<int>(cell.q.size())); !done.empty())
      out.push_back({std::move(done), "", false, true});
  }
  add_steps_to_score(sheet, out);
  if (cell.add != 0) {
    out.push_back({"+ bias " + number("bias"), number("score")});
  } else {
    out.back().value = number("score");
  }
  if (!cell.allowed) {
    out.push_back({mask_words(sheet), "score −∞"});
    out.push_back({"weight is exactly", "0", true});
    return out;
  }
  out.push_back({"mask", sheet.selection.masked ? "allowed" : "none", false, true});
  out.push_back(explained({"row maximum", in_row("row_maximum")}, of_row("row_maximum")));
  out.push_back(explained({"exp(score − row maximum)", in.text(of_cell("exponential", cell))},
                          of_cell("exponential", cell)));
  out.push_back(
      explained({"÷ row sum " + in_row("exponentials") + " = weight", number("weight_in_double"), true},
                of_row("exponentials")));
  return out;
}

std::vector<CellLine> cell_results(const PageInput& in, const nn::CellTrace& cell) {
  if (cell.heads.size() == 1) return {};
  if (in.results.attention.q.empty()) return {};  // the weights were loaded without q and k
  if (!cell.heads.empty()) return {{"float32 error", brief(cell.residual, 2), false, true}};
  const std::string share = in.text(of_cell("value_share", cell)),
                    along = in.text(of_cell("value_projection", cell));
  const CellLine residual = explained({"float32 error", in.text(of_cell("weight_error", cell)), false, true},
                                      of_cell("weight_error", cell));
  if (cell.v.empty()) return {residual, {"the file holds no v", "", false, true}};
  const CellLine of_values =
      explained({"share of ‖αv‖, over all keys", share, false, true}, of_cell("value_share", cell));
  return {of_values,
          explained({"αv’s share along the output", along, false, true}, of_cell("value_projection", cell)),
          residual};
}

}  // namespace headlight::views
