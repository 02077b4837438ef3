#include "draw/canvas.h"

#include <gtest/gtest.h>

#include "draw/both_canvas.h"
#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"

namespace headlight::draw {
namespace {

TEST(FitText, ShortensAtACharacterAndNeverExceedsTheWidth) {
  RecordCanvas canvas;
  const TextStyle style{.size = 10, .color = {}};
  EXPECT_EQ(fit_text(canvas, "the cat", style, 100), "the cat");
  for (float width : {5.5f, 12.f, 23.f, 40.f}) {
    const std::string fitted = fit_text(canvas, "the cat sat on the mat", style, width);
    EXPECT_LE(canvas.text_width(fitted, style), width);
    EXPECT_EQ(fitted.substr(fitted.size() - 3), "…");
  }
  EXPECT_EQ(fit_text(canvas, "ééééé", style, 5.5f * 3), "éé…");
}

TEST(Heatmap, CellAtAndCellBoxAreInverse) {
  Heatmap map;
  map.rows = 7, map.cols = 11;
  const Box box{100, 50, 330, 140};
  for (bool transposed : {false, true}) {
    map.transposed = transposed;
    for (int row = 0; row < (transposed ? 11 : 7); ++row) {
      for (int col = 0; col < (transposed ? 7 : 11); ++col) {
        const Point cell = cell_at(box, map, cell_box(box, map, col, row).centre());
        EXPECT_EQ(static_cast<int>(cell.x), col);
        EXPECT_EQ(static_cast<int>(cell.y), row);
      }
    }
  }
  map.transposed = false;
  map.view = {3, 2, 4, 3};
  const Point cell = cell_at(box, map, cell_box(box, map, 5, 4).centre());
  EXPECT_FLOAT_EQ(cell.x, 5.5f);
  EXPECT_FLOAT_EQ(cell.y, 4.5f);
}

/// A page of one heatmap, two buttons and a line.
void paint(Canvas& canvas) {
  static const float values[6] = {};
  Heatmap map;
  map.values = values, map.rows = 2, map.cols = 3, map.row_stride = 3;
  canvas.mark({.part = Part::cell, .head = 1});
  canvas.heatmap({0, 0, 30, 20}, map);
  canvas.mark({.part = Part::control, .set = "a=1", .name = "one"});
  canvas.rect({40, 0, 20, 20}, {});
  canvas.mark({.part = Part::control, .set = "b=2", .name = "two", .area = {40, 30, 20, 20}});
  canvas.mark({.part = Part::clock, .key = 3});
  canvas.line({0, 60}, {30, 60}, {});
  canvas.mark({});
  canvas.rect({0, 0, 100, 10}, {});  // stands for nothing, hides nothing
}

Hit hit_at(Point p) {
  RecordCanvas measure;
  PickCanvas pick(p, measure);
  paint(pick);
  return pick.hit();
}

TEST(PickCanvas, FindsWhatWasDrawnUnderThePoint) {
  EXPECT_EQ(hit_at({25, 15}).mark.part, Part::cell);
  EXPECT_EQ(hit_at({25, 15}).mark.query, 1);
  EXPECT_EQ(hit_at({25, 15}).mark.key, 2);
  EXPECT_EQ(hit_at({25, 15}).mark.head, 1);
  EXPECT_EQ(hit_at({45, 5}).mark.name, "one");
  EXPECT_EQ(hit_at({45, 35}).mark.name, "two");
  EXPECT_EQ(hit_at({15, 63}).mark.part, Part::clock);
  EXPECT_EQ(hit_at({15, 66}).mark.part, Part::none);
}

TEST(PickCanvas, ClippedShapesAreNotHit) {
  RecordCanvas measure;
  PickCanvas pick({5, 5}, measure);
  pick.push_clip({50, 50, 10, 10});
  paint(pick);
  pick.pop_clip();
  EXPECT_EQ(pick.hit().mark.part, Part::none);
}

TEST(PickCanvas, TargetsNameEveryMarkWithItsBox) {
  RecordCanvas measure;
  PickCanvas pick({-1, -1}, measure);
  paint(pick);
  ASSERT_EQ(pick.targets().size(), 4u);
  EXPECT_EQ(pick.targets()[1].box, (Box{40, 0, 20, 20}));
  EXPECT_EQ(pick.targets()[2].box, (Box{40, 30, 20, 20}));
}

/// Every call of a canvas, once.
void paint_everything(Canvas& canvas) {
  const Point corners[] = {{0, 0}, {40, 5}, {10, 30}};
  const Stroke stroke{rgb(0x123456), 2, 3};
  canvas.panel({0, 0, 90, 80}, "card", "A card");
  paint(canvas);
  canvas.push_clip({0, 0, 50, 60});
  canvas.mark({.part = Part::control, .name = "shapes"});
  canvas.frame({1, 2, 30, 40}, stroke, 4);
  canvas.polyline(corners, stroke);
  canvas.polygon(corners, rgb(0x654321));
  canvas.curve(corners[0], corners[1], corners[2], {50, 50}, stroke);
  canvas.circle({70, 20}, 9, rgb(0xabcdef));
  canvas.ring({70, 20}, 9, stroke);
  canvas.sector({70, 20}, 9, 0, 1, rgb(0xfedcba));
  canvas.text({5, 6}, "words", {.size = 11, .color = rgb(0x111111)});
  canvas.pop_clip();
}

TEST(BothCanvas, EachGetsWhatItWouldGetAlone) {
  RecordCanvas alone, first, measure;
  paint_everything(alone);
  for (const Point at : {Point{25, 15}, {45, 5}, {70, 20}, {20, 12}, {-1, -1}}) {
    PickCanvas pick_alone(at, measure), pick(at, measure);
    first = {};
    BothCanvas both(first, pick);
    paint_everything(pick_alone), paint_everything(both);
    EXPECT_EQ(first.lines, alone.lines);
    EXPECT_EQ(pick.hit().mark, pick_alone.hit().mark);
    EXPECT_EQ(pick.panel_under(), pick_alone.panel_under());
    ASSERT_EQ(pick.targets().size(), pick_alone.targets().size());
    for (std::size_t i = 0; i < pick.targets().size(); ++i)
      EXPECT_EQ(pick.targets()[i].box, pick_alone.targets()[i].box);
  }
  RecordCanvas second;
  BothCanvas both(first, second);
  const TextStyle style{.size = 10, .color = {}};
  EXPECT_EQ(both.text_width("words", style), first.text_width("words", style));
  EXPECT_EQ(both.plain(), first.plain());
}

TEST(RecordCanvas, OneLineForEachCall) {
  RecordCanvas canvas;
  paint(canvas);
  ASSERT_EQ(canvas.lines.size(), 8u);
  EXPECT_EQ(canvas.lines[1], "heatmap 0.0 0.0 30.0 20.0 2x3 [0.0, 1.0]");
  EXPECT_EQ(canvas.marks.size(), 4u);
}

}  // namespace
}  // namespace headlight::draw
