// The card on decoding one token at a time.
#include <algorithm>
#include <cmath>

#include "kit/words.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/view.h"

namespace headlight::views {

namespace {

/// The one scale of the bars of all residuals: in decades from 1e−9 to 10, or linear from 0 where none is a
/// hundred times another one.
struct ResidualScale {
  static constexpr int first_decade = -9, last_decade = 1;
  double end = 0;  // of the linear one; 0: decades

  explicit ResidualScale(const std::vector<scene::Decoding::Step>& steps) {
    double least = 0, most = 0;
    for (const auto& step : steps) {
      for (const double one : {step.forgotten_residual, step.context_residual}) {
        if (!(one > 0)) continue;
        least = least > 0 ? std::min(least, one) : one, most = std::max(most, one);
      }
    }
    constexpr double alike = 100;
    if (most > 0.1 && most <= alike * least) end = most;
  }
  float length(double residual, float width) const {
    if (residual <= 0) return 0;
    const double part =
        end > 0 ? residual / end : (std::log10(residual) - first_decade) / (last_decade - first_decade);
    return width * static_cast<float>(std::clamp(part, 0.02, 1.0));
  }
  std::string text(double residual) const {
    return end > 0 && residual > 0 ? weight_text(residual, 2) : residual_text(residual);
  }
  std::string words() const { return end > 0 ? "bars: 0 to " + text(end) : "bars: 1e−9 to 10, logarithmic"; }
};

/// Draws the scale above the bars: its ends, and the decades as ticks down to `bottom`.
void residual_axis(const VariantsView& view, const ResidualScale& scale, Box axis, float bottom) {
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const float y = axis.centre().y;
  const std::string from = scale.end > 0 ? "0" : "1e−9", to = scale.end > 0 ? scale.text(scale.end) : "10";
  if (view.pen.canvas.text_width(from + " " + to, quiet) <= axis.w) {  // else the ticks alone
    const float left = put(view.pen, {axis.x, y}, from, quiet);
    const float right = put(view.pen, {axis.right(), y}, to, aligned(quiet, Align::right));
    const draw::TextStyle middle = aligned(quiet, Align::centre);
    if (scale.end <= 0 && axis.w / 2 > std::max(left, right) + view.pen.canvas.text_width("1e−4", quiet))
      put(view.pen, {axis.x + axis.w / 2, y}, "1e−4", middle);
  }
  const int ticks = scale.end > 0 ? 1 : ResidualScale::last_decade - ResidualScale::first_decade;
  for (int tick = 0; tick <= ticks; ++tick) {
    const float x = axis.x + axis.w * static_cast<float>(tick) / static_cast<float>(ticks);
    view.pen.canvas.line({x, axis.bottom()}, {x, bottom}, {view.theme().faint, 1});
  }
}

}  // namespace

void decoding_card(const VariantsView& view, Box box) {
  const scene::Decoding& decoding = view.results.decoding;
  Box inside =
      card(view.pen, box,
           {"One token at a time",
            view.results.layer > 1
                ? "A’s positions, every layer causal and cached; the position grows by one per token"
                : "A’s positions, causal, keys and values cached; the position grows by one per token"},
           "decoding");
  if (!decoding.error.empty() || decoding.steps.empty()) {
    return placeholder(view.pen, inside, "A’s positions are not available", decoding.error);
  }
  const draw::TextStyle words = words_style(view.theme().text), number = mono_style(view.theme().text);
  const auto line = [&](const std::string& name, const char* quantity) {
    const Box row = inside.cut_top(20);
    put(view.pen, {row.x, row.centre().y}, name, words, row.w - 80);
    put(view.pen, {row.right(), row.centre().y}, view.in.text(quantity), aligned(number, Align::right), 76);
  };
  inside.cut_top(paragraph(view.pen, {inside.x, inside.y}, inside.w,
                           "Largest difference between decoding token by token and all at once",
                           words_style(view.theme().dim), 2) +
                 4);
  line("input X", "decoding_input");
  line("output", "decoding_residual");
  line("output if the position stays 0", "decoding_forgotten");
  inside.cut_top(8);
  const int room = std::max(0, static_cast<int>((inside.h - 16) / 18));
  const int steps = static_cast<int>(decoding.steps.size());
  const int shown = steps > room ? room - 1 : steps;  // the last line says how many are left out
  const float pitch =
      std::clamp((inside.h - 16) / static_cast<float>(std::max(1, std::min(shown + 1, steps))), 18.f, 36.f);
  const auto all = static_cast<int>(view.in.results.tokens_in_sentence);
  const std::string computed =
      steps < all ? "computed: the first " + std::to_string(steps) + " of " + std::to_string(all) : "";
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const float label = std::max(104.f, std::ceil(view.pen.canvas.text_width("token · position", quiet)) + 6),
              column = std::max(64.f, std::ceil(view.pen.canvas.text_width("own position", quiet)) + 10);
  if (shown < 1) return;
  const Box head = inside.cut_top(16);
  put(view.pen, {head.x, head.centre().y}, "token · position", quiet, label);
  const float width = std::max(0.f, head.w - label - 2 * column - 8);
  const ResidualScale scale(decoding.steps);
  residual_axis(view, scale, {head.x + label, head.y, width, head.h},
                head.bottom() + pitch * static_cast<float>(shown));
  // The words of a column have the colour of its bars.
  put(view.pen, {head.right(), head.centre().y}, "position 0",
      aligned(words_style(raw_color(view), small_size), Align::right), column);
  put(view.pen, {head.right() - column, head.centre().y}, "own position",
      aligned(words_style(scaled_color(view), small_size), Align::right), column - 6);
  for (int t = 0; t < shown; ++t) {
    const auto& step = decoding.steps[static_cast<std::size_t>(t)];
    const Box row = inside.cut_top(pitch);
    const float y = row.centre().y;
    const std::string offset = " · " + std::to_string(t);
    const float after = view.pen.canvas.text_width(offset, words);
    const float wide = put(view.pen, {row.x, y}, view.tokens[static_cast<std::size_t>(t)], literal(words),
                           label - after - 6);
    put(view.pen, {row.x + wide, y}, offset, quiet, after + 2);
    const Box track{row.x + label, y - 5, width, 10};
    // A bar alone is level with its words, and two are on both sides of their middle.
    const bool both = step.context_residual > 0 && step.forgotten_residual > 0;
    view.pen.canvas.rect({track.x, both ? track.y : y - 2, scale.length(step.forgotten_residual, width), 4},
                         raw_color(view), 2);
    view.pen.canvas.rect({track.x, both ? track.y + 6 : y - 2, scale.length(step.context_residual, width), 4},
                         scaled_color(view), 2);
    put(view.pen, {row.right(), y}, scale.text(step.forgotten_residual),
        aligned(mono_style(view.theme().dim, small_size), Align::right), column - 2);
    put(view.pen, {row.right() - column, y}, scale.text(step.context_residual),
        aligned(mono_style(view.theme().text, small_size), Align::right), column - 6);
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "decoded " + std::to_string(t), mark.area = row;
    mark.note = "token " + std::to_string(t) + " encoded at position " + std::to_string(t) +
                "\nits row of X, compared with all at once: " + residual_text(step.input_residual) +
                "\nthe head’s output: " + scale.text(step.context_residual) +
                "\nif the position stays 0: " + scale.text(step.forgotten_residual) + "\n" + scale.words();
    view.pen.canvas.mark(mark);
    view.pen.canvas.mark({});
  }
  std::string rest = shown < steps ? "… " + std::to_string(steps - shown) + " more tokens" : std::string();
  if (!computed.empty()) rest += (rest.empty() ? "" : "; ") + computed;
  if (inside.h >= 14) put(view.pen, {inside.x, inside.y + 9}, rest, quiet, inside.w);
}

}  // namespace headlight::views
