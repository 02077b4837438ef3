// What the other cards of the Position page say and draw is what P holds.
#include <gtest/gtest.h>

#include "kit/page_input.h"
#include "kit/plot.h"
#include "kit/words.h"
#include "pages/position/view/cards.h"
#include "position_scene.h"
#include "position_spy.h"

namespace headlight::views {
namespace {

using draw::Part;
using test::PositionScene;
using test::SpyCanvas;

SpyCanvas drawn(const PositionScene& s, void (*card)(const PositionView&, draw::Box),
                draw::Box box = {0, 0, 900, 480}) {
  SpyCanvas spy;
  const PageInput in = s.input();
  card(PositionView(spy, in), box);
  return spy;
}

TEST(PowerWords, CarryToTheNextPower) {
  EXPECT_EQ(power_words(9.94e12, 1), "9.9·10¹²");
  EXPECT_EQ(power_words(9.96e12, 1), "1.0·10¹³");
  EXPECT_EQ(power_words(9.96e12, 2), "9.96·10¹²");
  EXPECT_EQ(power_words(9.996e12, 2), "1.00·10¹³");
  EXPECT_EQ(power_words(1e7, 1), "1.0·10⁷");
}

TEST(ColumnsPlot, MarkersHaveTheValuesOfP) {
  for (const int i : {0, 10, 37, 59}) {
    const PositionScene s(32, 60, i, i < 30 ? 5 : -7);
    const SpyCanvas spy = drawn(s, columns_plot_card);
    const draw::Mark* axis = spy.marked(Part::position_axis);
    ASSERT_NE(axis, nullptr);
    EXPECT_EQ(axis->from, 0);
    EXPECT_EQ(axis->to, 59);
    const auto x_of = [&](int position) {
      return axis->area.x + axis->area.w * static_cast<float>(position) / 59;
    };
    const auto y_of = [&](double value) {
      return static_cast<double>(axis->area.y) + static_cast<double>(axis->area.h) * (1 - value) / 2;
    };
    std::vector<SpyCanvas::Disc> here, there;
    for (const auto& disc : spy.discs) {
      if (disc.radius == 4.5f) here.push_back(disc);
    }
    for (const auto& ring : spy.rings) there.push_back(ring);
    ASSERT_EQ(here.size(), 4u);
    ASSERT_EQ(there.size(), 4u);
    for (std::size_t n = 0; n < 4; ++n) {
      const int column = s.scene.positions.columns[n];
      EXPECT_NEAR(here[n].centre.x, x_of(i), 0.01);
      EXPECT_NEAR(static_cast<double>(here[n].centre.y), y_of(s.p(i, column)), 0.01);
      EXPECT_NEAR(there[n].centre.x, x_of(i + s.scene.positions.delta), 0.01);
      EXPECT_NEAR(static_cast<double>(there[n].centre.y), y_of(s.p(i + s.scene.positions.delta, column)),
                  0.01);
      EXPECT_TRUE(spy.says(fixed(s.p(i, column), 3)));
    }
  }
}

TEST(ColumnsPlot, SinesAreSolidCosinesDashed) {
  const PositionScene s(32, 60, 10, 5);
  const SpyCanvas spy = drawn(s, columns_plot_card);
  ASSERT_EQ(spy.polylines.size(), 4u);
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(spy.polyline_strokes[n].dash > 0, n % 2 == 1);
    EXPECT_EQ(spy.polyline_strokes[n].color, draw::series(s.input().theme, static_cast<int>(n) + 1));
    EXPECT_GT(spy.polylines[n].size(), 100u);
  }
}

TEST(ColumnsPlot, CurvesGoThroughTheRowsOfP) {
  const PositionScene s(32, 60, 10, 5);
  const SpyCanvas spy = drawn(s, columns_plot_card);
  const draw::Mark* axis = spy.marked(Part::position_axis);
  for (std::size_t n = 0; n < 4; ++n) {
    for (const draw::Point p : spy.polylines[n]) {  // any point of the curve is the function of its x
      const double x = static_cast<double>((p.x - axis->area.x) / axis->area.w) * 59;
      const double value = 1 - 2 * static_cast<double>((p.y - axis->area.y) / axis->area.h);
      const int column = s.scene.positions.columns[n];
      const double angle = x * s.omega(column / 2);
      EXPECT_NEAR(value, column % 2 == 0 ? std::sin(angle) : std::cos(angle), 1e-3);
    }
  }
}

TEST(ColumnsPlot, LinesSayWhereTheyAre) {
  EXPECT_TRUE(drawn(PositionScene(32, 60, 10, 5), columns_plot_card).says("i = 10"));
  EXPECT_TRUE(drawn(PositionScene(32, 60, 10, 5), columns_plot_card).says("i + δ = 15"));
  EXPECT_TRUE(drawn(PositionScene(32, 60, 10, -5), columns_plot_card).says("i + δ = 5"));
  EXPECT_TRUE(drawn(PositionScene(32, 60, 58, 5), columns_plot_card).says("i + δ = 63 is outside P"));
  EXPECT_TRUE(drawn(PositionScene(32, 60, 3, -5), columns_plot_card).says("i + δ = −2 is outside P"));
}

TEST(ColumnsPlot, DraggingAxes) {
  const PositionScene s(32, 60, 10, 5);
  const SpyCanvas spy = drawn(s, columns_plot_card);
  const draw::Mark* offset = spy.marked(Part::offset_axis);
  ASSERT_NE(offset, nullptr);
  // Its middle is the line in the colour of the offset, and its scale is that of the plot.
  EXPECT_NEAR((offset->from + offset->to) / 2, 15, 1e-3);
  const draw::Mark* axis = spy.marked(Part::position_axis);
  EXPECT_NEAR((offset->to - offset->from) / offset->area.w, (axis->to - axis->from) / axis->area.w, 1e-4);
  EXPECT_EQ(drawn(PositionScene(32, 60, 58, 5), columns_plot_card).marked(Part::offset_axis), nullptr);
}

TEST(ColumnsPlot, ChipsAddAndRemoveColumns) {
  const PositionScene s(32, 60, 10, 5);
  const SpyCanvas spy = drawn(s, columns_plot_card);
  ASSERT_NE(spy.control("col 7"), nullptr);
  EXPECT_EQ(spy.control("col 7")->set, "position_columns=6,8,9");
  ASSERT_NE(spy.control("add column"), nullptr);
  EXPECT_EQ(spy.control("add column")->set, "position_columns=6,7,8,9,10");
  PositionScene last(4, 9, 1, 1);
  last.scene.positions.columns = {3};
  EXPECT_EQ(drawn(last, columns_plot_card).control("add column")->set, "position_columns=0,3");
  last.scene.positions.columns = {0, 1, 2, 3};
  EXPECT_EQ(drawn(last, columns_plot_card).control("add column"), nullptr);
}

TEST(ColumnsPlot, ALongPShowsThePartAroundI) {
  for (const int i : {0, 31, 500, 2000, 4095}) {
    const PositionScene s(512, 4096, i, 3);
    const SpyCanvas spy = drawn(s, columns_plot_card);
    const draw::Mark* axis = spy.marked(Part::position_axis);
    EXPECT_LE(axis->from, static_cast<float>(i));
    EXPECT_GE(axis->to, static_cast<float>(i));
    EXPECT_LT(axis->to - axis->from, 100);
    EXPECT_TRUE(spy.says("of 4,096, around i"));
  }
}

TEST(ColumnsPlot, TheValuesUnderThePointer) {
  PositionScene s(32, 60, 10, 5);
  const SpyCanvas before = drawn(s, columns_plot_card);
  s.hover.mark = *before.marked(Part::position_axis);
  s.hover.at = {s.hover.mark.area.x + s.hover.mark.area.w * 23.2f / 59, s.hover.mark.area.centre().y};
  s.hovering = true;
  const SpyCanvas spy = drawn(s, columns_plot_card);
  EXPECT_TRUE(spy.says("position 23"));
  for (const int column : s.scene.positions.columns) EXPECT_TRUE(spy.says(fixed(s.p(23, column), 3)));
}

TEST(ColumnsPlot, AClockUnderThePointerLightsItsColumns) {
  PositionScene s(32, 60, 10, 5);
  s.hovering = true;
  s.hover.mark.part = Part::clock, s.hover.mark.key = 3;
  const SpyCanvas spy = drawn(s, columns_plot_card);
  ASSERT_EQ(spy.polyline_strokes.size(), 4u);
  EXPECT_GT(spy.polyline_strokes[0].width, spy.polyline_strokes[2].width);
  EXPECT_LT(spy.polyline_strokes[2].color.a, 255);
  s.hover.mark.key = 9;  // not plotted: its curves come for as long
  EXPECT_EQ(drawn(s, columns_plot_card).polylines.size(), 6u);
}

TEST(PMap, RowsAndColumnsCanBeChosen) {
  const PositionScene s(32, 60, 10, 5);
  const SpyCanvas spy = drawn(s, p_map_card, {0, 0, 380, 480});
  int columns = 0, rows = 0;
  for (const draw::Mark& mark : spy.marks) {
    columns += mark.part == Part::position_column ? 1 : 0;
    rows += mark.part == Part::position_row && mark.name.empty() ? 1 : 0;
    if (mark.part == Part::position_row) {
      EXPECT_GE(static_cast<float>(mark.query) + 1.01f, mark.from);
    }
  }
  EXPECT_EQ(columns, 32);
  EXPECT_EQ(rows, 60);
  ASSERT_NE(spy.control("row i"), nullptr);
  EXPECT_EQ(spy.control("row i")->query, 10);
  EXPECT_NE(spy.marked(Part::position_cell), nullptr);
}

/// P from a far position on: rows, marks and labels are positions, the values those of its rows.
TEST(PMap, RowsFromAFirstPositionOn) {
  PositionScene s(8, 20, 1000005, 3);
  s.scene.position_offset = 1000000;
  s.compute();
  SpyCanvas canvas;
  const PageInput in = s.input();
  const PositionView view(canvas, in);
  EXPECT_EQ(view.first, 1000000);
  EXPECT_TRUE(view.has(1000000) && view.has(1000019));
  EXPECT_FALSE(view.has(999999) || view.has(1000020));
  EXPECT_NEAR(static_cast<double>(view.value(1000005, 0)), std::sin(1000005.0), 1e-6);
  p_map_card(view, {0, 0, 300, 500});
  EXPECT_TRUE(canvas.says("1000005"));
  int rows = 0;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.part != draw::Part::position_row) continue;
    EXPECT_GE(mark.query, 1000000);
    EXPECT_LE(mark.query, 1000019);
    ++rows;
  }
  EXPECT_GE(rows, 20);
  binary_card(view, {0, 0, 700, 400});
  EXPECT_TRUE(canvas.says("1000005 is 11110100001001000101"));
  columns_plot_card(view, {0, 0, 700, 400});
  EXPECT_TRUE(canvas.says("i = 1000005"));
  uniqueness_card(view, {0, 0, 500, 400});
  EXPECT_TRUE(canvas.says("20 positions from 1,000,000 on"));
}

TEST(Concat, BothSidesOfTheEquation) {
  PositionScene s(8, 20, 1, 3);
  SpyCanvas canvas;
  const PageInput in = s.input();
  const PositionView view(canvas, in);
  concat_card(view, {0, 0, 900, 330});
  const scene::Concatenated& c = *s.results.concatenated;
  double apart = 0;
  for (std::size_t n = 0; n < c.joined.size(); ++n)
    apart = std::max(
        apart, std::abs(static_cast<double>(c.joined.data()[n]) - static_cast<double>(c.sum.data()[n])));
  for (const std::string& words :
       {std::string("[x; p] W"), std::string("x W₁ + p W₂"), std::string("“cat” at position 1"),
        "differ by at most " + residual_text(apart) + " over 2 tokens", std::string("W₁ = W₂")})
    EXPECT_NE(canvas.all().find(words), std::string::npos) << words;
  for (const nn::Matrix* side : {&c.from_x, &c.from_p, &c.joined})
    EXPECT_NE(canvas.all().find(fixed(static_cast<double>(side->at(1, 0)), 3)), std::string::npos);
  s.results.concatenated = nullptr;
  SpyCanvas empty;
  const PageInput none = s.input();
  concat_card(PositionView(empty, none), {0, 0, 900, 330});
  EXPECT_TRUE(empty.says("No token"));
}

TEST(Rotation, TheMatrixTakesTheRowToTheOther) {
  const PositionScene s(32, 60, 10, 5);
  const SpyCanvas spy = drawn(s, rotation_card, {0, 0, 360, 320});
  const double c = std::cos(5 * s.omega(3)), n = std::sin(5 * s.omega(3));
  for (const double value : {c, n, -n, s.p(10, 6), s.p(10, 7), s.p(15, 6), s.p(15, 7)})
    EXPECT_TRUE(spy.says(fixed(value, 3))) << value;
  EXPECT_NEAR(c * s.p(10, 6) + n * s.p(10, 7), s.p(15, 6), 1e-6);
  EXPECT_NEAR(-n * s.p(10, 6) + c * s.p(10, 7), s.p(15, 7), 1e-6);
  const double worst = s.results.position.worst_rotation_residual;
  EXPECT_LT(worst, 1e-6);
  EXPECT_NE(spy.all().find("holds to " + residual_text(worst) + " for every i and every pair"),
            std::string::npos);
  EXPECT_NE(spy.all().find("10 → 15 and 30 → 35"), std::string::npos);
}

TEST(Rotation, OutsideP) {
  const SpyCanvas spy = drawn(PositionScene(32, 60, 58, 5), rotation_card, {0, 0, 360, 320});
  EXPECT_NE(spy.all().find("63 is outside P"), std::string::npos);
  EXPECT_TRUE(spy.says(fixed(std::sin(63 * std::pow(10000.0, -6.0 / 32)), 3)));
  EXPECT_TRUE(drawn(PositionScene(1, 60, 5, 5), rotation_card, {0, 0, 360, 320}).says("No pair to rotate"));
}

TEST(Binary, TheTable) {
  const SpyCanvas spy = drawn(PositionScene(32, 60, 10, 5), binary_card);
  for (const char* line :
       {"0 in binary is 000", "1 in binary is 001", "2 in binary is 010", "3 in binary is 011",
        "4 in binary is 100", "5 in binary is 101", "6 in binary is 110", "7 in binary is 111"}) {
    int found = 0;
    for (const auto& text : spy.texts) found += text.words == line ? 1 : 0;
    EXPECT_EQ(found, 1) << line;
  }
  EXPECT_TRUE(spy.says("10 is 001010"));
}

TEST(Binary, DigitsOfTheRowsThatAreShown) {
  const PositionScene s(8, 7, 3, 1);
  const SpyCanvas spy = drawn(s, binary_card);
  std::string digits;  // row by row, lowest bit first, as drawn
  for (const auto& text : spy.texts) {
    if (text.style.font == draw::Font::mono && text.words.size() == 1) digits += text.words;
  }
  EXPECT_EQ(digits, "000100010110001101011");
}

/// A wavelength is said to be longer than P only where it is.
TEST(BuildUp, AWavelengthIsComparedWithTheRows) {
  const auto words = [](int rows) {
    PositionScene s(32, rows, rows / 2, 1);
    s.scene.positions.step = 2, s.scene.positions.pair = 0, s.scene.positions.columns = {0, 1};
    return drawn(s, build_up_card).all();
  };
  const std::string ten = words(10), five = words(5);
  EXPECT_NE(ten.find("repeats every 6.3 positions; no row of this P is a whole turn away from position 5"),
            std::string::npos)
      << ten;
  EXPECT_NE(five.find("repeats every 6.3 positions, more than this P has"), std::string::npos) << five;
}

TEST(BuildUp, TheTwinHasTheSineAndNotTheCosine) {
  PositionScene s(32, 60, 10, 5);
  s.scene.positions.step = 1;
  const std::string first = drawn(s, build_up_card).all();
  EXPECT_NE(first.find("Column 6 alone is 0.979 at position 10 and 0.979 at position 43"), std::string::npos)
      << first;
  EXPECT_EQ(fixed(s.p(43, 6), 3), "0.979");
  s.scene.positions.step = 2;
  const std::string second = drawn(s, build_up_card).all();
  EXPECT_NE(second.find("The cosine, −0.206 at position 10 and 0.206 at position 43"), std::string::npos)
      << second;
  EXPECT_NE(second.find("repeats every 35.3 positions: the hand of position 45"), std::string::npos)
      << second;
  s.scene.positions.step = 3;
  const std::string third = drawn(s, build_up_card).all();
  const auto& nearest = s.results.position.nearest[10];
  EXPECT_NEAR(s.distance(10, 9), s.distance(10, 11), 1e-6) << "two rows are as near";
  EXPECT_NEAR(s.distance(10, 9), nearest.distance, 1e-6);
  EXPECT_NE(third.find("are rows 9 and 11, each " + brief(nearest.distance, 3) + " away"), std::string::npos)
      << third;
}

TEST(BuildUp, WhatIsSaidOfATwinHoldsInP) {
  // For many scenes: a claim that two positions have the same sine is printed only when they do, to 0.05.
  for (const int pair : {0, 1, 3, 6, 9, 15}) {
    for (const int i : {0, 10, 33, 59}) {
      PositionScene s(32, 60, i, 5);
      s.scene.positions.step = 1, s.scene.positions.pair = pair;
      const std::string words = drawn(s, build_up_card).all();
      const std::size_t claim = words.find("does not distinguish these two positions");
      if (claim == std::string::npos) continue;
      const std::size_t at = words.rfind("at position ", claim);
      const int twin = std::stoi(words.substr(at + 12));
      EXPECT_NE(twin, i);
      EXPECT_NEAR(s.p(twin, 2 * pair), s.p(i, 2 * pair), 0.05) << words;
    }
  }
}

/// sin 3 = 0.141 has no other one within 0.05 before position 19, long after its wavelength.
TEST(BuildUp, WholePositionsNeedNotMeetAValueAgain) {
  PositionScene s(32, 6, 3, 1);
  s.scene.positions.step = 1, s.scene.positions.pair = 0;
  const std::string words = drawn(s, build_up_card).all();
  EXPECT_NE(words.find("integer positions need not take the same value again"), std::string::npos) << words;
  EXPECT_EQ(words.find("comes back"), std::string::npos) << words;
}

TEST(BuildUp, NoCosineNoCircle) {
  PositionScene s(1, 9, 2, 1);
  s.scene.positions.step = 2;
  EXPECT_NE(drawn(s, build_up_card).all().find("has no cosine"), std::string::npos);
  PositionScene alone(4, 1, 0, 0);
  alone.scene.positions.step = 1;
  EXPECT_NE(drawn(alone, build_up_card).all().find("no other position"), std::string::npos);
}

TEST(Uniqueness, InWords) {
  const PositionScene s(32, 60, 10, 5);
  const SpyCanvas spy = drawn(s, uniqueness_card, {0, 0, 560, 400});
  EXPECT_TRUE(spy.says("Yes: all 60 rows differ"));
  EXPECT_NE(spy.all().find("Nearest to row 10 are rows 9 and 11, at distance " + brief(s.distance(10, 9), 3)),
            std::string::npos);
  // The first row has one neighbour; and of half a pair more the two differ.
  EXPECT_NE(drawn(PositionScene(32, 60, 0, 5), uniqueness_card).all().find("Nearest to row 0 is row 1, at"),
            std::string::npos);
  const PositionScene odd(5, 60, 10, 5);
  EXPECT_NE(drawn(odd, uniqueness_card)
                .all()
                .find("Nearest to row 10 is row " + std::to_string(odd.results.position.nearest[10].row)),
            std::string::npos);
  EXPECT_NE(spy.all().find("all neighbours are equally far apart"), std::string::npos);
  EXPECT_TRUE(spy.says("5 apart: " + fixed(s.dot(0, 5), 2)));
  EXPECT_NEAR(s.dot(0, 5), s.dot(30, 35), 1e-4) << "as the card says";
}

TEST(Uniqueness, WhenItIsNotKnownOrNotSo) {
  PositionScene large(32, 2000, 10, 5);
  ASSERT_TRUE(large.results.position.nearest.empty()) << "not within a frame";
  EXPECT_TRUE(drawn(large, uniqueness_card).says("Unknown: P is too large"));
  large.busy = 0.4f;
  EXPECT_TRUE(drawn(large, uniqueness_card).says("Comparing all rows"));
  PositionScene same(4, 9, 1, 1);
  same.results.position.closest_distance = 0;  // by hand: no setting makes two rows equal
  EXPECT_TRUE(drawn(same, uniqueness_card).says("No: rows"));
  EXPECT_TRUE(drawn(PositionScene(3, 9, 1, 1), uniqueness_card).says("except for the last sine"));
}

TEST(Axes, TicksLeaveRoom) {
  EXPECT_EQ(whole_ticks(59, 300, 24), (std::vector<int>{0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55}));
  EXPECT_EQ(binary_ticks(31, 272, 34), (std::vector<int>{0, 4, 8, 12, 16, 20, 24, 28}));
  EXPECT_EQ(whole_ticks(0, 300, 24), (std::vector<int>{0}));
  for (const int last : {1, 7, 59, 999, 4095}) {
    for (const float width : {80.f, 300.f, 900.f}) {
      const auto ticks = whole_ticks(last, width, 44);
      for (std::size_t n = 1; n < ticks.size(); ++n)
        EXPECT_GE(static_cast<float>(ticks[n] - ticks[n - 1]) * width / static_cast<float>(last), 43.9f);
    }
  }
}

TEST(Axes, ParagraphsBreakAtBlanksAndEndInAnEllipsis) {
  SpyCanvas spy;
  const Pen pen{spy, draw::theme(true)};
  const draw::TextStyle style = words_style(draw::theme(true).text, 10);  // 5.5 units a character
  EXPECT_FLOAT_EQ(paragraph(pen, {0, 0}, 60, "one two three four", style), 2 * 14.f);
  ASSERT_EQ(spy.texts.size(), 2u);
  EXPECT_EQ(spy.texts[0].words, "one two");
  EXPECT_EQ(spy.texts[1].words, "three four");
  spy.texts.clear();
  paragraph(pen, {0, 0}, 60, "one two three four five", style, 2);
  EXPECT_EQ(spy.texts.back().words, "three fou…");
}

}  // namespace
}  // namespace headlight::views
