#include <algorithm>
#include <array>
#include <cmath>

#include "base/numbers.h"
#include "kit/curve.h"
#include "kit/words.h"
#include "pages/position/view/cards.h"

namespace headlight::views {

namespace {

struct Uniqueness {
  std::string words;
  bool good = true, known = true;
};

Uniqueness verdict(const PositionView& view) {
  const scene::PositionResults& r = view.results;
  const std::string all = with_commas(view.rows) + " rows";
  if (view.rows == 1) return {"Yes: there is only one row", true, true};
  if (r.closest_a < 0 && view.in.busy >= 0) return {"Comparing all rows", false, false};
  if (r.closest_a < 0) return {"Unknown: P is too large to compare its rows", false, false};
  if (r.closest_distance <= 0)
    return {"No: rows " + std::to_string(view.first + r.closest_a) + " and " +
                std::to_string(view.first + r.closest_b) + " are equal",
            false, true};
  if (r.closest_distance < 0.01)
    return {"Yes, but barely: " +
                (r.as_close > 2 ? with_commas(r.as_close) + " of the " + all + " nearly coincide with another"
                                : "two of the " + all + " nearly coincide"),
            true, true};
  return {"Yes: all " + all + " differ", true, true};
}

void tick_or_cross(const Pen& pen, Point c, const Uniqueness& v) {
  const draw::Color color = !v.known ? pen.theme.dim : v.good ? pen.theme.good : pen.theme.bad;
  pen.canvas.circle(c, 9, draw::faded(color, 0.18f));
  const draw::Stroke stroke{color, 2};
  if (!v.known) {
    pen.canvas.line({c.x - 4, c.y}, {c.x + 4, c.y}, stroke);
  } else if (v.good) {
    const std::array<Point, 3> tick = {Point{c.x - 4, c.y}, Point{c.x - 1, c.y + 3.5f},
                                       Point{c.x + 4.5f, c.y - 4}};
    pen.canvas.polyline(tick, stroke);
  } else {
    pen.canvas.line({c.x - 3.5f, c.y - 3.5f}, {c.x + 3.5f, c.y + 3.5f}, stroke);
    pen.canvas.line({c.x - 3.5f, c.y + 3.5f}, {c.x + 3.5f, c.y - 3.5f}, stroke);
  }
}

/// Two quiet lines under the verdict.
std::vector<std::string> details(const PositionView& view) {
  const scene::PositionResults& r = view.results;
  std::vector<std::string> lines;
  if (const std::vector<int> nearest = view.nearest(); !nearest.empty() && marks_selection(view.pen))
    lines.push_back("Nearest to row " + std::to_string(view.i) + (nearest.size() > 1 ? " are " : " is ") +
                    rows_words(nearest) + ", at distance " +
                    view.in.text(quantity("nearest_distance", {{"row", view.i - view.first}})) + ".");
  if (r.closest_a >= 0) {
    const int apart = std::abs(r.closest_a - r.closest_b);
    const std::string distance = ", at distance " + view.in.text("closest");
    constexpr double rounding_shows = 1e-3;  // in the digits that are printed
    // With whole pairs only, a distance of rows depends on how far apart they stand: the others differ by
    // rounding.
    if (!view.waves()) {
      lines.push_back("The closest rows are " + std::to_string(view.first + r.closest_a) + " and " +
                      std::to_string(view.first + r.closest_b) + distance + ".");
    } else if (view.cols % 2 == 0 && apart == 1) {
      lines.push_back("The closest rows are neighbours: all neighbours are equally far apart" + distance +
                      ".");
    } else {
      lines.push_back("The closest rows are " + std::to_string(view.first + r.closest_a) + " and " +
                      std::to_string(view.first + r.closest_b) + distance +
                      (view.cols % 2 != 0
                           ? "."
                           : ", as any two " + std::to_string(apart) + " apart" +
                                 (r.closest_distance < rounding_shows ? " except for rounding." : ".")));
    }
  }
  return lines;
}

/// The first row of P times every row: over the distance, or over j where P is learned.
void dot_plot(const PositionView& view, Box box) {
  const Pen& pen = view.pen;
  const std::vector<double>& dot = view.results.dot_from_index;
  if (dot.empty() || box.w < 90 || box.h < 60) return;
  const auto [least, most] = std::minmax_element(dot.begin(), dot.end());
  const double high = std::max(*most, view.waves() ? 0.5 : 1e-6), low = std::min(0.0, *least);
  const int decimals = high - low < 0.05  ? 4
                       : high - low < 0.5 ? 3
                       : high - low < 5   ? 2
                       : high - low < 20  ? 1
                                          : 0;
  // The words above the plot are higher on a slide, and end above the lines that they name.
  const float label_high = text_line(pen, 14), line_above = on_slide(pen) ? 3.f : 6.f;
  box.cut_left(40), box.cut_bottom(34), box.cut_top(label_high + 6), box.cut_right(10);
  const Plot plot{box, 0, static_cast<double>(std::max<std::size_t>(1, dot.size() - 1)), low, high};
  std::vector<double> grid;
  if (view.waves()) {
    grid = {0, high};
    if (low < 0 && plot.y(low) - plot.y(0) > 14) grid.push_back(low);
    if (plot.y(0) - plot.y(high) > 60) grid.push_back(high / 2);
  } else {  // whose extremes are any numbers
    double step = nice_ceiling((high - low) / 4);
    if (std::floor(high / step) - std::ceil(low / step) < 2) step /= 2;  // two ticks are no scale
    for (double at = std::ceil(low / step); at <= std::floor(high / step); ++at) grid.push_back(at * step);
  }
  y_grid(pen, plot, grid, decimals);
  const std::string across = view.waves()      ? "distance between i and j"
                             : view.first == 0 ? "position j"
                                               : "j − " + std::to_string(view.first);
  x_axis(pen, plot, whole_ticks(static_cast<int>(dot.size()) - 1, box.w, 44), across);

  std::vector<PlotPoint> points;
  const std::size_t step = std::max<std::size_t>(1, dot.size() / 4096);
  for (std::size_t n = 0; n < dot.size(); n += step) points.push_back({static_cast<double>(n), dot[n]});
  curve(pen, plot, points, {draw::series(pen.theme, 0)});

  std::vector<LineLabel> labels;
  const auto reading = [&](std::size_t distance, draw::Color color, bool line) {
    const Point where = plot.at(static_cast<double>(distance), dot[distance]);
    if (line) pen.canvas.line({where.x, box.y - line_above}, {where.x, box.bottom()}, {color, 1.5f});
    pen.canvas.circle(where, 6, pen.theme.panel);
    pen.canvas.circle(where, 4.5f, color);
    const std::string what =
        view.waves() ? std::to_string(distance) + " apart: "
                     : "p(" + std::to_string(view.first) + ")·p(" +
                           std::to_string(static_cast<std::size_t>(view.first) + distance) + ") = ";
    labels.push_back({where.x,
                      what + view.in.text(quantity("p_dot", {{"a", 0}, {"b", static_cast<int>(distance)}})),
                      color});
  };
  const auto apart = static_cast<std::size_t>(std::abs(view.delta));
  if (apart < dot.size()) reading(apart, pen.theme.offset, true);
  const bool hovered = pen.hover && pen.hover->mark.name == "dot plot" && pen.hover->mark.area.w > 0;
  if (hovered) {
    const double t = static_cast<double>((pen.hover->at.x - box.x) / box.w);
    const long n = std::lround(t * plot.to_x);
    if (n >= 0 && static_cast<std::size_t>(n) < dot.size() && static_cast<std::size_t>(n) != apart)
      reading(static_cast<std::size_t>(n), pen.theme.text, true);
  }
  line_labels(pen, labels, box.y - 7 - label_high / 2, box.x - 20, box.right() + 8);
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = "dot plot", mark.area = box;
  mark.note = view.waves() ? "p(i) · p(j) against the distance between i and j"
                           : "p(" + std::to_string(view.first) + ") · p(j) against j";
  pen.canvas.mark(mark);
  pen.canvas.mark({});
}

}  // namespace

void uniqueness_card(const PositionView& view, Box box) {
  const Pen& pen = view.pen;
  Box inside =
      card(pen, box,
           {"Is every row unique?",
            "d = " + std::to_string(view.cols) + ", " +
                (view.about().empty() ? "base " + base::compact(view.in.results.scene.position_base) + ", "
                                      : std::string()) +
                with_commas(view.rows) + (view.rows == 1 ? " position" : " positions") +
                (view.first > 0 ? " from " + with_commas(view.first) + " on" : "")},
           "uniqueness");
  const Uniqueness v = verdict(view);
  tick_or_cross(pen, {inside.x + 9, inside.y + 10}, v);
  put(pen, {inside.x + 26, inside.y + 10}, v.words, strong_style(pen.theme.text, 14), inside.w - 26);
  inside.cut_top(26);
  for (const std::string& line : details(view)) {
    inside.cut_top(paragraph(pen, {inside.x, inside.y}, inside.w, line, words_style(pen.theme.text), 2) + 2);
  }
  inside.cut_top(8);
  std::string note = "p(i) · p(j) depends on the distance between i and j, not on their positions.";
  if (!view.waves())
    note = "p(" + std::to_string(view.first) +
           ") · p(j): in a learned table it need not depend on the distance alone.";
  else if (view.cols % 2 == 1)
    note =
        "p(i) · p(j) depends only on the distance, except for the last sine, which has no cosine: drawn from "
        "i = " +
        std::to_string(view.first) + ".";
  const draw::TextStyle dim = words_style(pen.theme.dim);
  inside.cut_top(paragraph(pen, {inside.x, inside.y}, inside.w, note, dim, 2) + 2);
  dot_plot(view, inside);
}

}  // namespace headlight::views
