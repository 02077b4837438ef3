// What is drawn into a plot: curves with marks at their points, the dashes and marks of its series, its
// legend, and the areas that the pointer hits. Tested in tests/views/plot_test.cpp and cost_page_test.cpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kit/plot.h"

namespace headlight::views {

/// Dashes and marks tell the series of a plot apart where colours cannot. The series at `place`, counted from
/// 0, has a dash (0: solid) and a mark; among eight series, no two have the same pair.
float series_dash(int place);
void series_mark(const Pen& pen, draw::Point centre, draw::Color color, int place, float size = 4);
/// Draws a piece of the series' line with its mark, starting at `middle_left`, and its words. Returns the
/// width taken.
float series_legend(const Pen& pen, draw::Point middle_left, draw::Color color, int place,
                    const std::string& words);
float series_legend_width(const Pen& pen, const std::string& words);
inline constexpr float series_swatch = 26;

/// An entry of a legend: a coloured square or a piece of line, and its meaning. A transparent colour leaves
/// the words alone. legend_lines() writes the entries at the bottom of `box`, in as many lines as necessary,
/// and cuts the lines from it.
struct LegendEntry {
  std::string words;
  draw::Color color;
  int place = -1;  // of a series, drawn with its dash and mark; −1: a square; −2: dashes and a ring
};
void legend_lines(const Pen& pen, draw::Box& box, const std::vector<LegendEntry>& entries);

struct PlotPoint {
  double x = 0, y = 0;
};
enum class PointMark {
  none,
  series,  // the mark of CurveStyle::place
  dot,
  ring,  // for numbers from other sources
};
struct CurveStyle {
  draw::Color color;
  float width = 2, dash = 0;  // width 0: points only
  PointMark mark = PointMark::none;
  int place = 0;            // for PointMark::series
  float size = 4;           // of the marks
  bool lost_marked = true;  // NaN and infinite values have a dot at the upper edge
};
/// The style of the series at this place.
CurveStyle series_style(draw::Color color, int place, float size = 4);
/// Draws a line through these points, in their order. It is interrupted at values that are not finite. It is
/// not clipped, but y is limited to one plot height above and below the plot.
void curve(const Pen& pen, const Plot& plot, std::span<const PlotPoint> points, const CurveStyle& style);

/// Sets `count` invisible marks, one for each of `count` evenly spaced places from the left edge of `area` to
/// its right edge. Each reaches half-way to its neighbours. `mark_of` returns a mark; its area is set here.
void column_marks(const Pen& pen, draw::Box area, std::size_t count,
                  const std::function<draw::Mark(std::size_t)>& mark_of);

}  // namespace headlight::views
