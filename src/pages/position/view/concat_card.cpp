#include <algorithm>
#include <array>
#include <cmath>

#include "kit/cells.h"
#include "kit/words.h"
#include "pages/position/view/cards.h"

namespace headlight::views {

namespace {

struct Strip {
  const char* name;
  const nn::Matrix* values;
  draw::Color color;
  bool under_line = false;  // a sum: a line above it
};

/// Numbers of a row that have room, from the first column on.
void numbers(const Pen& pen, Box box, std::span<const float> row, float pitch) {
  const auto fit = static_cast<std::size_t>(std::max(0.f, box.w / pitch));
  const draw::TextStyle style = aligned(mono_style(pen.theme.text, small_size), Align::right);
  for (std::size_t c = 0; c < std::min(fit, row.size()); ++c)
    pen.canvas.text({box.x + (static_cast<float>(c) + 1) * pitch, box.centre().y},
                    fixed(static_cast<double>(row[c]), 3), style);
}

}  // namespace

void concat_card(const PositionView& view, Box box) {
  const Pen& pen = view.pen;
  const scene::Concatenated* c = view.in.results.concatenated.get();
  const std::string title = "Concatenating adds two projections";
  if (!c) {
    const Box inside = card(pen, box, {title, ""}, "concat");
    placeholder(pen, inside, "No token", in_window(pen, "type a sentence"));
    return;
  }
  const int T = c->x.rows(), d = c->x.cols(), t = std::clamp(view.i - view.first, 0, T - 1);
  const auto& tokens = view.in.results.tokens;
  const auto index = static_cast<std::size_t>(t);
  const std::string token = index < tokens.size() ? in_quotes(shown_token(tokens[index].text)) : "";
  Box inside = card(pen, box,
                    {title, "[x; p] W = x W₁ + p W₂ for " + token + " at position " +
                                std::to_string(view.first + t) + ": x is its embedding, p its row of P"},
                    "concat");
  const std::string halves = std::to_string(d) + " × " + std::to_string(d);
  const std::string words = "W has " + std::to_string(2 * d) + " rows and is drawn from seed " +
                            std::to_string(view.in.results.scene.seed) +
                            "; W₁ is its upper half and W₂ its lower half, " + halves +
                            " each. After one linear layer, concatenating a position equals adding a "
                            "projected position. Adding it before the layer, (x + p) W, is the case W₁ = W₂.";
  const draw::TextStyle quiet = words_style(pen.theme.dim);
  const Box foot = inside.cut_bottom(paragraph(pen, {}, inside.w, words, quiet, 5, false));
  paragraph(pen, {foot.x, foot.y}, foot.w, words, quiet, 5);
  inside.cut_bottom(6);
  const std::string verdict = "[x; p] W and x W₁ + p W₂ differ by at most " +
                              view.in.text("concatenation_difference") + " over " +
                              (tokens.size() > static_cast<std::size_t>(T) ? "the first " : "") +
                              std::to_string(T) + (T == 1 ? " token" : " tokens") + ": float32 rounding";
  const draw::TextStyle loud = strong_style(pen.theme.text, word_size);
  const std::vector<std::string> lines = wrap(pen, verdict, loud, inside.w, 2);
  constexpr float pitch_of_lines = 17;
  Box stated = inside.cut_bottom(3 + pitch_of_lines * static_cast<float>(lines.size()));
  for (const std::string& words_of_line : lines) {
    const Box line = stated.cut_top(pitch_of_lines);
    put(pen, {line.x, line.centre().y + 1.5f}, words_of_line, loud, line.w);
  }
  inside.cut_bottom(6);

  const std::array<Strip, 6> strips = {Strip{"x", &c->x, pen.theme.key},
                                       Strip{"p", &c->p, pen.theme.offset},
                                       Strip{"[x; p] W", &c->joined, pen.theme.text},
                                       Strip{"x W₁", &c->from_x, pen.theme.key},
                                       Strip{"p W₂", &c->from_p, pen.theme.offset},
                                       Strip{"x W₁ + p W₂", &c->sum, pen.theme.text, true}};
  float largest = 1e-6f;
  for (const Strip& strip : strips) {
    for (const float value : strip.values->row(t)) largest = std::max(largest, std::abs(value));
  }
  const float name = 92, pitch = 56;
  if (on_slide(pen)) {  // which has no tooltip for the colours
    const Box bar = inside.cut_bottom(20 + text_line(pen, 14));
    const std::string end = brief(static_cast<double>(largest), 2);
    color_bar(pen, {bar.x + name, bar.y + 6, std::min(420.f, bar.w - name), 8},
              {draw::Colormap::signed_weight, "−" + end, "one scale for all rows", "+" + end});
  }
  const float text = std::min(inside.w * 0.45f, pitch * static_cast<float>(std::min(d, 6)));
  const float height = std::min(84.f, inside.h / static_cast<float>(strips.size()));
  if (height < 10) return;
  for (const Strip& strip : strips) {
    Box row = inside.cut_top(height);
    if (strip.under_line) pen.canvas.line({row.x, row.y}, {row.right(), row.y}, {pen.theme.border, 1});
    const Box label = row.cut_left(name);
    put(pen, {label.x, label.centre().y}, strip.name, strong_style(strip.color, word_size), label.w - 6);
    const Box digits = row.cut_right(text);
    row.cut_right(12);
    draw::Heatmap heat = with_signs(heat_of(*strip.values, view.in.results.version), largest);
    heat.view = {0, static_cast<float>(t), static_cast<float>(d), 1};
    heat.gaps = false;
    if (row.w > 20) draw_cells(pen, {row.x, row.y + 3, row.w, row.h - 6}, heat);
    numbers(pen, digits, strip.values->row(t), pitch);
  }
}

}  // namespace headlight::views
