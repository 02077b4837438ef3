// The plots of all pages: where a value is, linear and logarithmic axes, where ticks are and their words, the
// grid. What is drawn into them: kit/curve.h. Tested in tests/views/plot_test.cpp, position_cards_test.cpp
// and cost_page_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/card.h"

namespace headlight::views {

/// A box whose x axis runs over [from_x, to_x] and whose y axis runs over [from_y, to_y], upwards. An axis
/// that goes by the logarithm begins above 0; what lies beyond it is at its end, 0 at its beginning.
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
/// Both axes logarithmic.
inline Plot log_plot(draw::Box box, double from_x, double to_x, double from_y, double to_y) {
  return {box, from_x, to_x, from_y, to_y, true, true};
}
/// One unit is as long across as up, so that distances are true: these values in the middle of the box,
/// `margin` away from its edges at least.
Plot true_plot(draw::Box box, draw::Point low, draw::Point high, float margin);

/// A value of an axis and what is written at it.
struct Tick {
  double value = 0;
  std::string words;
};
/// Whole numbers in [0, last] at a distance that leaves `room` units for each label.
std::vector<int> whole_ticks(int last, float width, float room);
/// The same at distances that are powers of two, as columns are counted.
std::vector<int> binary_ticks(int last, float width, float room);
/// From 0 on every 1, 2, 2.5 or 5 · 10^n, about `wanted` of them below `top`, in as many decimals as it
/// takes.
std::vector<Tick> round_ticks(double top, float wanted);

/// Grid lines with words to the left of the box, where they do not touch those before them.
void y_grid(const Pen& pen, const Plot& plot, const std::vector<Tick>& ticks);
/// The same at these values, with no more decimals than they need; the numbers are `factor` times as large.
void y_grid(const Pen& pen, const Plot& plot, const std::vector<double>& values, int decimals,
            double factor = 1);
/// Words `below` the box, and the name of the axis in the middle below them when it is not empty.
void x_axis(const Pen& pen, const Plot& plot, const std::vector<Tick>& ticks, const std::string& name,
            float below = 12);
void x_axis(const Pen& pen, const Plot& plot, const std::vector<int>& ticks, const std::string& name);
/// Powers of two between the ends of a logarithmic x axis, labelled as often as there is room; `name` below
/// them.
void log_x_axis(const Pen& pen, const Plot& plot, const std::string& name);
/// A plane: its ground, a line at every whole number, or at every second, fifth, … where they are many, and
/// the two axes through 0. Both axes of the plot are linear and equally long.
void plane_grid(const Pen& pen, const Plot& plot);

/// A plot that takes its area: a title, the words of its grid at its left, those of its axis below it. Draws
/// all of these; returns `axes` with its box, which may be too small for anything.
struct PlotWords {
  std::string title;
  std::vector<Tick> x, y;
};
Plot framed_plot(const Pen& pen, draw::Box area, Plot axes, const PlotWords& words);

/// A label centred on a line at `x`, kept within [left, right].
struct LineLabel {
  float x = 0;
  std::string words;
  draw::Color color;
};
/// Writes labels on the line `y`, moved apart where they would touch, in the order of their x.
void line_labels(const Pen& pen, std::vector<LineLabel> labels, float y, float left, float right);

/// 0 … `count` - 1 at a distance of `step` so that labels `room` units wide do not touch at `pitch` units an
/// item.
int label_step(float pitch, float room);

/// "10⁶", "10⁻⁵" of a power of ten.
std::string power_words(double value);
/// "3.4·10⁷", with so many decimals.
std::string power_words(double value, int decimals);

}  // namespace headlight::views
