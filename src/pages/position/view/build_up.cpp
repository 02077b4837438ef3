#include <algorithm>
#include <cmath>
#include <numbers>

#include "kit/clock_face.h"
#include "kit/plot.h"
#include "kit/words.h"
#include "pages/position/view/cards.h"

namespace headlight::views {

namespace {

constexpr double pi = std::numbers::pi;

/// What the rows of P say about position i in the columns of one pair.
struct Likeness {
  int first = 0, last = 0;  // the positions looked at: four wavelengths around i, or all
  int column = 0;           // the sine
  bool has_cosine = false;
  int twin = -1;        // another position with nearly the same sine, if one exists with another cosine
  double sine_gap = 0;  // between the two
  int again = -1;       // at least half a wavelength away: the direction nearest to that of i
  double again_degrees = 0;
};

Likeness likeness(const PositionView& view) {
  Likeness found;
  const int pair = std::max(0, view.pair);
  found.column = 2 * pair, found.has_cosine = view.pair >= 0;
  const auto sine = [&](int row) { return static_cast<double>(view.value(row, found.column)); };
  const auto cosine = [&](int row) {
    return found.has_cosine ? static_cast<double>(view.value(row, found.column + 1)) : 0.0;
  };
  const double half_wavelength = pi / view.omega(pair);
  const double wanted = std::max(60.0, std::ceil(8 * half_wavelength));
  const int span = wanted >= 0.8 * view.rows ? view.rows - 1 : static_cast<int>(wanted);
  found.first = std::clamp(view.i - span / 2, view.first, view.last() - span);
  found.last = found.first + span;
  constexpr double same_sine = 0.05, other_cosine = 0.2;
  bool found_mirrored = false;
  double best_again = 3;
  for (int row = found.first; row <= found.last; ++row) {
    if (row == view.i) continue;
    const double gap = std::abs(sine(row) - sine(view.i));
    const bool mirrored = gap < same_sine && std::abs(cosine(row) - cosine(view.i)) > other_cosine;
    const bool better = found.twin < 0 || gap < found.sine_gap;
    if (mirrored && (!found_mirrored || better)) {
      found.twin = row, found.sine_gap = gap, found_mirrored = true;
    } else if (!found_mirrored && better) {
      found.twin = row, found.sine_gap = gap;
    }
    if (std::abs(row - view.i) > half_wavelength) {
      const double chord = std::hypot(sine(row) - sine(view.i), cosine(row) - cosine(view.i));
      if (chord < best_again) best_again = chord, found.again = row;
    }
  }
  found.again_degrees = 2 * std::asin(std::min(1.0, best_again / 2)) * 180 / pi;
  return found;
}

std::string at(double value, int position) {
  return fixed(value, 3) + " at position " + std::to_string(position);
}

std::string first_sentence(const PositionView& view, const Likeness& like) {
  const std::string column = "Column " + std::to_string(like.column) + " alone is ";
  const std::string here = at(static_cast<double>(view.value(view.i, like.column)), view.i);
  if (like.twin < 0) return column + here + ". P has no other position.";
  const std::string there = at(static_cast<double>(view.value(like.twin, like.column)), like.twin);
  const std::string wave = wavelength_words(view.omega(like.column / 2));
  constexpr double slow = 0.05;  // neighbours of such a column never differ by more
  if (std::abs(like.twin - view.i) == 1 && view.omega(like.column / 2) < slow)
    return column + here + " and " + there + ". Its wavelength of " + wave +
           " positions is so long that neighbours differ by " + brief(like.sine_gap, 1) +
           ": one number hardly distinguishes them.";
  if (like.sine_gap < 0.05)
    return column + here + " and " + there + ": one number " +
           (like.sine_gap < 5e-4 ? "does not distinguish" : "hardly distinguishes") + " these two positions.";
  return column + here + "; the nearest value around it is " + there + ". Its curve repeats every " + wave +
         " positions, but integer positions need not take the same value again.";
}

std::string second_sentence(const PositionView& view, const Likeness& like) {
  if (!like.has_cosine) return "d = 1 has no cosine, so there is no direction on the circle.";
  const int cosine = like.column + 1;
  std::string words;
  if (like.twin >= 0) {
    const double here = static_cast<double>(view.value(view.i, cosine)),
                 there = static_cast<double>(view.value(like.twin, cosine));
    if (std::abs(here - there) > 0.2) {
      words = "The cosine, " + at(here, view.i) + " and " + at(there, like.twin) +
              ", distinguishes them: together they determine a direction. ";
    } else {
      words = "Sine and cosine together determine a direction on the circle. ";
    }
  }
  const std::string wave = wavelength_words(view.omega(like.column / 2));
  if (like.again >= 0 && like.again_degrees < 20) {
    return words + "But it repeats every " + wave + " positions: the hand of position " +
           std::to_string(like.again) + " is only " +
           fixed(like.again_degrees, like.again_degrees < 1 ? 2 : 1) + "° away.";
  }
  const bool longer = 2 * pi / view.omega(like.column / 2) > view.rows;
  words += "It repeats every " + wave + " positions" +
           (longer ? ", more than this P has"
                   : "; no row of this P is a whole turn away from position " + std::to_string(view.i));
  constexpr double slow = 0.02;  // radians per position: about one degree
  return words + (view.omega(like.column / 2) < slow
                      ? ". A hand this slow hardly moves from one position to the next."
                      : ".");
}

std::string third_sentence(const PositionView& view) {
  std::string words = "All " + std::to_string(view.cols) + " columns: ";
  if (view.cols == 1) words = "There is only one column: ";
  const std::vector<int> nearest = view.nearest();
  if (nearest.empty()) {
    return words +
           (view.rows == 1 ? "P has only one row." : "P is too large to compare its rows one by one.");
  }
  const std::string distance = view.in.text(quantity("nearest_distance", {{"row", view.i - view.first}}));
  words += (nearest.size() > 1 ? "the rows most similar to row " : "the row most similar to row ") +
           std::to_string(view.i) + (nearest.size() > 1 ? " are " : " is ") + rows_words(nearest) +
           (nearest.size() > 1 ? ", each " : ", and it is ") + distance + " away. ";
  if (view.results.closest_a < 0) return words;
  if (view.results.closest_distance > 0)
    return words + "No two of the " + with_commas(view.rows) +
           " rows are equal: every position has a unique row.";
  return words + "But rows " + std::to_string(view.first + view.results.closest_a) + " and " +
         std::to_string(view.first + view.results.closest_b) + " are equal.";
}

struct Colors {
  draw::Color here, twin, again;
};

/// The column(s) along the positions with dots at i and at the positions like it.
void waves(const PositionView& view, Box box, const Likeness& like, bool cosine, const Colors& colors) {
  const Pen& pen = view.pen;
  box.cut_left(26), box.cut_bottom(20), box.cut_top(22), box.cut_right(8);
  if (box.w < 20 || box.h < 20) return;
  const Plot plot{box, static_cast<double>(like.first),
                  static_cast<double>(std::max(like.first + 1, like.last)), -1, 1};
  std::vector<int> ticks = whole_ticks(like.last - like.first, box.w, tick_room(view));
  for (int& tick : ticks) tick += like.first;
  y_grid(pen, plot, {-1, 0, 1}, 0);
  x_axis(pen, plot, ticks, "");
  const draw::Color ink = draw::mix(pen.theme.text, pen.theme.panel, 0.35f);
  column_wave(view, plot, like.column, {ink, 2});
  if (cosine) column_wave(view, plot, like.column + 1, {ink, 2});
  std::vector<LineLabel> labels;
  const auto dots = [&](int row, draw::Color color) {
    if (row < 0) return;
    const float x = plot.x(row);
    pen.canvas.line({x, box.y - 6}, {x, box.bottom()}, {color, 1.5f});
    for (int column = like.column; column <= like.column + (cosine ? 1 : 0); ++column) {
      const Point where = plot.at(row, static_cast<double>(view.value(row, column)));
      pen.canvas.circle(where, 6, pen.theme.panel);
      pen.canvas.circle(where, 4.5f, color);
    }
    labels.push_back({x, std::to_string(row), color});
  };
  if (!cosine) {  // the same height twice
    const float y = plot.y(static_cast<double>(view.value(view.i, like.column)));
    pen.canvas.line({box.x, y}, {box.right(), y}, {colors.here, 1, 3});
  }
  if (cosine) dots(like.again, colors.again);
  dots(like.twin, colors.twin);
  dots(view.i, colors.here);
  line_labels(pen, labels, box.y - 14, box.x - 10, box.right() + 6);
}

/// The circle of (sine, cosine): all positions as dots, hands for i and the positions like it.
void circle(const PositionView& view, Box box, const Likeness& like, const Colors& colors) {
  const Pen& pen = view.pen;
  const float radius = std::min(box.w, box.h) / 2 - 8;
  if (radius < 12) return;
  const Point c = box.centre();
  pen.canvas.circle(c, radius, pen.theme.field);
  pen.canvas.ring(c, radius, {pen.theme.border, 1});
  const auto spot = [&](int row, float at_radius) {  // (sin, cos) as (x, up), from P
    return Point{c.x + at_radius * view.value(row, like.column),
                 c.y - at_radius * view.value(row, like.column + 1)};
  };
  for (int row = like.first, step = std::max(1, (like.last - like.first) / 256); row <= like.last;
       row += step)
    pen.canvas.circle(spot(row, radius), 2, pen.theme.dim);
  const auto hand = [&](int row, draw::Color color, float width) {
    if (row < 0) return;
    pen.canvas.line(c, spot(row, radius * 0.88f), {color, width});
    pen.canvas.circle(spot(row, radius), 4.5f, color);
  };
  hand(like.again, colors.again, 2);
  hand(like.twin, colors.twin, 2);
  hand(view.i, colors.here, 3);
  pen.canvas.circle(c, 4, pen.theme.text);
}

/// Whole rows of P under each other: position i, those that one sinusoid or one pair takes for it, the
/// nearest.
void row_strips(const PositionView& view, Box box, const Likeness& like, const Colors& colors) {
  const Pen& pen = view.pen;
  struct Strip {
    int row;
    std::string words;
    draw::Color color;
  };
  std::vector<Strip> strips = {{view.i, "position i", colors.here}};
  const auto add = [&](int row, const std::string& words, draw::Color color) {
    if (row < 0) return;
    for (Strip& strip : strips) {
      if (strip.row == row) return;
    }
    strips.push_back({row, words, color});
  };
  if (const std::vector<int> nearest = view.nearest(); !nearest.empty())
    add(nearest.back(), nearest.size() > 1 ? "one of the two nearest rows" : "the nearest row",
        pen.theme.text);
  add(like.twin, like.sine_gap < 0.05 ? "nearly the same sine" : "the nearest sine", colors.twin);
  if (like.again_degrees < 20) add(like.again, "nearly the same angle", colors.again);
  // The fastest and the slowest pair of columns, below them.
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  const Box ends = box.cut_bottom(view.pairs > 0 ? 18.f : 0.f);
  constexpr float gap = 24;
  const float h = std::min(120.f, box.h / static_cast<float>(strips.size()) - gap);
  if (h < 4) return;
  const float w = std::min(box.w, 2 * h * static_cast<float>(view.cols));
  float y = box.y;
  for (const Strip& strip : strips) {
    const float name = std::max(56.f, 8 + put(pen, {box.x, y + 9}, "p(" + std::to_string(strip.row) + ")",
                                              strong_style(strip.color, small_size)));
    put(pen, {box.x + name, y + 9}, strip.words, words_style(pen.theme.dim, small_size), box.w - name);
    draw::Heatmap heat = p_heat(view, 1);
    heat.gaps = false;
    heat.view = {0, static_cast<float>(strip.row - view.first), static_cast<float>(view.cols), 1};
    draw_p_cells(view, {box.x, y + 18, w, h}, heat);
    y += h + gap;
  }
  if (ends.h <= 0) return;
  const auto pair_words = [&](int pair) {
    return "columns " + std::to_string(2 * pair) + ", " + std::to_string(2 * pair + 1) + ": λ " +
           wavelength_words(view.omega(pair));
  };
  const float below = y - gap + 28;  // the last row of P ends 18 units above the next one
  const float left = put(pen, {box.x, below}, pair_words(0), quiet, w);
  if (view.pairs > 1)
    put(pen, {box.x + w, below}, pair_words(view.pairs - 1), aligned(quiet, Align::right), w - left - 16);
}

}  // namespace

void build_up_card(const PositionView& view, Box box) {
  const Pen& pen = view.pen;
  const int step = std::clamp(view.in.scene.positions.step, 1, 3);
  std::vector<Choice> steps = {
      {"1 one sinusoid", "position_step=1", "one sinusoid", step == 1, "one column of P"},
      {"2 sine and cosine", "position_step=2", "sine and cosine", step == 2, "a pair of columns: a clock"},
      {"3 all frequencies", "position_step=3", "all frequencies", step == 3, "whole rows of P"}};
  if (segmented_width(pen, steps) + 200 > box.w) {  // no room for words beside the title
    for (Choice& choice : steps) choice.label.resize(1);
  }
  static constexpr const char* subtitles[] = {"one column of P", "a pair of columns is a clock",
                                              "whole rows of P"};
  std::string subtitle = subtitles[step - 1];
  if (view.in.alone && step == 3) subtitle += ", " + view.in.text("clocks") + " pairs of columns";
  if (view.in.alone && step < 3 && view.waves() && view.has(view.i))
    subtitle += ", wavelength " +
                view.in.text(quantity("wavelength", {{"pair", likeness(view).column / 2}})) + " positions";
  Box inside =
      card(pen, box, {"Why does P have many columns?", subtitle, segmented_width(pen, steps)}, "build-up");
  segmented(pen, card_corner(box), steps);
  if (!view.has(view.i)) {
    placeholder(pen, inside, "Position " + std::to_string(view.i) + " is outside P",
                "choose a position inside P");
    return;
  }
  const Likeness like = likeness(view);
  const Colors colors{pen.theme.key, draw::series(pen.theme, 0), draw::series(pen.theme, 5)};
  const std::string sentence = step == 1   ? first_sentence(view, like)
                               : step == 2 ? second_sentence(view, like)
                                           : third_sentence(view);
  const draw::TextStyle style = words_style(pen.theme.text, 14);
  const float height = paragraph(pen, {}, inside.w, sentence, style, 4, false);
  const Box words = inside.cut_bottom(std::max(height, 3 * 13 * 1.4f));
  inside.cut_bottom(10);
  paragraph(pen, {words.x, words.y}, words.w, sentence, style, 4);
  if (step == 1 || (step == 2 && !like.has_cosine)) {
    waves(view, inside, like, false, colors);
  } else if (step == 2) {
    if (inside.w > 360) {
      circle(view, inside.cut_left(std::min(inside.h, inside.w * 0.4f)), like, colors);
      inside.cut_left(16);
    }
    waves(view, inside, like, true, colors);
  } else {
    row_strips(view, inside, like, colors);
  }
}

}  // namespace headlight::views
