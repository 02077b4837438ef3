// Texts that are turned: where their corners are, where they are hit, and when two of them overlap.
#include "draw/turned.h"

#include <gtest/gtest.h>

#include <cmath>

#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"

namespace headlight::draw {
namespace {

constexpr float half_root = 0.70710678f;

void expect_point(Point p, float x, float y) {
  EXPECT_NEAR(p.x, x, 1e-4f);
  EXPECT_NEAR(p.y, y, 1e-4f);
}

TEST(Turned, AnticlockwiseOnTheScreenAboutThePoint) {
  expect_point(turned({10, 20}, 5, 2, 0), 15, 22);
  expect_point(turned({10, 20}, 5, 0, upwards), 10, 15);  // reading runs up
  expect_point(turned({10, 20}, 0, 2, upwards), 12, 20);  // and the foot of the letters is at the right
  expect_point(turned({0, 0}, 10, 0, 45), 10 * half_root, -10 * half_root);
  expect_point(turned({0, 0}, 0, 10, 45), 10 * half_root, 10 * half_root);
}

TEST(Turned, NoAngleChangesLengths) {
  for (const float degrees : {0.f, 17.f, slanted, upwards, 135.f, 300.f}) {
    const Corners c = turned({3, 4}, Box{-2, -5, 30, 8}, degrees);
    EXPECT_NEAR(std::hypot(c[1].x - c[0].x, c[1].y - c[0].y), 30, 1e-3f) << degrees;
    EXPECT_NEAR(std::hypot(c[2].x - c[1].x, c[2].y - c[1].y), 8, 1e-3f) << degrees;
    const Box all = bounds(c);
    for (const Point p : c) {
      EXPECT_GE(p.x, all.x - 1e-4f);
      EXPECT_LE(p.y, all.bottom() + 1e-4f);
    }
  }
}

TEST(Turned, ParallelLinesOverlapOnlyWhenTheirLettersDo) {
  const auto line = [](float x) { return turned({x, 0}, Box{0, -6, 80, 12}, slanted); };
  // Side by side their upright boxes overlap long before their letters do.
  EXPECT_FALSE(overlap(line(0), line(17)));
  EXPECT_TRUE(overlap(line(0), line(14)));
  EXPECT_FALSE(overlap(line(0), line(14), 2));
  const Corners level = turned({0, 0}, Box{-40, -20, 30, 12}, 0);
  EXPECT_FALSE(overlap(line(0), level));
}

TEST(Turned, ATurnedTextIsHitWhereItsLettersAre) {
  RecordCanvas ruler;
  const TextStyle style{.size = 12, .valign = VAlign::middle, .turn = slanted};
  const auto hit = [&](Point at) {
    PickCanvas pick(at, ruler);
    Mark mark;
    mark.part = Part::key_token, mark.key = 7;
    pick.mark(mark);
    pick.text({100, 100}, "because", style);
    pick.mark({});
    return pick.hit().mark.key;
  };
  const float width = ruler.text_width("because", style);
  EXPECT_EQ(hit(turned({100, 100}, width * 0.9f, 0, slanted)), 7);
  EXPECT_EQ(hit({100, 100 - width * 0.6f}), -1) << "straight above its beginning is another column";
  PickCanvas pick({0, 0}, ruler);
  Mark mark;
  mark.part = Part::key_token, mark.key = 7;
  pick.mark(mark);
  pick.text({100, 100}, "because", style);
  ASSERT_EQ(pick.targets().size(), 1u);
  EXPECT_EQ(hit(pick.targets()[0].box.centre()), 7) << "the middle of the box that scripts click";
}

TEST(Turned, TheRecorderTellsTheTurn) {
  RecordCanvas canvas;
  canvas.text({1, 2}, "a", {.size = 10, .turn = slanted});
  canvas.text({1, 2}, "a", {.size = 10, .turn = upwards});
  canvas.text({1, 2}, "a", {.size = 10});
  ASSERT_EQ(canvas.lines.size(), 3u);
  EXPECT_NE(canvas.lines[0].find(" turned 50"), std::string::npos);
  EXPECT_NE(canvas.lines[1].find(" upwards"), std::string::npos);
  EXPECT_EQ(canvas.lines[2].find("turned"), std::string::npos);
}

}  // namespace
}  // namespace headlight::draw
