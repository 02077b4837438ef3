// The plots of all pages: positions of values on linear and logarithmic axes, ticks and their labels, the
// grid. kit/curve.h draws into them. Tested in tests/views/plot_test.cpp, position_cards_test.cpp and
// cost_page_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/card.h"

namespace headlight::views {

/// A box whose x axis runs over [from_x, to_x] and whose y axis runs over [from_y, to_y], upwards. A
/// logarithmic axis begins above 0; values beyond it are placed at its ends.
struct Plot {
  draw::Box box;
  double from_x = 0, to_x = 1;
  double from_y = -1, to_y = 1;
  bool log_x = false, log_y = false;
  float x(double value) const {
    if (log_x) return box.x + box.w * logarithmic(value, from_x, to_x);
    return box.x + box.w * static_cast<float>((value - from_x) / (to_x - from_x));
  }
  float y(double value) const {
    if (log_y) return box.bottom() - box.h * logarithmic(value, from_y, to_y);
    return box.bottom() - box.h * static_cast<float>((value - from_y) / (to_y - from_y));
  }
  draw::Point at(double along, double up) const { return {x(along), y(up)}; }
  bool holds(double along, double up) const {
    return along >= from_x && along <= to_x && up >= from_y && up <= to_y;
  }

 private:
  static float logarithmic(double value, double from, double to);
};
/// A plot with two logarithmic axes.
inline Plot log_plot(draw::Box box, double from_x, double to_x, double from_y, double to_y) {
  return {box, from_x, to_x, from_y, to_y, true, true};
}
/// Returns a plot with the same scale on both axes, so that distances are true. The values from `low` to
/// `high` are in the middle of the box, at least `margin` away from its edges.
Plot true_plot(draw::Box box, draw::Point low, draw::Point high, float margin);

/// A value on an axis and its label.
struct Tick {
  double value = 0;
  std::string words;
};
/// Returns whole numbers in [0, last], spaced so that each label has `room` units.
std::vector<int> whole_ticks(int last, float width, float room);
/// The same, spaced by powers of two, for numbers of columns.
std::vector<int> binary_ticks(int last, float width, float room);
/// Returns ticks from 0 in steps of 1, 2, 2.5 or 5 · 10^n, about `wanted` of them below `top`, with as many
/// decimals as necessary.
std::vector<Tick> round_ticks(double top, float wanted);

/// Draws grid lines with labels to the left of the box. A label that would touch the previous one is left
/// out.
void y_grid(const Pen& pen, const Plot& plot, const std::vector<Tick>& ticks);
/// The same at these values, with no more decimals than they need. The labels show `factor` times the value.
void y_grid(const Pen& pen, const Plot& plot, const std::vector<double>& values, int decimals,
            double factor = 1);
/// Writes labels `below` units under the box, and the name of the axis in the middle below them unless it is
/// empty.
void x_axis(const Pen& pen, const Plot& plot, const std::vector<Tick>& ticks, const std::string& name,
            float below = 12);
void x_axis(const Pen& pen, const Plot& plot, const std::vector<int>& ticks, const std::string& name);
/// Draws ticks at the powers of two of a logarithmic x axis, with as many labels as there is room for, and
/// `name` below them.
void log_x_axis(const Pen& pen, const Plot& plot, const std::string& name);
/// Draws the background of a plane, a line at every whole number (every second, fifth, … where there are
/// many), and the two axes through 0. Both axes of the plot must be linear and equally long.
void plane_grid(const Pen& pen, const Plot& plot);

/// The title and the tick labels of a plot. framed_plot() draws them into `area`, y labels at the left and x
/// labels below, and returns `axes` with the box that is left, which may be too small to draw into.
struct PlotWords {
  std::string title;
  std::vector<Tick> x, y;
};
Plot framed_plot(const Pen& pen, draw::Box area, Plot axes, const PlotWords& words);

/// A label centred at `x`; line_labels() keeps it within [left, right].
struct LineLabel {
  float x = 0;
  std::string words;
  draw::Color color;
};
/// Writes labels on the line `y`, in the order of their x, moved apart where they would touch.
void line_labels(const Pen& pen, std::vector<LineLabel> labels, float y, float left, float right);

/// Returns the step between labelled items, so that labels `room` units wide do not touch when items are
/// `pitch` units apart.
int label_step(float pitch, float room);

/// Writes a power of ten: "10⁶", "10⁻⁵".
std::string power_words(double value);
/// Writes any value with this many decimals: "3.4·10⁷".
std::string power_words(double value, int decimals);

}  // namespace headlight::views
