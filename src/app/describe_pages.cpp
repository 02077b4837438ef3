// Position, Worked example, Order, Presets.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/describe.h"
#include "app/describe_text.h"
#include "kit/page_input.h"
#include "kit/verdict.h"
#include "pages/order/order.h"
#include "pages/presets/presets.h"
#include "pages/worked/worked.h"
#include "scene/pinned.h"
#include "scene/seats.h"

namespace headlight::app {

std::string describe_position(const views::PageInput& in) {
  const scene::PositionResults& r = in.results.position;
  if (r.p.empty()) return {};
  std::string out = "P is " + std::to_string(r.p.rows()) + " × " + std::to_string(r.p.cols()) +
                    ", positions " + grouped(static_cast<std::uint64_t>(r.first)) + " to " +
                    grouped(static_cast<std::uint64_t>(r.first + r.p.rows() - 1)) + ", base " +
                    brief(in.scene.position_base, 6) +
                    ", position i = " + std::to_string(in.scene.position_index) +
                    ", offset δ = " + std::to_string(in.scene.position_delta) + "\n\n";
  std::vector<std::vector<std::string>> rows{{"pair", "radians a position", "wavelength", "angle at i"}};
  for (std::size_t j = 0; j < r.omega.size() && j < 16; ++j) {
    const double turn = std::fmod(r.omega[j] * in.scene.position_index, 2 * std::numbers::pi);
    rows.push_back({std::to_string(j), brief(r.omega[j], 4), brief(2 * std::numbers::pi / r.omega[j], 4),
                    number("%.1f°", turn * 180 / std::numbers::pi)});
  }
  out += table(rows);
  if (r.omega.size() > 16) out += "  and " + std::to_string(r.omega.size() - 16) + " more pairs\n";
  out += in.scene.d_model < 2 ? "\nno pair to rotate: d = 1 has one sine and no cosine\n"
         : r.p.rows() < 2     ? "\none position: nothing to rotate to\n"
                          : "\np(i + δ) = R(δ) p(i) holds to " + brief(r.worst_rotation_residual, 2) + "\n";
  if (r.closest_a >= 0)
    out += "the closest rows are " + brief(r.closest_distance, 4) + " apart: " +
           (r.as_close == r.p.rows() ? "every row has one as near, such as "
            : r.as_close > 2         ? std::to_string(r.as_close) + " rows have one as near, such as "
                                     : "") +
           std::to_string(r.first + r.closest_a) + " and " + std::to_string(r.first + r.closest_b) + "\n";
  if (r.dot_from_index.size() > 1) {
    const std::string first = std::to_string(r.first), other = r.first == 0 ? "δ" : first + " + δ";
    out += "p(" + first + ")·p(" + other + ") for δ = 0, 1, 2 …" +
           (r.p.cols() % 2 == 1 ? " (d is odd: from other rows other products):" : ":");
    for (std::size_t d = 0; d < r.dot_from_index.size() && d < 10; ++d)
      out += " " + number("%.3f", r.dot_from_index[d]);
    out += "\n";
  }
  if (const scene::Concatenated* c = in.results.concatenated.get())
    out += "\nconcatenating and adding: [x; p] W and x W_1 + p W_2 differ by at most " +
           brief(c->largest_difference, 2) + " over " +
           count(static_cast<std::size_t>(c->x.rows()), "token", "tokens") + ", W " +
           std::to_string(2 * c->x.cols()) + " × " + std::to_string(c->x.cols()) + " from seed " +
           std::to_string(in.results.scene.seed) + "\n";
  return out;
}

std::string describe_worked(const views::PageInput& in) {
  if (!in.results.worked) return {};
  const scene::WorkedResults& r = *in.results.worked;
  std::string out;
  if (!r.problem.empty()) out += "not in effect: " + r.problem + "\n";
  const int steps = in.scene.worked.step;
  out += "\n" + matrix_text("X", r.x) + matrix_text("Q = X W_Q", r.trace.q) +
         matrix_text("K = X W_K", r.trace.k) + matrix_text("V = X W_V", r.trace.v);
  if (steps >= 2) out += matrix_text("Q Kᵀ", r.products);
  if (steps >= 3)
    out += matrix_text(r.settings.divide ? "scores, ÷ √d_k = " + number("%.4f", r.sqrt_d_k) : "scores",
                       r.trace.scores);
  if (steps >= 4) out += matrix_text("weights", r.trace.weights);
  if (steps >= 5) out += matrix_text("output", r.trace.output);
  out += "the weights differ from double precision by " + brief(r.residual, 2) + " at most\n";
  for (const scene::WorkedPrinted& p : r.printed)
    out += "row " + std::to_string(p.row) + ", " + p.by + ": " + (p.agrees ? "agrees" : "differs") + ", by " +
           brief(p.gap, 2) + "\n";
  return out;
}

std::string describe_order(const views::PageInput& in) {
  if (!in.results.order) return {};
  const scene::OrderResults& r = *in.results.order;
  std::string out = "\nseats: ";
  for (const int token : r.order)
    out += printable(in.results.tokens[static_cast<std::size_t>(token)].text) + " ";
  out.back() = '\n';
  out += r.identity ? "the order is the one that was typed\n" : "";
  if (r.layer > 0)
    out += "A is the model from the words to the attention of layer " + std::to_string(r.layer) +
           (r.layer > 1 ? ": the layers before are run again on the words in their seats\n" : "\n");
  out += "max |A(πX) − π A(X)| = " + brief(r.float32.output, 3) + " (largest output " +
         brief(r.float32.largest, 3) + "), of the weights " + brief(r.float32.weights, 3) + "\n";
  if (r.has_double) out += "in double precision " + brief(r.float64.output, 3) + "\n";
  const bool added =
      in.results.scene.position != scene::Position::none && in.results.scene.position_scale != 0;
  std::vector<std::string> by_place;
  if (added) by_place.push_back(r.learned_positions ? "learned positions" : "positions");
  if (r.relative_positions) by_place.push_back("the model's relative positions");
  if (scene::depends_on_seats(in.results.attention.allowed, r.tokens)) by_place.push_back("a mask");
  if (r.mask_before) by_place.push_back("the causal masks of the layers before");
  for (std::size_t i = 0; i < by_place.size(); ++i)
    out += (i == 0 ? "what goes by place: " : ", ") + by_place[i];
  out += by_place.empty() ? "nothing goes by place\n" : "\n";
  if (r.parts.mixed)
    out += "content and position cannot be told apart in layer " + std::to_string(r.layer) +
           ": what enters was mixed by the layers before; layer 1 can be taken apart (weights_layer=1)\n";
  if (r.parts.tokens > 0 && in.results.attention.heads > 0) {
    const int head = scene::first_head(in.scene, in.results.attention.heads);
    static constexpr const char* names[] = {"content, content", "content, position", "position, content",
                                            "position, position", "rotation: q·R(j − i)k − q·k"};
    std::vector<std::vector<std::string>> rows{
        {"part of the score", "largest, head " + std::to_string(head + 1)}};
    for (int part = 0; part < r.parts.count; ++part) {
      double largest = 0;
      for (int q = 0; q < r.parts.part[part].rows(); ++q) {
        for (const double value : r.parts.part[part].row(head, q))
          largest = std::max(largest, std::abs(value));
      }
      rows.push_back({names[part], brief(largest, 4)});
    }
    out += "\n" + table(rows) + "  they add up to q·k within " + brief(r.parts.residual, 2) + "\n";
    if (r.parts.count > 4)
      out +=
          "  the model turns queries and keys by their positions (RoPE): the first four are before the "
          "rotation\n";
  }
  return out;
}

std::string describe_presets(const views::PageInput& in) {
  if (!in.results.presets) return {};
  const scene::PresetsResults& r = *in.results.presets;
  std::string out = count(r.presets.size(), "example", "examples") +
                    ": what the source prints or says agrees in " + std::to_string(r.agreeing) +
                    ", contradicts itself, another source or the numbers in " +
                    std::to_string(r.contradictions) + ", is a formula without a printed number in " +
                    std::to_string(r.formulas) + ", is not what a model trained here does in " +
                    std::to_string(r.differing) + "\n\n";
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < r.presets.size(); ++i) {
    const scene::Preset& p = r.presets[i];
    rows.push_back({std::to_string(i + 1), p.title,
                    p.verdict == scene::Verdict::agrees    ? "agrees"
                    : p.verdict == scene::Verdict::formula ? "formula"
                    : p.verdict == scene::Verdict::differs ? "differs"
                                                           : "contradiction: " + p.short_word});
  }
  out += table(rows);
  const auto open = static_cast<std::size_t>(in.scene.presets.shown - 1);
  if (open >= r.presets.size()) return out;
  const scene::Preset& p = r.presets[open];
  out += "\n" + std::to_string(open + 1) + ". " + p.title + " (" + p.source + ")\n";
  std::vector<std::vector<std::string>> lines{{"", "who", "source", "here", ""}};
  for (const scene::PresetLine& line : p.lines) {
    const bool printed = line.kind == scene::PresetKind::printed;
    lines.push_back({line.what, line.by, line.printed,
                     line.here.empty() ? "not computed on this page" : line.here,
                     line.here.empty() ? ""
                     : printed         ? line.agrees ? "agrees" : "does not"
                     : line.agrees     ? "formula, not printed"
                                       : "formula, and does not"});
  }
  out += table(lines);
  if (!p.remark.empty()) out += "  " + p.remark + "\n";
  return out;
}

}  // namespace headlight::app
