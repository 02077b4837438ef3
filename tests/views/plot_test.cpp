// The plots of all pages: axes, ticks, grids, and what is drawn into them.
#include "kit/plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "draw/record_canvas.h"
#include "draw/theme.h"
#include "kit/curve.h"

namespace headlight::views::plot_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const draw::Box box{100, 50, 300, 200};

int lines_of(const draw::RecordCanvas& canvas, const std::string& shape) {
  return static_cast<int>(
      std::count_if(canvas.lines.begin(), canvas.lines.end(),
                    [&](const std::string& line) { return line.starts_with(shape + " "); }));
}

TEST(Plot, AnAxisIsLinearOrGoesByTheLogarithm) {
  const Plot plot{box, 0, 10, 1, 100, false, true};
  EXPECT_FLOAT_EQ(plot.x(5), 250);
  EXPECT_FLOAT_EQ(plot.x(20), 700) << "a linear axis goes on";
  EXPECT_FLOAT_EQ(plot.y(10), 150);
  EXPECT_FLOAT_EQ(plot.y(0), 250) << "a logarithmic one ends";
  EXPECT_FLOAT_EQ(plot.y(-3), 250);
  EXPECT_FLOAT_EQ(plot.y(1e9), 50);
  const Plot both = log_plot(box, 16, 4096, 0.01, 100);
  EXPECT_FLOAT_EQ(both.x(256), 250);
  EXPECT_FLOAT_EQ(both.y(1), 150);
}

TEST(Plot, OfATruePlotBothAxesHaveOneScale) {
  const Plot plot = true_plot(box, {-1, 0}, {3, 1}, 20);
  const auto unit = [&](double x, double y) {
    const draw::Point a = plot.at(0, 0), b = plot.at(x, y);
    return std::hypot(b.x - a.x, b.y - a.y);
  };
  EXPECT_NEAR(unit(1, 0), unit(0, 1), 1e-3);
  EXPECT_NEAR(plot.x(-1), box.x + 20, 1e-3) << "the longer side fills the box";
  EXPECT_NEAR(plot.x(3), box.right() - 20, 1e-3);
  EXPECT_NEAR(plot.y(0.5), box.centre().y, 1e-3) << "the other is in its middle";
  EXPECT_TRUE(plot.holds(1, 0.5));
  EXPECT_FALSE(plot.holds(9, 0.5));
}

TEST(Plot, RoundTicksHaveAsManyDecimalsAsTheyNeed) {
  const auto words = [](double top, float wanted) {
    std::vector<std::string> out;
    for (const Tick& tick : round_ticks(top, wanted)) out.push_back(tick.words);
    return out;
  };
  EXPECT_EQ(words(4.2, 5), (std::vector<std::string>{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(words(1, 4), (std::vector<std::string>{"0", "0.25", "0.50", "0.75", "1.00"}));
  EXPECT_EQ(words(0.003, 3), (std::vector<std::string>{"0", "0.001", "0.002", "0.003"}));
}

TEST(Plot, WordsOfAGridDoNotTouchAndItsLinesAreAllThere) {
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(true)};
  y_grid(pen, {box, 0, 1, 0, 100}, {{0, "0"}, {50, "50"}, {52, "52"}, {100, "100"}});
  EXPECT_EQ(lines_of(canvas, "line"), 4);
  ASSERT_EQ(canvas.texts.size(), 3u);
  EXPECT_EQ(canvas.texts[1].words, "50") << "the first of those that touch";
  for (const auto& text : canvas.texts) EXPECT_LT(text.box.right(), box.x);
}

TEST(Plot, AFramedPlotLeavesRoomForItsWords) {
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(false)};
  const Plot plot = framed_plot(pen, box, {{}, 0, 64, 0, 1},
                                {"a title", {{0, "0"}, {64, "64"}}, {{0, "0"}, {1, "1.25e+06"}}});
  EXPECT_LT(plot.box.right(), box.right());
  EXPECT_EQ(canvas.texts.size(), 5u);
  for (const auto& text : canvas.texts) {
    EXPECT_GE(text.box.x, box.x - 1) << text.words;
    EXPECT_LE(text.box.right(), box.right()) << text.words;
    EXPECT_LE(text.box.bottom(), box.bottom()) << text.words;
    EXPECT_GE(text.box.y, box.y - 1) << text.words;
  }
  EXPECT_LT(framed_plot(pen, {0, 0, 20, 20}, {{}, 0, 1, 0, 1}, {}).box.w, 10) << "no room";
}

TEST(Curve, EndsBeforeWhatIsNoNumberAndBeginsAgain) {
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(true)};
  const Plot plot{box, 0, 5, 0, 1};
  const std::vector<PlotPoint> points = {{0, 0.5}, {1, 0.6}, {2, nan}, {3, 0.4}, {4, 0.5}, {5, 0.2}};
  curve(pen, plot, points, {draw::rgb(0xff0000)});
  EXPECT_EQ(lines_of(canvas, "polyline"), 2);
  EXPECT_EQ(lines_of(canvas, "circle"), 1) << "at the upper edge";
  canvas.lines.clear();
  CurveStyle style{draw::rgb(0xff0000)};
  style.lost_marked = false;
  curve(pen, plot, points, style);
  EXPECT_EQ(lines_of(canvas, "circle"), 0);
  canvas.lines.clear();
  curve(pen, plot, points, {draw::rgb(0xff0000), 0, 0, PointMark::dot});
  EXPECT_EQ(lines_of(canvas, "polyline"), 0) << "the points alone";
  EXPECT_EQ(lines_of(canvas, "circle"), 6);
}

TEST(Curve, TheSeriesOfAPlotDifferInDashOrMark) {
  std::vector<std::string> seen;
  for (int place = 0; place < 8; ++place) {
    draw::RecordCanvas canvas;
    const Pen pen{canvas, draw::theme(true)};
    const std::vector<PlotPoint> points = {{0, 0.5}, {1, 0.5}};
    curve(pen, {box, 0, 1, 0, 1}, points, series_style(draw::rgb(0x00ff00), place));
    std::string all;
    for (const std::string& line : canvas.lines) all += line + "\n";
    EXPECT_EQ(std::count(seen.begin(), seen.end(), all), 0) << place;
    seen.push_back(all);
  }
}

TEST(Curve, ColumnsOfMarksCoverTheirAreaOnce) {
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(true)};
  column_marks(pen, box, 4, [](std::size_t i) {
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "column " + std::to_string(i);
    return mark;
  });
  std::vector<draw::Mark> marks;
  for (const draw::Mark& mark : canvas.marks)
    if (mark.part != draw::Part::none) marks.push_back(mark);
  ASSERT_EQ(marks.size(), 4u);
  EXPECT_FLOAT_EQ(marks.front().area.x, box.x);
  EXPECT_FLOAT_EQ(marks.front().area.w, 50) << "half of a place at the ends";
  for (std::size_t i = 1; i < marks.size(); ++i)
    EXPECT_NEAR(marks[i].area.x, marks[i - 1].area.right(), 1e-3);
  EXPECT_NEAR(marks.back().area.right(), box.right(), 1e-3);
}

}  // namespace
}  // namespace headlight::views::plot_test
