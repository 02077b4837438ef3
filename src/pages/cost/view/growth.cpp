#include <algorithm>
#include <array>
#include <cmath>

#include "kit/curve.h"
#include "kit/words.h"
#include "pages/cost/cost.h"
#include "pages/cost/view/sheet.h"

namespace headlight::views {

using nn::Architecture;

namespace {

constexpr std::array<Architecture, 4> drawn = {Architecture::convolution, Architecture::recurrence,
                                               Architecture::linear_attention, Architecture::self_attention};

double whole(const scene::GrowthRow& row, Architecture architecture) {
  return static_cast<double>(row.whole[static_cast<std::size_t>(architecture)]);
}

Plot growth_plot(const CostSheet& sheet, Box box) {
  const std::vector<scene::GrowthRow>& rows = sheet.results.growth;
  double least = whole(rows.front(), drawn[0]), most = least;
  for (const Architecture one : drawn) {
    least = std::min(least, whole(rows.front(), one));
    most = std::max(most, whole(rows.back(), one));
  }
  Plot plot = log_plot(box, double(rows.front().n), double(rows.back().n), 1, 10);
  while (plot.from_y * 10 <= least) plot.from_y *= 10;
  while (plot.to_y < most) plot.to_y *= 10;
  return plot;
}

/// Each length with its four numbers, under the pointer.
void notes(const CostSheet& sheet, const Plot& plot) {
  const std::vector<scene::GrowthRow>& rows = sheet.results.growth;
  const float half = rows.size() < 2 ? 8 : (plot.x(rows[1].n) - plot.x(rows[0].n)) / 2;
  for (const scene::GrowthRow& row : rows) {
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "growth " + std::to_string(row.n);
    const float from = std::max(plot.x(row.n) - half, plot.box.x),
                to = std::min(plot.x(row.n) + half, plot.box.right());
    mark.area = {from, plot.box.y, to - from, plot.box.h};
    mark.note = "n = " + with_commas(row.n) + ", multiply-adds of the whole layer";
    for (const Architecture one : drawn)
      mark.note += std::string("\n") + scene::name_of(one) + " " +
                   with_commas(static_cast<long long>(whole(row, one)));
    sheet.pen.canvas.mark(mark);
    sheet.pen.canvas.mark({});
  }
}

void draw_curves(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  std::vector<LegendEntry> entries;
  for (const Architecture one : drawn)
    entries.push_back({scene::name_of(one), layer_color(pen.theme, one), layer_place(one)});
  legend_lines(pen, box, entries);
  box.cut_bottom(36), box.cut_left(40), box.cut_top(10), box.cut_right(10);
  if (box.w < 60 || box.h < 40) return;
  const Plot plot = growth_plot(sheet, box);
  std::vector<Tick> ticks;
  for (double value = plot.from_y; value <= plot.to_y * 1.001; value *= 10)
    ticks.push_back({value, power_words(value)});
  y_grid(pen, plot, ticks);
  log_x_axis(pen, plot, "length n");
  const int n = sheet.settings.n;
  if (n >= plot.from_x && n <= plot.to_x) {
    const float x = plot.x(n);
    pen.canvas.line({x, box.y}, {x, box.bottom()}, {pen.theme.accent, 1.2f, 4});
    const std::string words = "n = " + with_commas(n);
    const draw::TextStyle style = words_style(pen.theme.accent, small_size);
    const float width = pen.canvas.text_width(words, style);
    put(pen, {x + 4 + width <= box.right() ? x + 4 : x - 4 - width, box.y + 6}, words, style);
  }
  for (const Architecture one : drawn) {
    std::vector<PlotPoint> points;
    for (const scene::GrowthRow& row : sheet.results.growth)
      points.push_back({double(row.n), whole(row, one)});
    // In a low plot the curves are closer to each other than marks are high.
    constexpr float low = 160;
    const float mark = !pen.canvas.plain() && box.h < low ? 2.5f : 4.f;
    curve(pen, plot, points, series_style(layer_color(pen.theme, one), layer_place(one), mark));
  }
  notes(sheet, plot);
}

/// A formula in a sentence, which no line break divides.
std::string unbroken(std::string formula) {
  constexpr const char* no_break_space = "\u00a0";
  for (std::size_t at = 0; (at = formula.find(' ', at)) != std::string::npos; ++at)
    formula.replace(at, 1, no_break_space);
  return formula;
}

/// Where the curves cross, with the settings' own numbers.
std::string crossing_words(const CostSheet& sheet) {
  return "Linear and self-attention cross at " + unbroken("n = d = " + with_commas(sheet.settings.d)) +
         " (one head) or " + unbroken("n = d/h") + ".";
}

/// What the curves show.
std::string growth_words(const CostSheet& sheet) {
  return "Linear attention drops the softmax, so its products cost " + unbroken("2 n d²") + " instead of " +
         unbroken("2 n² d") + ". " + crossing_words(sheet) +
         " For large n, self-attention grows with n², the others with n. The projections of attention, " +
         unbroken("4 n d²") + ", are twice the " + unbroken("2 n d²") +
         " of this recurrence: a whole attention layer always needs more multiplications.";
}

}  // namespace

void cost_growth_card(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const scene::CostSettings& s = sheet.settings;
  Box inside =
      card(pen, box,
           {"Cost by length", "multiply-adds of the whole layer with one head, d = " + std::to_string(s.d) +
                                  ", k = " + std::to_string(s.k)},
           "growth");
  if (sheet.results.growth.empty()) return;
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  constexpr float low = 340;  // the plot has the room of the other sentences
  const std::string words = !pen.canvas.plain() && box.h < low ? crossing_words(sheet) : growth_words(sheet);
  const float high = paragraph(pen, {inside.x, inside.y}, inside.w, words, quiet, 6, false);
  if (with_hints(pen, high + 8)) {
    const Box foot = inside.cut_bottom(high);
    paragraph(pen, {foot.x, foot.y}, foot.w, words, quiet, 6);
    inside.cut_bottom(8);
  }
  draw_curves(sheet, inside);
}

}  // namespace headlight::views
