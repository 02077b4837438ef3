// The card of the Order page that takes the score of a pair apart: its maps, its table and its bar.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "order_fixture.h"

namespace headlight::views::order_page_test {
namespace {

using draw::Part;

/// Behind the first layer there is no sum of four; the card says so and leads to the layer that has one.
TEST(OrderPage, ADeeperLayerIsNotTakenApart) {
  OrderFixture f({.settings = {"weights=trained", "weights_layer=2"}}, anagram, Positions::added);
  ASSERT_TRUE(f.order().parts.mixed);
  for (const Size size : sizes) {
    const Drawn page = f.draw_at(size.width, size.height);
    EXPECT_EQ(layout_trouble(page, size.width), "") << size.width;
    EXPECT_TRUE(says(page.canvas, "In layer 2 they cannot be separated"));
    EXPECT_FALSE(says(page.canvas, "sum of the four"));
    EXPECT_EQ(control(page.canvas, "parts of layer 1").set, "weights_layer=1");
    EXPECT_TRUE(says(page.canvas, "layers 1 and 2"));
  }
  draw::Hit hit;
  hit.mark.part = Part::cell, hit.mark.query = 2, hit.mark.key = 4;
  EXPECT_EQ(order_tooltip(f.input(), hit), "");
}

TEST(OrderPage, MaskedScoresAreStriped) {
  OrderFixture f({.mask = {.causal = true}}, anagram, Positions::added);
  f.scene.query = {1}, f.scene.key = 4;
  const Drawn page = f.draw_at(1340, 850);
  for (int which = 0; which < f.order().parts.count; ++which) {
    const nn::Matrix& part = f.order().parts.map[which];
    const auto map = largest_map(page.canvas, part.plane(0));
    ASSERT_EQ(map.map.allowed.size(), 6u);
    for (int t = 0; t < 6; ++t) EXPECT_EQ(map.map.allowed[static_cast<std::size_t>(t)].end, t + 1);
  }
  EXPECT_TRUE(says(page.canvas, "masked"));
  EXPECT_TRUE(says(page.canvas, "not part of the softmax"));
  EXPECT_EQ(layout_trouble(page, 1340), "");
}

TEST(OrderPage, TheOpenedPairAddsUp) {
  OrderFixture f({}, anagram, Positions::added);
  f.scene.query = {3}, f.scene.key = 2, f.scene.head = {2};
  for (const bool divided : {false, true}) {
    f.scene.order.divided = divided;
    const Drawn page = f.draw_at(1340, 850);
    const double factor = divided ? f.order().parts.factor : 1;
    double sum = 0;
    for (int which = 0; which < f.order().parts.count; ++which) {
      const nn::MatrixF64& part = f.order().parts.part[which];
      sum += part.at(1, 3, 2) * factor;
      EXPECT_TRUE(says(page.canvas, signed_text(part.at(1, 3, 2) * factor, 3)));
    }
    EXPECT_GE(times_said(page.canvas, signed_text(sum, 3)), 2) << "sum and score";
    for (int which = 0; which < 4; ++which) {
      const auto map = largest_map(page.canvas, f.order().parts.map[which].plane(1));
      EXPECT_GT(map.box.w, 60);
      EXPECT_FLOAT_EQ(map.map.hi, static_cast<float>(f.order().parts.span[1]));
      EXPECT_FLOAT_EQ(map.map.lo, -map.map.hi);
    }
  }
}

TEST(OrderPage, ARotationHasAMapAndALineOfItsOwn) {
  OrderFixture f(
      {.settings = {"weights=trained", "weights_file=dictionary"}, .sentence = "the cat sat on the mat"},
      anagram);
  ASSERT_TRUE(f.order().relative_positions) << "RoPE";
  f.scene.query = {3}, f.scene.key = 2;
  const scene::OrderParts& parts = f.order().parts;
  ASSERT_EQ(parts.count, 5);
  for (const float width : {1340.f, 640.f}) {
    const Drawn page = f.draw_at(width, 850);
    EXPECT_TRUE(says(page.canvas, signed_text(parts.part[4].at(0, 3, 2) * parts.factor, 3)));
    EXPECT_TRUE(says(page.canvas, "rotation by j − i"));
    EXPECT_TRUE(says(page.canvas, "sum of the five"));
    EXPECT_TRUE(says(page.canvas, "none added")) << "its positions are in the scores";
    EXPECT_GT(largest_map(page.canvas, parts.map[4].plane(0)).box.w, 40);
    EXPECT_EQ(layout_trouble(page, width), "");
  }
}

TEST(OrderPage, SharesOfEveryHeadAreListedWhereTheyFit) {
  OrderFixture f({}, anagram, Positions::added);
  f.scene.query = {3}, f.scene.key = 2;
  const Drawn page = f.draw_at(2400, 1400);
  ASSERT_TRUE(says(page.canvas, "covariance ÷ variance, by head"));
  const PageInput in = f.input();
  for (int head = 1; head <= f.results.attention.heads; ++head) {
    for (int part = 1; part <= f.order().parts.count; ++part)
      EXPECT_TRUE(says(page.canvas, in.text("order_part_share part=" + std::to_string(part) +
                                            " head=" + std::to_string(head))));
    double sum = 0;
    for (const double share : f.order().parts.shares[static_cast<std::size_t>(head - 1)].part) sum += share;
    EXPECT_NEAR(sum, 1, 1e-9) << head;
  }
  EXPECT_FALSE(says(f.draw_at(640, 360).canvas, "by head"));
}

/// A step of a lesson leaves the trained weights out: what is shown is then all of the shuffled ones.
TEST(OrderPage, WithoutTheTrainedWeightsTheShuffledOnesAreShown) {
  OrderFixture f({}, anagram, Positions::added);
  f.scene.query = {3}, f.scene.key = 2;
  const std::vector<std::string> without = {"trained weights"};
  PageInput in = f.input();
  in.without = &without;
  const Drawn page = drawn(order_page, in, 2400, 1400);
  const scene::OrderParts& parts = f.order().parts;
  for (int part = 0; part < 4; ++part)
    EXPECT_GT(largest_map(page.canvas, parts.shuffled_map[part].plane(0)).box.w, 40) << part;
  EXPECT_FALSE(says(page.canvas, "sum of the four"));
  EXPECT_TRUE(says(page.canvas, "the score, q·k ÷ √8, entries of W_Q and W_K shuffled"));
  EXPECT_TRUE(says(page.canvas, "as they are")) << "random weights are not trained";
  EXPECT_TRUE(says(page.canvas, "variance of the scores in a row"));
  for (int head = 1; head <= f.results.attention.heads; ++head) {
    EXPECT_TRUE(says(page.canvas, in.text("shuffled_part_share part=4 head=" + std::to_string(head))));
    for (const char* name : {"order_offset_share", "shuffled_offset_share", "shuffled_variance"})
      EXPECT_TRUE(says(page.canvas, in.text(std::string(name) + " head=" + std::to_string(head)))) << name;
  }
  EXPECT_EQ(layout_trouble(page, 2400), "");
  draw::Hit cell;
  cell.mark.part = Part::cell, cell.mark.head = 0, cell.mark.query = 3, cell.mark.key = 2;
  cell.mark.note = "pp, the entries of W_Q and W_K are shuffled";
  char number[32];
  std::snprintf(number, sizeof number, "%.3f",
                std::abs(static_cast<double>(parts.shuffled_map[3].at(0, 3, 2)) * parts.factor));
  EXPECT_NE(order_tooltip(in, cell).find(number), std::string::npos) << order_tooltip(in, cell);
  EXPECT_TRUE(std::any_of(page.canvas.marks.begin(), page.canvas.marks.end(),
                          [&](const draw::Mark& mark) { return mark.note == cell.mark.note; }));
}

/// One table that has no room takes none from the others, and its numbers of the shown head are at the foot.
TEST(OrderPage, ATableWithoutRoomDoesNotTakeTheOthersWithIt) {
  OrderFixture f({}, anagram, Positions::added);
  f.scene.query = {3}, f.scene.key = 2, f.scene.order.divided = false;
  const std::vector<std::string> without = {"trained weights"};
  PageInput in = f.input();
  in.without = &without;
  const Drawn page = drawn(order_page, in, 1340, 850);
  EXPECT_TRUE(says(page.canvas, "shuffled: covariance"));
  EXPECT_TRUE(says(page.canvas, "variance of q·k in a row"));
  EXPECT_FALSE(says(page.canvas, "covariance ÷ variance: xx"));

  OrderFixture many(Case{6, 24, 8}, anagram, Positions::added);
  many.scene.query = {3}, many.scene.key = 2;
  PageInput in_many = many.input();
  in_many.without = &without;
  const Drawn low = drawn(order_page, in_many, 1340, 600);
  EXPECT_EQ(layout_trouble(low, 1340), "");
  EXPECT_FALSE(says(low.canvas, "shuffled: covariance"));
  EXPECT_TRUE(says(low.canvas, "covariance ÷ variance: xx"));
}

TEST(OrderPage, TheStackedBarIsAsLongAsItsParts) {
  OrderFixture f({}, anagram, Positions::added);
  f.scene.query = {3}, f.scene.key = 2;
  const Drawn page = f.draw_at(1340, 850);
  double per_unit = 0;
  for (int which = 0; which < 4; ++which) {
    const std::string name = std::string("part ") + part_names[which];
    for (const draw::Mark& mark : page.canvas.marks) {
      if (mark.name != name) continue;
      const double value = std::abs(f.order().parts.part[which].at(0, 3, 2)) * f.order().parts.factor;
      if (per_unit == 0) per_unit = static_cast<double>(mark.area.w) / value;
      EXPECT_NEAR(static_cast<double>(mark.area.w), value * per_unit, 0.05) << name;
    }
  }
  EXPECT_GT(per_unit, 0);
}

TEST(OrderPage, APairBeyondThePartsIsSaid) {
  OrderFixture f({400, 2, 8, false, {}});
  ASSERT_LT(f.order().parts.tokens, 390);
  f.scene.query = {390}, f.scene.key = 3;
  EXPECT_TRUE(says(f.draw_at(1340, 850).canvas,
                   "Only the first " + std::to_string(f.order().parts.tokens) + " tokens"));
  f.scene.query = {};
  EXPECT_TRUE(says(f.draw_at(1340, 850).canvas, "No pair is open"));
}

/// A mask has as many rows as the map it lies on, also where fewer tokens are split than there are.
TEST(OrderPage, TheMaskOfThePartsIsThatOfTheirTokens) {
  OrderFixture f({400, 2, 8, false, {.causal = true}});
  const int tokens = f.order().parts.tokens;
  ASSERT_LT(tokens, 390);
  f.scene.query = {40}, f.scene.key = 3;
  int masked = 0;
  for (const auto& map : f.draw_at(1340, 850).canvas.maps) {
    if (map.map.allowed.empty()) continue;
    ASSERT_EQ(map.map.allowed.size(), static_cast<std::size_t>(map.map.rows));
    for (const base::Interval& keys : map.map.allowed) EXPECT_LE(keys.end, map.map.cols);
    masked += map.map.rows == tokens ? 1 : 0;
  }
  EXPECT_EQ(masked, f.order().parts.count);
}

}  // namespace
}  // namespace headlight::views::order_page_test
