// The overview in the corner of a long map: there from 128 tokens on, inside its area and off the map, with a
// frame where the map's part is, and a tooltip that names the part.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "attention_fixture.h"
#include "draw/record_canvas.h"
#include "pages/attention/view/overview.h"

namespace headlight::views::attention_overview_test {
namespace {

AttentionFixture page_of(int tokens) {
  Case what;
  what.tokens = tokens, what.heads = 2;
  AttentionFixture page(what);
  page.scene.head = {1};
  return page;
}

const draw::PickCanvas::Target* overview_of(AttentionFixture& page, float width, float height) {
  page.pick({-1, -1}, width, height);
  const auto found = std::find_if(page.targets.begin(), page.targets.end(), [](const auto& target) {
    return target.mark.part == draw::Part::overview;
  });
  return found == page.targets.end() ? nullptr : &*found;
}

draw::Box map_of(const AttentionFixture& page) {
  for (const auto& target : page.targets)
    if (target.mark.part == draw::Part::cell && target.mark.name.empty() && target.mark.query < 0)
      return target.box;
  return {};
}

std::vector<draw::Box> frames_of(const draw::RecordCanvas& canvas) {
  std::vector<draw::Box> frames;
  for (const std::string& line : canvas.lines) {
    draw::Box box;
    if (std::sscanf(line.c_str(), "frame %f %f %f %f", &box.x, &box.y, &box.w, &box.h) == 4)
      frames.push_back(box);
  }
  return frames;
}

TEST(Overview, BeginsWhereAMapIsTooLongToName) {
  for (const int tokens : {6, 64, 127}) {
    AttentionFixture page = page_of(tokens);
    EXPECT_EQ(overview_of(page, 1340, 850), nullptr) << tokens;
  }
  for (const int tokens : {128, 300}) {
    AttentionFixture page = page_of(tokens);
    for (const auto& [w, h] : {std::pair{1340.f, 850.f}, {1100.f, 640.f}, {3000.f, 1900.f}}) {
      const auto* overview = overview_of(page, w, h);
      ASSERT_NE(overview, nullptr) << tokens << " in " << w;
      const draw::Box map = map_of(page), small = overview->mark.area;
      EXPECT_GT(small.x, map.right()) << "it covers no cell";
      EXPECT_LE(small.right(), w);
      EXPECT_LT(small.w, map.w / 2);
    }
  }
}

/// The areas of pages in windows from 640 × 360 to 3840 × 2160.
TEST(Overview, EveryWindowHasItOffTheMapAndAwayFromTheControls) {
  for (const int tokens : {128, 512}) {
    AttentionFixture page = page_of(tokens);
    for (const auto& [w, h] : {std::pair{592.f, 308.f},
                               {560.f, 700.f},
                               {805.f, 428.f},
                               {752.f, 448.f},
                               {1003.f, 563.f},
                               {1216.f, 616.f},
                               {1536.f, 896.f},
                               {1856.f, 976.f},
                               {2496.f, 1336.f},
                               {3776.f, 2056.f}}) {
      const auto* overview = overview_of(page, w, h);
      ASSERT_NE(overview, nullptr) << tokens << " in " << w;
      const draw::Box map = map_of(page), small = overview->mark.area;
      EXPECT_TRUE(small.x > map.right() || small.y > map.bottom()) << tokens << " in " << w;
      EXPECT_LE(small.right(), w);
      EXPECT_GE(std::min(small.w, small.h), 36) << tokens << " in " << w;
      EXPECT_GT(map.h, 2 * small.h) << "the map stays the picture, in " << w;
      if (w < 900 && w > h) EXPECT_GE(map.w, 0.6f * w) << tokens << ": it is as wide as its card";
      for (const auto& target : page.targets) {
        if (target.mark.part != draw::Part::control) continue;
        const draw::Box& one = target.box;
        EXPECT_FALSE(one.x < small.right() && small.x < one.right() && one.y < small.bottom() &&
                     small.y < one.bottom())
            << target.mark.name << " in " << w;
      }
    }
  }
}

/// The frame is where the part is, at the scale of the small map.
TEST(Overview, TheFrameIsThePartOnView) {
  AttentionFixture page = page_of(200);
  page.view = {50, 100, 40, 20};
  const auto* overview = overview_of(page, 1340, 850);
  ASSERT_NE(overview, nullptr);
  const draw::Box whole = overview->mark.area;
  const float unit = whole.w / 200;
  const draw::Box part{whole.x + 50 * unit, whole.y + 100 * unit, 40 * unit, 20 * unit};
  const draw::RecordCanvas canvas = page.record(1340, 850);
  const std::vector<draw::Box> frames = frames_of(canvas);
  const auto near = [](float a, float b) { return std::abs(a - b) < 0.06f; };
  EXPECT_TRUE(std::any_of(frames.begin(), frames.end(), [&](const draw::Box& box) {
    return near(box.x, part.x) && near(box.y, part.y) && near(box.w, part.w) && near(box.h, part.h);
  }));
  const auto note = [&page] {
    const auto* small = overview_of(page, 1340, 850);
    return small ? small->mark.note : std::string();
  };
  EXPECT_THAT(note(), testing::HasSubstr("queries 100–119 and keys 50–89"));
  page.scene.query_axis = scene::QueryAxis::columns;
  EXPECT_THAT(note(), testing::HasSubstr("queries 50–89 and keys 100–119"));
}

TEST(Overview, APartOfASingleCellCanBeSeen) {
  AttentionFixture page = page_of(400);
  page.view = {398, 398, 2, 2};
  const auto* overview = overview_of(page, 1340, 850);
  ASSERT_NE(overview, nullptr);
  const draw::Box whole = overview->mark.area;
  const std::vector<draw::Box> frames = frames_of(page.record(1340, 850));
  const bool found = std::any_of(frames.begin(), frames.end(), [&](const draw::Box& box) {
    return box.w >= 6 && box.w < 7 && box.x >= whole.x && box.right() <= whole.right() + 0.06f &&
           box.bottom() <= whole.bottom() + 0.06f && box.y > whole.centre().y;
  });
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace headlight::views::attention_overview_test
