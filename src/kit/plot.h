// The plots of all pages: linear and logarithmic axes, where ticks stand and their labels, lines, legends.
// Tested in tests/views/position_cards_test.cpp and cost_page_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/card.h"

namespace headlight::views {

/// A box whose x axis runs over [from_x, to_x] and whose y axis runs over [from_y, to_y], upwards.
struct Plot {
  draw::Box box;
  double from_x = 0, to_x = 1;
  double from_y = -1, to_y = 1;
  float x(double value) const {
    return box.x + box.w * static_cast<float>((value - from_x) / (to_x - from_x));
  }
  float y(double value) const {
    return box.bottom() - box.h * static_cast<float>((value - from_y) / (to_y - from_y));
  }
  draw::Point at(double along, double up) const { return {x(along), y(up)}; }
};

/// Whole numbers in [0, last] at a distance that leaves `room` units for each label.
std::vector<int> whole_ticks(int last, float width, float room);
/// The same at distances that are powers of two, as columns are counted.
std::vector<int> binary_ticks(int last, float width, float room);

/// Grid lines with labels to the left, at the given values; the labels are `factor` times as large.
void y_grid(const Pen& pen, const Plot& plot, const std::vector<double>& values, int decimals,
            double factor = 1);
/// Tick labels below the box, and the name of the axis in the middle below them when it is not empty.
void x_axis(const Pen& pen, const Plot& plot, const std::vector<int>& ticks, const std::string& name);

/// A label centred on a line at `x`, kept within [left, right].
struct LineLabel {
  float x = 0;
  std::string words;
  draw::Color color;
};
/// Writes labels on the line `y`, moved apart where they would touch, in the order of their x.
void line_labels(const Pen& pen, std::vector<LineLabel> labels, float y, float left, float right);

/// A triangle that points to the right, or two bars, for a control that starts or stops a run.
void play_sign(const Pen& pen, draw::Point centre, float size, bool running, draw::Color color);

/// Words over as many lines as it takes, broken at blanks; returns the height used. Each line takes 1.4 em.
/// Lines beyond `most` are dropped and the last one ends in an ellipsis. Draws nothing when `draw` is false.
/// Nothing, and 0, of dim words in a figure without its notes.
float paragraph(const Pen& pen, draw::Point top_left, float width, const std::string& words,
                const draw::TextStyle& style, int most = 99, bool draw = true);

/// As many of these remarks, the most important first, as paragraph() writes whole in so many lines, with
/// " · " between them.
std::string fitting_remarks(const Pen& pen, const std::vector<std::string>& remarks, float width,
                            const draw::TextStyle& style, int lines);

/// 0 … `count` - 1 at a distance of `step` so that labels `room` units wide do not touch at `pitch` units an
/// item.
int label_step(float pitch, float room);

/// What tells the series of one plot apart where colours cannot: by its place, from 0, each has its dash
/// (0: solid) and its mark, no two of eight the same of both.
float series_dash(int place);
void series_mark(const Pen& pen, draw::Point centre, draw::Color color, int place, float size = 4);
/// A piece of its line with its mark, from `middle_left` on, and what it is. Returns the width taken.
float series_legend(const Pen& pen, draw::Point middle_left, draw::Color color, int place,
                    const std::string& words);
float series_legend_width(const Pen& pen, const std::string& words);
inline constexpr float series_swatch = 26;

/// Both axes logarithmic; y upwards.
struct LogPlot {
  draw::Box box;
  double from_x = 1, to_x = 10, from_y = 1, to_y = 10;  // all > 0
  float x(double value) const;
  float y(double value) const;  // kept within the box
  draw::Point at(double along, double up) const { return {x(along), y(up)}; }
};

/// Powers of two between the ends of the x axis, labelled as often as there is room; `name` below them.
void log_x_axis(const Pen& pen, const LogPlot& plot, const std::string& name);
/// "10⁶", "10⁻⁵" of a power of ten.
std::string power_words(double value);
/// "3.4·10⁷", with so many decimals.
std::string power_words(double value, int decimals);
struct LogTick {
  double value = 0;
  std::string words;
};
/// Grid lines; the words at the left where they do not touch.
void log_y_grid(const Pen& pen, const LogPlot& plot, const std::vector<LogTick>& ticks);

/// A line through points with the mark of its place at each, or, for another machine's numbers, dashes and
/// rings.
void log_line(const Pen& pen, const LogPlot& plot, const std::vector<draw::Point>& values, draw::Color color,
              bool ours = true, int place = 0);

/// Coloured squares, or pieces of lines, and what they mean at the foot of `box`, in as many lines as it
/// takes, cut from it. A transparent colour: words alone.
struct LegendEntry {
  std::string words;
  draw::Color color;
  int place = -1;  // of a series: with its dash and mark; −1: a square
};
void legend_lines(const Pen& pen, draw::Box& box, const std::vector<LegendEntry>& entries);

}  // namespace headlight::views
