// P with its positions across, above the wave of the chosen pair: both on one axis of positions.
#include <algorithm>
#include <cmath>

#include "kit/words.h"
#include "pages/position/view/cards.h"

namespace headlight::views {

namespace {

constexpr float left_words = 56, marker_words = 28, axis_words = 36, bar_words = 30;

constexpr const char* wavelengths = "wavelength";
constexpr float beside_picture = 12;
/// The room at the right for the wavelengths and what they are, which are larger on a slide.
float right_words(const Pen& pen) {
  constexpr float least = 76, rounding = 2;
  return std::max(least, beside_picture + rounding +
                             std::ceil(pen.canvas.text_width(wavelengths, words_style({}, small_size))));
}

/// The picture of P: a row for each column of P, a column for each position.
struct Across {
  Box box;
  float cell_w = 0, cell_h = 0;
  Plot plot;  // its x axis is that of the picture and of the wave
  Box band(int pair) const {
    return {box.x, box.y + 2 * static_cast<float>(pair) * cell_h, box.w, 2 * cell_h};
  }
  Box position(double at) const {
    constexpr float least = 4;
    const float w = std::max(least, cell_w);
    return {plot.x(at) - w / 2, box.y, w, box.h};
  }
};

/// A frame that is seen on light and on dark cells.
void framed(const PositionView& view, Box box, draw::Color color) {
  view.canvas().frame(box.inset(-3), {draw::faded(view.theme().panel, 0.85f), 1}, 3);
  view.canvas().frame(box.inset(-2), {color, 2}, 2);
  view.canvas().frame(box, {draw::faded(view.theme().panel, 0.85f), 1}, 1);
}

/// At the left the pairs, to choose one; at the right their wavelengths.
void pair_words(const PositionView& view, const Across& map) {
  const Pen& pen = view.pen;
  const int together = std::max(1, static_cast<int>(std::ceil(4 / (2 * map.cell_h))));
  for (int first = 0; first < view.pairs; first += together) {
    const Box band = map.band(first);
    const auto count = static_cast<float>(std::min(together, view.pairs - first));
    pen.canvas.mark({.part = Part::clock,
                     .key = first,
                     .note = "pair " + std::to_string(first) + ", columns " + std::to_string(2 * first) +
                             " and " + std::to_string(2 * first + 1) + ": wavelength " +
                             wavelength_words(view.omega(first)) + "\nclick: show its wave",
                     .area = {map.box.x - left_words, band.y, left_words, count * band.h}});
  }
  pen.canvas.mark({});
  const auto words = [&](int pair, bool strong) {
    const float y = map.band(pair).centre().y;
    const draw::TextStyle style =
        strong ? strong_style(pen.theme.text, small_size) : words_style(pen.theme.dim, small_size);
    pen.canvas.text({map.box.x - 10, y}, (strong ? "pair " : "") + std::to_string(pair),
                    aligned(style, Align::right));
    pen.canvas.text({map.box.right() + beside_picture, y}, wavelength_words(view.omega(pair)), style);
  };
  constexpr float apart = 20, beside_chosen = 13;  // lines of small words
  const float chosen = view.pair >= 0 ? map.band(view.pair).centre().y : -1e6f;
  for (const int pair : whole_ticks(view.pairs - 1, map.box.h - 2 * map.cell_h, apart + 4))
    if (std::abs(map.band(pair).centre().y - chosen) >= beside_chosen) words(pair, false);
  if (view.pair >= 0) words(view.pair, true);
  put(pen, {map.box.right() + beside_picture, map.box.y - 14}, wavelengths,
      words_style(pen.theme.dim, small_size), right_words(pen) - beside_picture);
}

/// i and i + δ: frames in the picture, lines through the wave, and their names above.
void two_positions(const PositionView& view, const Across& map, float bottom) {
  if (!marks_selection(view.pen)) return;
  std::vector<LineLabel> labels;
  const int digits = view.running == std::floor(view.running) ? 0 : 1;
  const auto one = [&](double at, bool there, const std::string& words, draw::Color color) {
    if (!there) {
      labels.push_back({at < view.first ? map.box.x : map.box.right(), words + " is outside P", color});
      return;
    }
    const float x = map.plot.x(at);
    framed(view, map.position(at), color);
    view.canvas().line({x, map.box.bottom() + 3}, {x, bottom}, {color, 1.5f});
    labels.push_back({x, words, color});
  };
  if (view.delta != 0)
    one(view.running + view.delta, view.has(view.ahead()),
        "i + δ = " + fixed(view.running + view.delta, digits), view.theme().offset);
  one(view.running, view.has(view.i), "i = " + fixed(view.running, digits), view.theme().key);
  line_labels(view.pen, labels, map.box.y - 14, map.box.x - left_words, map.box.right());
}

/// The curve of a column from the first position to the last, as far as P has rows.
void wave_of(const PositionView& view, Plot plot, int column, draw::Stroke stroke) {
  if (view.rows < 2) return;
  const float from = plot.x(view.first), to = plot.x(view.last());
  plot.box.x = from, plot.box.w = to - from;
  plot.from_x = view.first, plot.to_x = view.last();
  column_wave(view, plot, column, stroke);
}

void wave(const PositionView& view, const Across& map) {
  const Pen& pen = view.pen;
  const int sine = 2 * view.pair;
  const draw::Color colors[] = {draw::series(pen.theme, 0), draw::series(pen.theme, 1)};
  const std::string pair = "Pair " + std::to_string(view.pair);
  const std::string words[] = {"sine, column " + std::to_string(sine),
                               "cosine, column " + std::to_string(sine + 1)};
  constexpr float swatch = 18, gap = 16, before_words = 6, rounding = 1;
  float width = pen.canvas.text_width(pair, strong_style({}, 14));
  for (const std::string& one : words)
    width += gap + swatch + before_words + pen.canvas.text_width(one, words_style({}));
  // The lines of i and i + δ do not cross the words, if they have room beside them.
  const Box box = map.plot.box;
  float x = box.x;
  for (const float at : {box.x, box.x + (box.w - width) / 2, box.right() - width}) {
    const auto crossed = [&](double position) {
      constexpr float reach = 8;
      return map.plot.x(position) > at - reach && map.plot.x(position) < at + width + reach;
    };
    if (at < box.x || crossed(view.running) || (view.delta != 0 && crossed(view.running + view.delta)))
      continue;
    x = at;
    break;
  }
  const float y = box.y - 18;
  x += put(pen, {x, y}, pair, strong_style(pen.theme.text, 14), box.right() - x) + gap;
  for (int n = 0; n < 2 && x + swatch < box.right(); ++n) {
    pen.canvas.line({x, y}, {x + swatch, y}, {colors[n], 2.5f, n == 0 ? 0.f : 4.f});
    x += swatch + before_words;
    x += put(pen, {x, y}, words[n], words_style(pen.theme.text), box.right() + rounding - x) + gap;
  }
  y_grid(pen, map.plot, std::vector<double>{-1, 0, 1}, 0);
  for (int n = 0; n < 2; ++n) wave_of(view, map.plot, sine + n, {colors[n], 2});
}

void dots(const PositionView& view, const Across& map) {
  if (!marks_selection(view.pen)) return;
  const auto dot = [&](double at, int row, int n, bool hollow) {
    const int column = 2 * view.pair + n;
    const double value = at == static_cast<double>(row) ? static_cast<double>(view.value(row, column))
                                                        : view.along(column, at);
    const Point point = map.plot.at(at, value);
    const draw::Color color = draw::series(view.theme(), n);
    view.canvas().circle(point, 6, view.theme().panel);
    if (hollow) {
      view.canvas().ring(point, 4, {color, 2});
    } else {
      view.canvas().circle(point, 4.5f, color);
    }
  };
  for (int n = 0; n < 2; ++n) {
    if (view.delta != 0 && view.has(view.ahead())) dot(view.running + view.delta, view.ahead(), n, true);
    if (view.has(view.i)) dot(view.running, view.i, n, false);
  }
}

/// A drag anywhere moves i, and one at the line of i + δ moves that.
void axis_of_both(const PositionView& view, const Across& map, float bottom) {
  Mark mark;
  mark.part = Part::position_axis, mark.name = "position axis of P";
  mark.area = {map.box.x, map.box.y, map.box.w, bottom - map.box.y};
  mark.from = static_cast<float>(map.plot.from_x), mark.to = static_cast<float>(map.plot.to_x);
  view.canvas().mark(mark);
  if (view.delta != 0 && view.has(view.ahead())) {
    constexpr float reach = 7;
    const float x = map.plot.x(view.ahead()), half = reach / map.cell_w;
    mark.part = Part::offset_axis, mark.name = "offset axis of P";
    mark.area = {x - reach, map.box.y - marker_words, 2 * reach, bottom - map.box.y + marker_words};
    mark.from = static_cast<float>(view.ahead()) - half, mark.to = static_cast<float>(view.ahead()) + half;
    view.canvas().mark(mark);
  }
  view.canvas().mark({});
}

}  // namespace

bool p_across(const PositionView& view) {
  return view.waves() && view.pairs > 0 && view.in.scene.positions.axis == scene::PAxis::across;
}

bool room_for_wave(const PositionView& view, float height) {
  constexpr float least = 300;
  return view.pair >= 0 && height >= least;
}

void p_over_waves(const PositionView& view, Box inside, bool with_wave, bool for_columns) {
  const Pen& pen = view.pen;
  constexpr float wave_share = 0.36f, between = 40;
  const float least_with_bar = with_wave ? 344 : 320;
  if (inside.h >= least_with_bar) {
    const Box foot = inside.cut_bottom(bar_words);
    color_bar(pen, {foot.x + left_words, foot.y + 6, std::min(240.f, foot.w * 0.4f), 8},
              {draw::Colormap::blues, "−1", "0", "1"});
  }
  inside.cut_left(left_words), inside.cut_right(right_words(pen));
  inside.cut_top(marker_words), inside.cut_bottom(axis_words);
  if (inside.w < 40 || inside.h < 20) return;
  Across map;
  if (with_wave) {
    map.plot.box = inside.cut_bottom(std::round(inside.h * wave_share));
    inside.cut_bottom(between);
  }
  map.box = inside;
  if (!with_wave) map.plot.box = {inside.x, inside.bottom(), inside.w, 0};
  map.cell_w = inside.w / static_cast<float>(view.rows),
  map.cell_h = inside.h / static_cast<float>(view.cols);
  map.plot.from_x = view.first - 0.5, map.plot.to_x = view.last() + 0.5;
  const float bottom = with_wave ? map.plot.box.bottom() : map.box.bottom();

  draw::Heatmap heat = with_signs(heat_of(view.results.p, view.in.results.version), view.results.largest);
  heat.map = draw::Colormap::blues, heat.transposed = true;
  heat.gaps = std::min(map.cell_w, map.cell_h) >= 20;
  draw_cells(pen, map.box, heat);
  pair_words(view, map);
  if (with_wave) {
    const float top = map.plot.box.y - between;
    if (for_columns)
      pen.canvas.panel(
          {map.box.x - left_words, top, map.box.w + left_words + right_words(pen), bottom + axis_words - top},
          "columns", "Pair " + std::to_string(view.pair));
    wave(view, map);
  }
  if (view.pair >= 0 && marks_selection(pen)) framed(view, map.band(view.pair), pen.theme.text);
  two_positions(view, map, bottom);
  if (with_wave) dots(view, map);
  std::vector<int> ticks = whole_ticks(view.rows - 1, map.box.w, tick_room(view));
  for (int& tick : ticks) tick += view.first;
  x_axis(pen, map.plot, ticks, "position");
  axis_of_both(view, map, bottom);
}

}  // namespace headlight::views
