// The clocks turn at the encoding’s own speeds: known elsewhere with a doubled exponent, or with the exponent
// by dimension instead of by pair.
#include <gtest/gtest.h>

#include "draw/pick_canvas.h"
#include "kit/clock_face.h"
#include "kit/page_input.h"
#include "pages/position/view/cards.h"
#include "position_scene.h"
#include "position_spy.h"

namespace headlight::views {
namespace {

using draw::Part;
using test::pi;
using test::PositionScene;
using test::SpyCanvas;

constexpr draw::Box card_box{0, 0, 940, 320};

double angle_of(const SpyCanvas::Line& line) {  // clockwise from upright
  return std::atan2(static_cast<double>(line.b.x - line.a.x), static_cast<double>(line.a.y - line.b.y));
}

double apart(double a, double b) {
  return std::abs(std::remainder(a - b, 2 * pi));
}

/// The lines of the clock of `pair` in `color`: one hand at most.
std::vector<SpyCanvas::Line> hands(const SpyCanvas& spy, int pair, draw::Color color) {
  std::vector<SpyCanvas::Line> found;
  for (const SpyCanvas::Line& line : spy.lines) {
    if (line.mark.part == Part::clock && line.mark.key == pair && line.stroke.color == color)
      found.push_back(line);
  }
  return found;
}

SpyCanvas drawn(const PositionScene& s, draw::Box box = card_box) {
  SpyCanvas spy;
  const PageInput in = s.input();
  const PositionView view(spy, in);
  clocks_card(view, box);
  return spy;
}

/// With their wavelengths alone where their columns have no room.
TEST(Clocks, AllHaveTheirWavelengthsBeforeSomeHaveTheirColumns) {
  const PositionScene s(32, 60, 10, 5, 10000);
  const SpyCanvas spy = drawn(s, {0, 0, 300, 460});
  int wavelengths = 0, columns = 0;
  for (const auto& text : spy.texts) {
    wavelengths += text.words.starts_with("λ ");
    columns += text.words.starts_with("columns ") || text.words == "6,7";
  }
  EXPECT_EQ(wavelengths, 16);
  EXPECT_EQ(columns, 0);
}

/// Where few clocks fit with their labels, all fit without them, and the framed one is named.
TEST(Clocks, AllFitWhereTheirLabelsDoNot) {
  const PositionScene s(32, 60, 10, 5, 10000);
  for (const auto& [box, labelled] : {std::pair{draw::Box{0, 0, 190, 230}, false}, {card_box, true}}) {
    const SpyCanvas spy = drawn(s, box);
    int clocks = 0, wavelengths = 0, framed = 0;
    for (const draw::Mark& mark : spy.marks) clocks += mark.part == Part::clock;
    for (const auto& text : spy.texts) {
      wavelengths += text.words.starts_with("λ ");
      framed += text.words.starts_with("framed: columns ");
    }
    EXPECT_EQ(clocks, 16) << box.w;
    EXPECT_EQ(wavelengths, labelled ? 16 : 0) << box.w;
    EXPECT_EQ(framed, labelled ? 0 : 1) << box.w;
  }
}

struct Case {
  int d, positions, i, delta;
  double base;
};

class TrueClocks : public testing::TestWithParam<Case> {};

TEST_P(TrueClocks, EveryHandStandsAtITimesOmega) {
  const Case c = GetParam();
  const PositionScene s(c.d, c.positions, c.i, c.delta, c.base);
  const SpyCanvas spy = drawn(s);
  const draw::Theme& theme = s.input().theme;
  int clocks = 0;
  for (const draw::Mark& mark : spy.marks) {
    if (mark.part != Part::clock) continue;
    ++clocks;
    // The exponent goes by pair: ω_j = base^(−2j/d), written here with the definition and not with the view's
    // list.
    const double omega = std::pow(c.base, -2.0 * mark.key / c.d);
    const auto hand = hands(spy, mark.key, theme.key);
    ASSERT_EQ(hand.size(), 1u);
    EXPECT_LT(apart(angle_of(hand[0]), c.i * omega), 2e-4) << "pair " << mark.key;
    const auto ghost = hands(spy, mark.key, theme.offset);
    ASSERT_EQ(ghost.size(), c.delta == 0 ? 0u : 1u);
    if (c.delta != 0) {
      EXPECT_LT(apart(angle_of(ghost[0]), (c.i + c.delta) * omega), 2e-4) << "pair " << mark.key;
    }
    // Same centre for both hands and the mark: the app turns about the middle of the mark's area.
    EXPECT_NEAR(hand[0].a.x, mark.area.centre().x, 1e-2);
    EXPECT_NEAR(hand[0].a.y, mark.area.centre().y, 1e-2);
  }
  EXPECT_GT(clocks, 0);
  if (c.d / 2 <= 16) {
    EXPECT_EQ(clocks, c.d / 2);
  }
}

TEST_P(TrueClocks, TheArcIsDeltaOmega) {
  const Case c = GetParam();
  const PositionScene s(c.d, c.positions, c.i, c.delta, c.base);
  const SpyCanvas spy = drawn(s);
  int arcs = 0;
  for (const SpyCanvas::Sector& sector : spy.sectors) {
    if (sector.mark.part != Part::clock) continue;
    ++arcs;
    const double omega = std::pow(c.base, -2.0 * sector.mark.key / c.d), swept = std::abs(c.delta) * omega;
    EXPECT_NEAR(static_cast<double>(sector.to - sector.from), std::fmod(swept, 2 * pi), 1e-5);
    // It starts at the hand and ends at the ghost; a sector counts from the right.
    const double start = static_cast<double>(c.delta > 0 ? sector.from : sector.to) + pi / 2;
    EXPECT_LT(apart(start, c.i * omega), 1e-5);
    bool light_disc = false;
    for (const SpyCanvas::Disc& disc : spy.discs)
      light_disc = light_disc || (disc.mark == sector.mark && disc.color.a < 255);
    EXPECT_EQ(light_disc, swept >= 2 * pi);
  }
  EXPECT_EQ(arcs > 0, c.delta != 0);
}

TEST_P(TrueClocks, TheWavelengthIsPrinted) {
  const Case c = GetParam();
  const SpyCanvas spy = drawn(PositionScene(c.d, c.positions, c.i, c.delta, c.base));
  for (const draw::Mark& mark : spy.marks) {
    if (mark.part != Part::clock) continue;
    const double wavelength = 2 * pi * std::pow(c.base, 2.0 * mark.key / c.d);
    EXPECT_TRUE(spy.says("λ " + wavelength_words(2 * pi / wavelength))) << mark.key;
  }
}

INSTANTIATE_TEST_SUITE_P(Many, TrueClocks,
                         testing::Values(Case{32, 60, 10, 5, 10000}, Case{32, 60, 59, -20, 10000},
                                         Case{2, 9, 4, 1, 10000}, Case{3, 5, 4, 0, 10000},
                                         Case{7, 40, 39, 3, 1.5}, Case{30, 100, 77, 30, 1e6},
                                         Case{64, 300, 123, 41, 500}, Case{512, 1000, 999, -400, 10000},
                                         Case{1024, 4096, 4000, 95, 10000}, Case{5, 3, 2, 4000, 10000}));

TEST(Clocks, TheSlowestWavelengthsAreKnown) {
  EXPECT_TRUE(drawn(PositionScene(32, 60, 10, 5)).says("λ 35,333"));
  EXPECT_TRUE(drawn(PositionScene(768, 60, 10, 5)).says("λ 61,343"));
  EXPECT_FALSE(drawn(PositionScene(768, 60, 10, 5)).says("λ 335"));
}

TEST(Clocks, HandsMoveWithTheRunningPosition) {
  PositionScene s(32, 60, 10, 5);
  s.scene.positions.play = true, s.play_position = 12.25;
  const SpyCanvas spy = drawn(s);
  const auto hand = hands(spy, 1, s.input().theme.key);
  ASSERT_EQ(hand.size(), 1u);
  EXPECT_LT(apart(angle_of(hand[0]), 12.25 * s.omega(1)), 2e-4);
  EXPECT_TRUE(spy.says("Pause"));
  EXPECT_EQ(spy.control("run position")->set, "play=false");
}

TEST(Clocks, MoreThanATurnIsPrinted) {
  const PositionScene s(8, 60, 10, 10);  // ω = 1, 0.1, …: 1.6 turns, then less than one
  const SpyCanvas spy = drawn(s);
  int turns = 0;
  for (const auto& text : spy.texts)
    turns += text.words.size() < 12 && text.words.find(" turns") != std::string::npos ? 1 : 0;
  EXPECT_TRUE(spy.says("1.6 turns"));
  EXPECT_EQ(turns, 1);
}

TEST(Clocks, TheChosenPairIsAlwaysThereAndTheRestIsCounted) {
  PositionScene s(1024, 50, 10, 5);
  for (const int pair : {0, 1, 100, 377, 510, 511}) {
    s.scene.positions.pair = pair;
    const SpyCanvas spy = drawn(s);
    int clocks = 0, last = -1;
    bool found = false;
    for (const draw::Mark& mark : spy.marks) {
      if (mark.part != Part::clock) continue;
      EXPECT_GT(mark.key, last) << "from fast to slow, none twice";
      last = mark.key;
      found = found || mark.key == pair;
      ++clocks;
    }
    EXPECT_TRUE(found) << pair;
    EXPECT_TRUE(spy.says("showing " + std::to_string(clocks) + " of 512 pairs"));
    EXPECT_GE(clocks, 12);
  }
}

TEST(Clocks, AnOddWidthLeavesASineWithoutClock) {
  EXPECT_TRUE(drawn(PositionScene(5, 9, 1, 1)).says("column 4 is a sine without a cosine: not a clock"));
  const SpyCanvas one = drawn(PositionScene(1, 9, 1, 1));
  EXPECT_TRUE(one.says("No clock"));
  EXPECT_EQ(one.marked(Part::clock), nullptr);
}

TEST(Clocks, LogarithmicSpeedsSayWhatTheyAre) {
  PositionScene s(32, 60, 10, 5);
  EXPECT_FALSE(drawn(s).says("not those of the encoding"));
  s.scene.positions.clock_speed = scene::ClockSpeed::logarithmic;
  const SpyCanvas spy = drawn(s);
  bool message = false;
  for (const auto& text : spy.texts) {
    if (text.words != "logarithmic speeds, not those of the encoding") continue;
    message = true;
    EXPECT_EQ(text.style.color, s.input().theme.offset);
    EXPECT_GE(text.style.size, 16);
  }
  EXPECT_TRUE(message);
  EXPECT_TRUE(spy.says("λ 35,333")) << "wavelengths stay true";
  const auto hand = hands(spy, 15, s.input().theme.key);
  ASSERT_EQ(hand.size(), 1u);
  EXPECT_GT(apart(angle_of(hand[0]), 0), 0.5) << "the slow hand is seen to move";
  double before = 2;
  for (int pair = 0; pair < 16; ++pair) {
    const double speed = logarithmic_speed(s.omega(pair), s.omega(0));
    EXPECT_LT(speed, before);
    before = speed;
  }
  EXPECT_DOUBLE_EQ(logarithmic_speed(1, 1), 1);
}

TEST(Clocks, PickingAClockGivesItsPair) {
  const PositionScene s(32, 60, 10, 5);
  const SpyCanvas spy = drawn(s);
  for (const draw::Mark& mark : spy.marks) {
    if (mark.part != Part::clock) continue;
    SpyCanvas measure;
    draw::PickCanvas pick({mark.area.centre().x + 9, mark.area.centre().y - 6}, measure);
    const PageInput in = s.input();
    clocks_card(PositionView(pick, in), card_box);
    EXPECT_EQ(pick.hit().mark.part, Part::clock);
    EXPECT_EQ(pick.hit().mark.key, mark.key);
  }
}

TEST(SameArc, TwoPositionsOneArc) {
  const PositionScene s(32, 60, 10, 5);
  SpyCanvas spy;
  const PageInput in = s.input();
  same_arc_card(PositionView(spy, in), {0, 0, 500, 380});
  ASSERT_EQ(spy.sectors.size(), 2u);
  for (const auto& sector : spy.sectors)
    EXPECT_NEAR(static_cast<double>(sector.to - sector.from), 5 * s.omega(3), 1e-5);
  EXPECT_TRUE(spy.says("10 → 15"));
  EXPECT_TRUE(spy.says("30 → 35"));
  EXPECT_TRUE(spy.says("δω = 0.889 rad = 50.9°"));
}

TEST(SameArc, TheOtherPositionLiesInPWhereItCan) {
  for (const int i : {0, 10, 45, 54}) {
    const PositionScene s(32, 60, i, 5);
    SpyCanvas spy;
    const PageInput in = s.input();
    same_arc_card(PositionView(spy, in), {0, 0, 500, 380});
    EXPECT_FALSE(spy.says("outside P")) << i;
  }
  const PositionScene out(32, 60, 58, 5);
  SpyCanvas spy;
  const PageInput in = out.input();
  same_arc_card(PositionView(spy, in), {0, 0, 500, 380});
  EXPECT_TRUE(spy.says("58 → 63, outside P"));
  EXPECT_EQ(spy.sectors.size(), 2u) << "the clocks show it all the same";
}

}  // namespace
}  // namespace headlight::views
