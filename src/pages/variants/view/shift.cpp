// The card of the shift: how much scores change when the whole sentence begins at another position.
#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "kit/area_name.h"
#include "kit/curve.h"
#include "kit/words.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/view.h"

namespace headlight::views {

namespace {

/// Draws what the shift changes most, for both sides, where there is no curve.
void shift_bars(const VariantsView& view, Box area) {
  struct Measure {
    const char *title, *quantity;
  };
  constexpr Measure measures[] = {{"largest change of a score", "variant_shift"},
                                  {"largest change of a weight", "variant_shift_weight"}};
  constexpr float title = 20, row = 24, number = 72, badge = 26;
  for (const Measure& measure : measures) {
    if (area.h < title + 2 * row) return;
    put(view.pen, {area.x, area.y + title / 2}, measure.title, strong_style(view.theme().text, word_size),
        area.w);
    area.cut_top(title);
    const std::string name = measure.quantity;
    const double a = view.in.value(name + " side=a"), b = view.in.value(name + " side=b");
    const double most = std::max(std::isnan(a) ? 0 : a, std::isnan(b) ? 0 : b);
    for (const WhichSide which : {WhichSide::a, WhichSide::b}) {
      const Box line = area.cut_top(row);
      const double value = which == WhichSide::a ? a : b;
      side_badge(view.pen, {line.x + 9, line.centre().y}, which);
      put(view.pen, {line.right(), line.centre().y},
          view.in.text(name + (which == WhichSide::a ? " side=a" : " side=b"), change_size),
          aligned(mono_style(view.theme().text, small_size), Align::right), number);
      const Box track{line.x + badge, line.centre().y - 4, std::max(0.f, line.w - badge - number - 8), 8};
      view.pen.canvas.rect(track, view.theme().field, 2);
      if (value > 0 && most > 0)
        view.pen.canvas.rect({track.x, track.y, track.w * static_cast<float>(value / most), track.h},
                             side_color(view.theme(), which), 2);
    }
    area.cut_top(10);
  }
}

/// Plots the largest change of a score against the shift, for both sides.
void shift_plot(const VariantsView& view, Box area, double most) {
  // Changes that are only rounding stay on the base line.
  const double high = nice_ceiling(std::max(most, 0.01));
  PlotWords words{"largest change of a score, by shift", {}, {{0, "0"}, {high, brief(high, 3)}}};
  for (const int shift : {0, 16, 32, 48, 64}) words.x.push_back({double(shift), std::to_string(shift)});
  const Plot plot = framed_plot(view.pen, area, {{}, 0, scene::most_shift, 0, high}, words);
  if (plot.box.w < 10 || plot.box.h < 10) return;
  name_area(view.pen, view.in, "curves", {plot.box.x - 3, plot.box.y - 6, plot.box.w + 9, plot.box.h + 10});
  const float x = plot.x(view.settings().shift);
  view.pen.canvas.line({x, plot.box.y - 4}, {x, plot.box.bottom()}, {view.theme().text, 1, 3});
  for (const WhichSide which : {WhichSide::b, WhichSide::a}) {
    std::vector<PlotPoint> points;
    for (const scene::ShiftPoint& point : side_of(view, which).shifts)
      points.push_back({double(point.shift), point.score_change});
    CurveStyle style{side_color(view.theme(), which), 2, which == WhichSide::b ? 4.f : 0.f};
    if (points.size() <= scene::most_shift) style.mark = PointMark::dot, style.size = 3;
    curve(view.pen, plot, points, style);
  }
}

}  // namespace

void shift_card(const VariantsView& view, Box box) {
  const int shift = view.settings().shift;
  const int wanted = view.in.scene.variants.shift;
  std::vector<Choice> choices;
  for (const int value : {0, 1, 8, 64}) {
    choices.push_back({std::to_string(value), "variants_shift=" + std::to_string(value),
                       "shift " + std::to_string(value), wanted == value,
                       value == 0 ? "the first token at position 0"
                                  : "the first token at position " + std::to_string(value)});
  }
  Box inside =
      card(view.pen, box,
           {"Shifted by " + std::to_string(view.settings().shift), "", segmented_width(view.pen, choices)},
           "shift");
  segmented(view.pen, card_corner(box), choices);
  for (const WhichSide which : {WhichSide::a, WhichSide::b}) {
    const scene::VariantSideResults& side = side_of(view, which);
    const std::string words = position_name(side.settings.position) + ": " + shift_words(side, shift);
    side_badge(view.pen, {inside.x + 9, inside.y + 8}, which);
    const float room = inside.w - 26;
    float y = inside.y + 8;
    const float named = view.pen.canvas.text_width(position_name(side.settings.position) + ": ",
                                                   words_style(view.theme().text));
    const auto lines = wrap(view.pen, words, words_style(view.theme().text), room, inside.h >= 200 ? 3 : 2);
    for (const std::string& line : lines) {
      const float from = &line == &lines.front() ? std::min(named, room) : 0.f;
      name_area(view.pen, view.in, which == WhichSide::a ? "words of A" : "words of B",
                {inside.x + 26 + from - 2, y - 8, room - from + 2, 16});
      put(view.pen, {inside.x + 26, y}, line, words_style(view.theme().text), room);
      y += 15;
    }
    inside.cut_top(lines.size() > 1 ? 8 + 15 * static_cast<float>(lines.size()) : 24.f);
  }
  double most = 0;
  bool swept = true;
  for (const WhichSide which : {WhichSide::b, WhichSide::a}) {
    const std::vector<scene::ShiftPoint>& shifts = side_of(view, which).shifts;
    for (const scene::ShiftPoint& point : shifts) most = std::max(most, point.score_change);
    swept = swept && (shifts.size() > 3 || shifts.empty());
  }
  inside.cut_top(2);
  if (!swept) {  // two points do not make a curve
    inside.cut_top(14 +
                   paragraph(view.pen, {inside.x, inside.y + 6}, inside.w,
                             "With this many tokens only this shift is computed; with fewer, all from 0 to " +
                                 std::to_string(scene::most_shift) + ".",
                             words_style(view.theme().dim, small_size), 3));
    if (view.settings().shift > 0) shift_bars(view, inside);
  } else if (inside.h > 60) {
    shift_plot(view, inside, most);
  }
}

}  // namespace headlight::views
