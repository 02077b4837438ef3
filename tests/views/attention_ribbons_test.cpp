// Ribbons: one for each weight that can be seen, all of the asked query's, and a bound on their number.
#include <gtest/gtest.h>

#include "views/attention_fixture.h"

namespace headlight::views {
namespace {

AttentionFixture ribbons(Case what = {}) {
  AttentionFixture f(what);
  f.scene.attention_view = scene::AttentionView::ribbons;
  f.scene.head = {1};
  return f;
}

int curves(const draw::RecordCanvas& canvas) {
  int count = 0;
  for (const std::string& line : canvas.lines) count += line.rfind("curve ", 0) == 0 ? 1 : 0;
  return count;
}

TEST(AttentionRibbons, EveryWeightOfAShortSentenceHasOne) {
  AttentionFixture f = ribbons();
  int visible = 0;
  for (int query = 0; query < 6; ++query) {
    for (int key = 0; key < 6; ++key)
      visible += query == 1 || f.results.attention.weights.at(0, query, key) >= 0.004f ? 1 : 0;
  }
  EXPECT_EQ(curves(f.record(1050, 590)), visible);
}

TEST(AttentionRibbons, TheAskedQueryCarriesItsNumbers) {
  AttentionFixture f = ribbons();
  const draw::RecordCanvas canvas = f.record(1050, 590);
  for (int key = 0; key < 6; ++key)
    EXPECT_TRUE(says(canvas, fixed(static_cast<double>(f.results.attention.weights.at(0, 1, key)), 2)));
}

TEST(AttentionRibbons, ManyTokensKeepAllOfTheAskedQueryAndSayWhatIsLeftOut) {
  AttentionFixture f = ribbons({400, 1, 2, false, {}});
  f.scene.query = {7};
  const draw::RecordCanvas canvas = f.record(1050, 590);
  int asked = 0;
  for (const draw::Mark& mark : canvas.marks)
    asked += mark.part == draw::Part::cell && mark.query == 7 ? 1 : 0;
  EXPECT_GE(asked, 400);
  EXPECT_LE(curves(canvas), 3200);
  EXPECT_TRUE(says(canvas, "of the selected query, all"));
}

TEST(AttentionRibbons, MaskedPairsHaveNone) {
  Case what;
  what.mask.causal = true;
  AttentionFixture f = ribbons(what);
  const draw::RecordCanvas canvas = f.record(1050, 590);
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.part == draw::Part::cell) {
      EXPECT_LE(mark.key, mark.query);
    }
  }
}

TEST(AttentionRibbons, HeadsHaveTheirColourUpToTen) {
  AttentionFixture f = ribbons({4, 3, 2, false, {}});
  f.scene.head = {};
  EXPECT_TRUE(says(f.record(1050, 590), "colour = head"));
  AttentionFixture many = ribbons({4, 12, 2, false, {}});
  many.scene.head = {};
  const draw::RecordCanvas canvas = many.record(1050, 590);
  EXPECT_FALSE(says(canvas, "colour = head"));
  EXPECT_TRUE(says(canvas, "All 12 heads · mean"));
}

TEST(AttentionRibbons, ThePointerFindsARibbon) {
  AttentionFixture f = ribbons();
  for (float& weight : f.results.attention.weights.values()) weight = 0;
  f.results.attention.weights.at(0, 1, 1) = 1;  // a straight one
  const draw::RecordCanvas canvas = f.record(1050, 590);
  float ax = 0, ay = 0, bx = 0, by = 0, x1, y1, x2, y2;
  for (const std::string& line : canvas.lines) {
    if (std::sscanf(line.c_str(), "curve %f %f %f %f %f %f %f %f", &ax, &ay, &x1, &y1, &x2, &y2, &bx, &by) ==
        8)
      break;
  }
  const draw::Hit hit = f.pick({(ax + bx) / 2, (ay + by) / 2}, 1050, 590);
  EXPECT_EQ(hit.mark.part, draw::Part::cell);
  EXPECT_EQ(hit.mark.query, 1);
  EXPECT_EQ(hit.mark.key, 1);
}

}  // namespace
}  // namespace headlight::views
