// What is drawn into a plot: curves with the marks of their points, what tells the series of a plot apart,
// its legend, and what the pointer is told of each place. Tested in tests/views/plot_test.cpp and
// cost_page_test.cpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kit/plot.h"

namespace headlight::views {

/// What tells the series of one plot apart where colours cannot: by its place, from 0, each has its dash
/// (0: solid) and its mark, no two of eight the same of both.
float series_dash(int place);
void series_mark(const Pen& pen, draw::Point centre, draw::Color color, int place, float size = 4);
/// A piece of its line with its mark, from `middle_left` on, and what it is. Returns the width taken.
float series_legend(const Pen& pen, draw::Point middle_left, draw::Color color, int place,
                    const std::string& words);
float series_legend_width(const Pen& pen, const std::string& words);
inline constexpr float series_swatch = 26;

/// Coloured squares, or pieces of lines, and what they mean at the foot of `box`, in as many lines as it
/// takes, cut from it. A transparent colour: words alone.
struct LegendEntry {
  std::string words;
  draw::Color color;
  int place = -1;  // of a series: with its dash and mark; −1: a square
};
void legend_lines(const Pen& pen, draw::Box& box, const std::vector<LegendEntry>& entries);

struct PlotPoint {
  double x = 0, y = 0;
};
enum class PointMark {
  none,
  series,  // of its place
  dot,
  ring,  // of numbers that are not ours
};
struct CurveStyle {
  draw::Color color;
  float width = 2, dash = 0;  // width 0: the points alone
  PointMark mark = PointMark::none;
  int place = 0;            // of PointMark::series
  float size = 4;           // of the marks
  bool lost_marked = true;  // values that are no numbers have a dot at the upper edge
};
/// The style of the series at this place.
CurveStyle series_style(draw::Color color, int place, float size = 4);
/// Through these points, in their order. The line ends before a value that is no number and begins again
/// after it. It is not clipped, but ends a height of the plot beyond it.
void curve(const Pen& pen, const Plot& plot, std::span<const PlotPoint> points, const CurveStyle& style);

/// Marks without a picture, side by side over the width of `area`, as many as there are evenly spaced places
/// from its left edge to its right one: each reaches half-way to its neighbours. `mark_of` says what they
/// are; their areas are set here.
void column_marks(const Pen& pen, draw::Box area, std::size_t count,
                  const std::function<draw::Mark(std::size_t)>& mark_of);

}  // namespace headlight::views
