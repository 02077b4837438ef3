// Three readings of one operation, who wrote what when, and how much each memory is said to hold.
#include <algorithm>
#include <array>
#include <cmath>

#include "kit/plot.h"
#include "kit/words.h"
#include "pages/memory/view/view.h"

namespace headlight::views {

namespace {

struct Reading {
  const char *name, *formula, *who;
};
constexpr Reading readings[] = {
    {"Soft dictionary", "y = Σ softmax(q·k/√d) v",
     "Vaswani et al. 2017 · with another score, Bahdanau, Cho, Bengio 2014"},
    {"Fast weights", "W ← W + v φ(k)ᵀ, y = W φ(q)",
     "Schmidhuber 1991/92 · Katharopoulos et al. 2020 · Schlag, Irie, Schmidhuber 2021"},
    {"Hopfield network", "ξ ← Xᵀ softmax(β X ξ)", "Hopfield 1982 · Ramsauer et al. 2020"}};

constexpr float least_row = 13;

/// The rows are as high as the card leaves them.
void capacity(const MemoryView& view, Box box) {
  const Pen& pen = view.pen;
  const float row =
      std::clamp((box.h - 19) / static_cast<float>(view.results.capacity.size()), least_row, 40.f);
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const float column = std::clamp((box.w - 130) / 3, std::min(92.f, (box.w - 30) / 3), 190.f);
  const float first = box.x + 24, second = first + column, third = second + column, last = third + column;
  const Box head = box.cut_top(17);
  put(pen, {first, head.y + 8}, "d", aligned(quiet, Align::right));
  put(pen, {second, head.y + 8}, "0.14 d (1982)", aligned(quiet, Align::right), column - 6);
  put(pen, {third, head.y + 8}, "2^(d/2) (2017)", aligned(quiet, Align::right), column - 6);
  put(pen, {last, head.y + 8}, "proven (2020)", aligned(quiet, Align::right), column - 6);
  pen.canvas.line({box.x, head.bottom()}, {last, head.bottom()}, {view.theme().faint, 1});
  box.cut_top(2);
  for (std::size_t n = 0; n < view.results.capacity.size(); ++n) {
    const scene::Capacity& c = view.results.capacity[n];
    if (n > 0 && c.dimension == view.results.capacity[0].dimension) continue;
    if (box.h < least_row - 1) break;
    const Box line = box.cut_top(row);
    const Box whole{box.x, line.y, last - box.x + 6, line.h};
    const std::string d = std::to_string(c.dimension);
    pen.canvas.mark({.part = draw::Part::note,
                     .note = "random patterns that can be stored with d = " + d,
                     .name = "capacity " + d,
                     .area = whole});
    pen.canvas.mark({});
    if (n == 0) pen.canvas.rect(whole, view.theme().field, 4);
    const draw::TextStyle style =
        aligned(mono_style(n == 0 ? view.theme().text : view.theme().dim, small_size), Align::right);
    put(pen, {first, line.centre().y}, d, style);
    put(pen, {second, line.centre().y}, memory_count(c.classical), style);
    put(pen, {third, line.centre().y}, memory_count(c.binary), style);
    put(pen, {last, line.centre().y}, std::isnan(c.proven) ? "–" : memory_count(c.proven), style);
    if (n == 0 && box.right() - last > 70)
      put(pen, {last + 12, line.centre().y}, "stored: " + std::to_string(view.settings.patterns),
          words_style(view.theme().text, small_size), box.right() - last - 12);
  }
}

}  // namespace

std::string memory_count(double value) {
  if (value >= 1e9) return power_words(value, 1);
  if (value < 99.5) return brief(value, 3);
  std::string digits = fixed(std::round(value), 0);
  for (std::size_t at = digits.size(); at > 3;) at -= 3, digits.insert(at, ",");
  return digits;
}

void memory_readings_card(const MemoryView& view, Box box) {
  const Pen& pen = view.pen;
  Box inside = card(
      pen, box, {"Three interpretations of one operation", "compare a query with keys, combine the values"},
      "readings");
  // What is left of a high card goes between the readings.
  const float least = 3 * 48 + 20 + 19 + 24 * static_cast<float>(view.results.capacity.size());
  const float apart = 8 + std::clamp((inside.h - least) / 5, -5.f, 60.f);
  for (int n = 0; n < 3; ++n) {
    const Reading& reading = readings[n];
    pen.canvas.rect({inside.x, inside.y, 3, 40}, view.theme().border, 1.5f);
    Box line = inside;
    line.cut_left(12);
    const float name =
        put(pen, {line.x, line.y + 7}, reading.name, strong_style(view.theme().text, 14), line.w);
    put(pen, {line.x + name + 12, line.y + 7}, reading.formula, words_style(view.theme().text),
        line.w - name - 12);
    const float used = paragraph(pen, {line.x, line.y + 16}, line.w, reading.who,
                                 words_style(view.theme().dim, small_size), 2);
    inside.cut_top(std::max(40.f, 16 + used) + apart);
  }
  put(pen, {inside.x, inside.y + 8}, "Random patterns that can be stored",
      strong_style(view.theme().text, word_size), inside.w);
  put(pen, {inside.x, inside.y + 23}, "2020: β = 1, K = 3, p = 0.001",
      words_style(view.theme().dim, small_size), inside.w);
  inside.cut_top(34);
  capacity(view, inside);
}

}  // namespace headlight::views
