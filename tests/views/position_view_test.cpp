// The words and colours that the cards of the Position page share.
#include <gtest/gtest.h>

#include "kit/clock_face.h"
#include "kit/page_input.h"
#include "pages/position/view/view.h"
#include "position_scene.h"
#include "position_spy.h"

namespace headlight::views {
namespace {

using test::pi;
using test::PositionScene;
using test::SpyCanvas;

TEST(PositionView, Wavelengths) {
  EXPECT_EQ(wavelength_words(1), "6.3");
  EXPECT_EQ(wavelength_words(std::pow(10000.0, -2.0 * 3 / 32)), "35.3");
  EXPECT_EQ(wavelength_words(std::pow(10000.0, -30.0 / 32)), "35,333");
  EXPECT_EQ(wavelength_words(2 * pi / 61343.4), "61,343");
  EXPECT_EQ(wavelength_words(2 * pi / 99.97), "100");
}

TEST(PositionView, Frequencies) {
  EXPECT_EQ(frequency_words(1), "1");
  EXPECT_EQ(frequency_words(std::pow(10000.0, -6.0 / 32)), "0.1778");
  EXPECT_EQ(frequency_words(std::pow(10000.0, -30.0 / 32), 2), "1.8e−4");
  EXPECT_EQ(frequency_words(1e-4, 2), "1e−4");
}

TEST(PositionView, Arcs) {
  EXPECT_EQ(arc_words(5 * std::pow(10000.0, -6.0 / 32)), "0.889 rad = 50.9°");
  EXPECT_EQ(arc_words(10), "10.000 rad = 573° = 1.6 turns");
  EXPECT_EQ(arc_words(-0.5), "−0.500 rad = −28.6°");
  EXPECT_EQ(arc_words(0), "0.000 rad = 0.00°");
  EXPECT_EQ(arc_words(9e-4), "9e−4 rad = 0.05°");
}

TEST(PositionView, NumbersAsWords) {
  EXPECT_EQ(with_commas(7), "7");
  EXPECT_EQ(with_commas(4096), "4,096");
  EXPECT_EQ(with_commas(-1234567), "−1,234,567");
  EXPECT_EQ(subscript(15), "₁₅");
}

TEST(PositionView, ColumnsThatPDoesNotHaveAreNotPlotted) {
  PositionScene s(5, 10, 3, 1);
  s.scene.positions.columns = {0, 4, 5, 31};
  SpyCanvas canvas;
  const PageInput in = s.input();
  const PositionView view(canvas, in);
  EXPECT_EQ(view.columns, (std::vector<int>{0, 4}));
  EXPECT_EQ(view.pairs, 2);
}

TEST(PositionView, AColumnKeepsItsColour) {
  PositionScene s(32, 60, 10, 5);
  SpyCanvas canvas;
  const PageInput in = s.input();
  const PositionView all(canvas, in);
  ASSERT_EQ(all.colors.size(), 4u);
  for (int n = 0; n < 4; ++n)
    EXPECT_EQ(all.colors[static_cast<std::size_t>(n)], draw::series(in.theme, n + 1));
  s.scene.positions.columns = {7, 9};
  const PageInput fewer_in = s.input();
  const PositionView fewer(canvas, fewer_in);
  EXPECT_EQ(fewer.colors[0], all.colors[1]);
  EXPECT_EQ(fewer.colors[1], all.colors[3]);
  s.scene.positions.columns = {6, 13};  // would share a colour
  const PageInput two_in = s.input();
  const PositionView two(canvas, two_in);
  EXPECT_NE(two.colors[0], two.colors[1]);
}

TEST(PositionView, AClickOnAColumnAddsOrRemovesIt) {
  PositionScene s(32, 60, 10, 5);
  SpyCanvas canvas;
  const PageInput in = s.input();
  const PositionView view(canvas, in);
  EXPECT_EQ(toggled_columns(view, 7), "position_columns=6,8,9");
  EXPECT_EQ(toggled_columns(view, 2), "position_columns=2,6,7,8,9");
  s.scene.positions.columns = {3};
  const PageInput one_in = s.input();
  EXPECT_EQ(toggled_columns(PositionView(canvas, one_in), 3), "position_columns=");
}

TEST(PositionView, HandsRunClockwiseFromUpright) {
  const draw::Point up = hand_end({100, 100}, 10, hand_angle(0, 1));
  EXPECT_NEAR(up.x, 100, 1e-4);
  EXPECT_NEAR(up.y, 90, 1e-4);
  const draw::Point right = hand_end({100, 100}, 10, hand_angle(1, pi / 2));
  EXPECT_NEAR(right.x, 110, 1e-4);
  EXPECT_NEAR(right.y, 100, 1e-4);
}

TEST(PositionWords, StatusLine) {
  PositionScene s(32, 60, 10, 5);
  EXPECT_EQ(position_words(s.input()),
            "P is 60 × 32 · ω_0 = 1 … ω_15 = 1.8e−4 · p(i+δ) = R(δ) p(i) holds to 6.1e−08");
  PositionScene one(1, 1, 0, 0);
  EXPECT_EQ(position_words(one.input()), "P is 1 × 1 · ω_0 = 1");
  PositionScene none(4, 3, 0, 0);
  none.results.position = {};
  EXPECT_EQ(position_words(none.input()), "");
}

TEST(PositionWords, TooltipsSayWhatIsThere) {
  PositionScene s(32, 60, 10, 5);
  draw::Hit hit;
  hit.mark.part = draw::Part::position_cell, hit.mark.query = 10, hit.mark.key = 7;
  EXPECT_EQ(position_tooltip(s.input(), hit),
            "P[10, 7] = −0.206\ncos(10 · ω₃), ω₃ = 0.1778, λ = 35.3 positions");
  hit.mark = {};
  hit.mark.part = draw::Part::clock, hit.mark.key = 3;
  EXPECT_EQ(position_tooltip(s.input(), hit),
            "pair 3, columns 6 and 7\nω₃ = 0.1778, λ = 35.3 positions\nhand at 101.9° for i = 10\n"
            "δω = 0.889 rad = 50.9°");
  hit.mark = {};
  hit.mark.part = draw::Part::position_column, hit.mark.key = 6;
  EXPECT_EQ(position_tooltip(s.input(), hit),
            "column 6, sin(i · ω₃)\nω₃ = 0.1778, λ = 35.3 positions\nclick: remove from the plot");
  hit.mark = {};
  hit.mark.part = draw::Part::position_axis;
  hit.mark.area = {100, 0, 200, 50}, hit.mark.from = 20, hit.mark.to = 40, hit.at = {151, 10};
  EXPECT_EQ(position_tooltip(s.input(), hit), "position 25\ndrag: move the position");
  hit.mark = {};
  hit.mark.part = draw::Part::position_cell, hit.mark.query = 999, hit.mark.key = 7;  // from older results
  EXPECT_EQ(position_tooltip(s.input(), hit), "");
  hit.mark.note = "as the mark says";
  EXPECT_EQ(position_tooltip(s.input(), hit), "as the mark says");
}

}  // namespace
}  // namespace headlight::views
