// The card that shows why scores are divided by √d_k.
#include <algorithm>
#include <array>
#include <cmath>

#include "kit/area_name.h"
#include "kit/curve.h"
#include "kit/words.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/view.h"

namespace headlight::views {

namespace {

using Measure = double (*)(const scene::DotProducts&);

/// One quantity plotted against d_k on a logarithmic axis, raw and scaled.
struct DotMeasure {
  const char* title;
  Measure raw, scaled;
  const char *raw_quantity, *scaled_quantity;
  bool logarithmic;
  double hi;
  const char* note;
};

/// A quantity of the widths, whose form is read once for all of them.
struct WidthNumber {
  const PageInput& in;
  const char* name;
  base::NumberForm form = in.numbers ? in.read(quantity(name, {{"d", 16}})).form : base::NumberForm{};
  std::string at(int width, double value) const {
    std::string words = base::written(value, form);
    if (in.stated) in.noted(quantity(name, {{"d", width}}), value, words);
    return words;
  }
};

/// Numbers at two of the widths, on their curves, where the card is shown alone: at 512 they are below the
/// plot. The number of the upper curve is above its point, that of the lower one below. A single curve that
/// falls has its numbers below, where it does not pass.
void numbers_at_points(const VariantsView& view, const Plot& plot, const DotMeasure& which) {
  constexpr float least_wide = 150, least_high = 70;
  if (!view.in.alone || plot.box.w < least_wide || plot.box.h < least_high) return;
  const bool with_scaled = !view.in.leaves_out("scaled series");
  const WidthNumber raw{view.in, which.raw_quantity}, scaled{view.in, which.scaled_quantity};
  const bool falls = which.raw(view.results.dots.back()) < which.raw(view.results.dots.front());
  for (const scene::DotProducts& dot : view.results.dots) {
    if (dot.d_k != 4 && dot.d_k != 64) continue;
    const auto put_number = [&](double value, const std::string& words, draw::Color color, bool above) {
      const Point at = plot.at(dot.d_k, value);
      view.pen.canvas.circle(at, 3, color);
      const draw::TextStyle style = mono_style(color, small_size);
      const float wide = view.pen.canvas.text_width(words, style);
      // Left of the line at the width of the heads, whose right side may be covered.
      const float right = std::max(at.x - 4, plot.box.x + wide + 2);
      const float y = std::clamp(at.y + (above ? -11.f : 11.f), plot.box.y + 7, plot.box.bottom() - 7);
      view.pen.canvas.text({right, y}, words, aligned(style, Align::right));
    };
    const double of_raw = which.raw(dot), of_scaled = which.scaled(dot);
    const bool upper = with_scaled ? of_raw >= of_scaled : !falls;
    put_number(of_raw, raw.at(dot.d_k, of_raw), raw_color(view), upper);
    if (with_scaled) put_number(of_scaled, scaled.at(dot.d_k, of_scaled), scaled_color(view), !upper);
  }
}

void dot_plot(const VariantsView& view, Box area, const DotMeasure& which) {
  const std::vector<scene::DotProducts>& dots = view.results.dots;
  // All of it has a name, clear of its words, so that an outline around it touches none of them.
  constexpr float beside = 5, above = 3, half_a_label = 10;
  view.pen.canvas.mark({.part = draw::Part::note,
                        .note = which.note,
                        .name = which.title,
                        .area = {area.x - beside, area.y - above, area.w + 2 * beside, area.h + 2 * above}});
  view.pen.canvas.mark({});
  const bool with_scaled = !view.in.leaves_out("scaled series");
  PlotWords words;
  words.title = which.title;
  std::vector<PlotPoint> raw, scaled, predicted;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const auto d_k = static_cast<double>(dots[i].d_k);
    raw.push_back({d_k, which.raw(dots[i])}), scaled.push_back({d_k, which.scaled(dots[i])});
    predicted.push_back({d_k, d_k});
    const bool every = area.w > 260 ? i % 2 == 0 || i + 1 == dots.size() : i % 4 == 0;
    if (every && !(area.w > 260 && i + 2 == dots.size()))
      words.x.push_back({d_k, std::to_string(dots[i].d_k)});
  }
  if (which.logarithmic) {
    words.y = {{1, "1"}, {16, "16"}, {256, "256"}};
  } else {
    words.y = {{0, "0"}, {which.hi / 2, brief(which.hi / 2, 3)}, {which.hi, brief(which.hi, 3)}};
  }
  const Box numbers = area.cut_bottom(16);
  area.cut_right(half_a_label);  // the last one is below the end of its axis
  const double last = dots.back().d_k;
  const Plot plot = framed_plot(
      view.pen, area,
      {{}, double(dots.front().d_k), last, which.logarithmic ? 0.25 : 0, which.hi, true, which.logarithmic},
      words);
  const Box& box = plot.box;
  if (box.w >= 10 && box.h >= 10) {
    // Mark the width of the scene's own heads among the sampled widths.
    if (view.results.d_k <= last) {
      const float x = plot.x(view.results.d_k);
      view.pen.canvas.line({x, box.y - 4}, {x, box.bottom()}, {view.theme().text, 1, 3});
    }
    if (which.logarithmic) {
      const std::array<PlotPoint, 2> one = {PlotPoint{double(dots.front().d_k), 1}, {last, 1}};
      curve(view.pen, plot, predicted, {view.theme().dim, 2, 4});
      curve(view.pen, plot, one, {view.theme().dim, 2, 4});
    }
    curve(view.pen, plot, raw, {raw_color(view)});
    if (with_scaled) curve(view.pen, plot, scaled, {scaled_color(view)});
    numbers_at_points(view, plot, which);
  }
  // What the widths beyond that of the heads give: the end of the curves, and the number at it.
  if (const float at = plot.x(view.results.d_k) + 2; view.results.d_k < last)
    name_area(view.pen, view.in, std::string(which.title) + " beyond d_k",
              {at, box.y - 5, box.right() + 4 - at, box.h + 9});
  const draw::TextStyle style = mono_style(raw_color(view), small_size);
  const WidthNumber raw_number{view.in, which.raw_quantity}, scaled_number{view.in, which.scaled_quantity};
  const std::string left = raw_number.at(dots.back().d_k, which.raw(dots.back()));
  const std::string right = with_scaled ? scaled_number.at(dots.back().d_k, which.scaled(dots.back())) : "";
  // Both numbers have room: the line begins further left, or its words are shorter.
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  constexpr float after_words = 6, after_number = 10;
  const auto width_of = [&](const std::string& where) {
    return view.pen.canvas.text_width(where, quiet) + after_words + view.pen.canvas.text_width(left, style) +
           after_number + view.pen.canvas.text_width(right, style);
  };
  const std::string width = std::to_string(dots.back().d_k) + ":";
  std::string where = "at d_k = " + width;
  if (width_of(where) > numbers.w) where = "at " + width;
  float x = std::max(numbers.x, std::min(box.x, numbers.right() - width_of(where)));
  x += put(view.pen, {x, numbers.centre().y}, where, quiet, numbers.right() - x) + after_words;
  name_area(view.pen, view.in, std::string(which.title) + " at the end",
            {x - 4, numbers.y - 1,
             std::min(view.pen.canvas.text_width(right.empty() ? left : left + "  " + right, style) + 8,
                      numbers.right() - x + 4),
             numbers.h + 2});
  x += put(view.pen, {x, numbers.centre().y}, left, style, numbers.right() - x) + after_number;
  if (with_scaled)
    put(view.pen, {x, numbers.centre().y}, right, mono_style(scaled_color(view), small_size),
        numbers.right() - x);
  if (box.w <= 10) return;
  column_marks(view.pen, box, dots.size(), [&](std::size_t i) {
    draw::Mark mark;
    mark.part = draw::Part::note;
    mark.name = std::string(which.title) + " at " + std::to_string(dots[i].d_k);
    mark.note =
        "d_k = " + std::to_string(dots[i].d_k) + "\nq·k: " + raw_number.at(dots[i].d_k, which.raw(dots[i]));
    if (with_scaled) mark.note += "\nq·k ÷ √d_k: " + scaled_number.at(dots[i].d_k, which.scaled(dots[i]));
    mark.note += std::string("\n") + which.note;
    return mark;
  });
}

constexpr std::array<DotMeasure, 4> dot_plots = {{
    {"variance of a score", [](const scene::DotProducts& d) { return d.variance; },
     [](const scene::DotProducts& d) { return d.scaled_variance; }, "dots_variance", "dots_scaled_variance",
     true, 1024, "dashed: predicted, d_k and 1"},
    {"largest weight", [](const scene::DotProducts& d) { return d.raw.largest; },
     [](const scene::DotProducts& d) { return d.scaled.largest; }, "dots_largest", "dots_scaled_largest",
     false, 1, "mean over 64 queries, 8 keys"},
    {"entropy, bits", [](const scene::DotProducts& d) { return d.raw.entropy_bits; },
     [](const scene::DotProducts& d) { return d.scaled.entropy_bits; }, "dots_entropy", "dots_scaled_entropy",
     false, 3, "at most log₂ 8 = 3 bits"},
    {"gradient of the softmax", [](const scene::DotProducts& d) { return d.raw.gradient; },
     [](const scene::DotProducts& d) { return d.scaled.gradient; }, "dots_gradient", "dots_scaled_gradient",
     false, 0.5, "Frobenius norm of ∂α/∂score = diag(α) − α αᵀ"},
}};

}  // namespace

void dots_card(const VariantsView& view, Box box) {
  Box inside = card(view.pen, box,
                    {"Why divide by √d_k",
                     "q·k of N(0, 1) vectors has variance d_k: the softmax saturates; mean of 512 products"},
                    "dots");
  const float y = inside.y + 6;
  float x = inside.x;
  x += legend(view.pen, {x, y}, raw_color(view), "q·k") + 16;
  if (!view.in.leaves_out("scaled series"))
    x += legend(view.pen, {x, y}, scaled_color(view), "q·k ÷ √d_k") + 16;
  const std::string rest = "dashed: predicted · vertical: d_k = " + std::to_string(view.results.d_k);
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const bool beside = x + view.pen.canvas.text_width(rest, quiet) <= inside.right();
  put(view.pen, {beside ? x : inside.x, beside ? y : y + 17}, rest, quiet, inside.w);
  inside.cut_top(beside ? 22.f : 39.f);
  // A high card has two plots per row, since curves in narrow frames look too steep.
  const int columns = inside.w >= 720 && inside.h < inside.w * 0.45f ? 4 : inside.w >= 340 ? 2 : 1;
  const int rows = 4 / columns;
  const float wide = (inside.w + 16) / static_cast<float>(columns),
              high = (inside.h + 10) / static_cast<float>(rows);
  for (int i = 0; i < 4; ++i) {
    dot_plot(view,
             {inside.x + static_cast<float>(i % columns) * wide,
              inside.y + static_cast<float>(i / columns) * high, wide - 16, high - 10},
             dot_plots[static_cast<std::size_t>(i)]);
  }
}

}  // namespace headlight::views
