// Cards, heads, rows and cells of a page, found by their names.
#include "ui/page_overlay.h"

#include <gmock/gmock.h>

#include "draw/record_canvas.h"

namespace headlight::app::lesson_test {
namespace {

using testing::IsEmpty;

TEST(Overlay, FindsThingsByTheirNames) {
  draw::RecordCanvas measure;
  draw::PickCanvas pick({-1, -1}, measure);
  pick.panel({0, 0, 100, 50}, "map", "Head 1 · attention weights");
  pick.mark({.part = draw::Part::head, .head = 1, .area = {5, 5, 10, 10}});
  pick.mark({.part = draw::Part::cell, .head = 0});
  pick.heatmap({100, 100, 120, 240}, {});
  pick.mark({.part = draw::Part::control, .name = "matrix", .area = {1, 2, 3, 4}});
  const PageThings page{pick.targets(), pick.panels(), 6, 3, false};
  const PageThings turned{pick.targets(), pick.panels(), 6, 3, true};
  EXPECT_EQ(boxes_of("card map", page), (std::vector<draw::Box>{{0, 0, 100, 50}}));
  EXPECT_EQ(boxes_of("card Attention", page).size(), 1u);
  EXPECT_EQ(boxes_of("head 2", page), (std::vector<draw::Box>{{5, 5, 10, 10}}));
  EXPECT_EQ(boxes_of("matrix", page), (std::vector<draw::Box>{{1, 2, 3, 4}}));
  EXPECT_EQ(boxes_of("row 2", page), (std::vector<draw::Box>{{100, 180, 120, 40}}));
  EXPECT_EQ(boxes_of("column 2", page), (std::vector<draw::Box>{{180, 100, 40, 240}}));
  EXPECT_EQ(boxes_of("cell 2 1", page), (std::vector<draw::Box>{{140, 180, 40, 40}}));
  EXPECT_EQ(boxes_of("cell 2 1", turned), (std::vector<draw::Box>{{140, 180, 20, 80}}));
  EXPECT_THAT(boxes_of("row 6", page), IsEmpty());
  EXPECT_THAT(boxes_of("nothing", page), IsEmpty());
  PageOverlay overlay;
  overlay.hide = {"card map"}, overlay.highlight = {"head 2", "nothing"};
  const OverlayBoxes boxes = overlay_boxes(overlay, page);
  EXPECT_TRUE(boxes.covers_point({50, 20}));
  EXPECT_FALSE(boxes.covers_point({150, 20}));
  EXPECT_THAT(boxes.missing, testing::ElementsAre("nothing"));
}

TEST(Overlay, AFocusThatIsNotOnThePageCoversAllOfItAndIsNamed) {
  draw::RecordCanvas canvas;
  draw::PickCanvas pick({-1, -1}, canvas);
  pick.panel({0, 0, 100, 50}, "map", "Head 1");
  const PageThings page{pick.targets(), pick.panels()};
  PageOverlay overlay;
  overlay.focus = {"card none"};
  const auto written = [&] {
    canvas.texts.clear();
    const OverlayBoxes boxes = overlay_boxes(overlay, page);
    EXPECT_TRUE(boxes.covers_point({50, 20}));
    paint_overlay(canvas, boxes, overlay, {0, 0, 800, 600}, {0, 0, 800, 600}, draw::theme(true));
    return canvas.texts.empty() ? std::string() : canvas.texts[0].words;
  };
  EXPECT_EQ(written(), "“card none” is not on this page now.");
  overlay.says_absent = false;
  EXPECT_EQ(written(), "");
}

TEST(Overlay, APartIsCoveredAndItsCardIsCalm) {
  draw::RecordCanvas canvas;
  draw::PickCanvas pick({305, 105}, canvas);
  pick.panel({0, 0, 400, 300}, "map", "Head 1");
  pick.mark({.part = draw::Part::cell, .head = 0});
  pick.heatmap({100, 100, 120, 120}, {});
  pick.mark({.part = draw::Part::note, .name = "area beside the map", .area = {300, 100, 20, 120}});
  EXPECT_EQ(pick.hit().mark.part, draw::Part::none) << "an area is no target of the pointer";
  const PageThings page{pick.targets(), pick.panels(), 6, 6, false};
  PageOverlay overlay;
  overlay.hide = {"row 2"};
  const OverlayBoxes boxes = overlay_boxes(overlay, page);
  EXPECT_TRUE(boxes.covers.empty());
  ASSERT_EQ(boxes.plates.size(), 2u);
  EXPECT_EQ(boxes.plates[0], (draw::Box{97, 137, 126, 26})) << "with the frame of the pinned row";
  EXPECT_EQ(boxes.plates[1], (draw::Box{300, 140, 20, 20})) << "the sum beside the row tells of it";
  EXPECT_FALSE(boxes.covers_point({110, 110}));
  EXPECT_TRUE(boxes.calms_point({110, 110}));
  EXPECT_FALSE(boxes.calms_point({410, 110}));
  overlay.hide = {"row 9"}, overlay.focus = {"card map"};
  EXPECT_EQ(overlay_boxes(overlay, page).covers, (std::vector<draw::Box>{{0, 0, 400, 300}}))
      << "a row that is gone is covered with its card";
  overlay.focus.clear();
  overlay.hide = {"cells card map"};
  EXPECT_EQ(overlay_boxes(overlay, page).plates[0], (draw::Box{97, 97, 126, 126}));
}

TEST(Overlay, TheWordsOfAHighCoverAreInThePartOnView) {
  draw::RecordCanvas canvas;
  OverlayBoxes boxes;
  boxes.covers = {{0, 0, 300, 900}};
  const draw::Box seen{0, 0, 320, 340};
  paint_overlay(canvas, boxes, {}, {0, 0, 320, 900}, seen, draw::theme(true));
  ASSERT_GE(canvas.texts.size(), 1u);
  for (const auto& text : canvas.texts) EXPECT_TRUE(seen.has(text.at)) << text.words;
  EXPECT_TRUE(boxes.cover_all({{10, 10, 100, 800}}));
  EXPECT_FALSE(boxes.cover_all({{10, 10, 100, 800}, {310, 0, 5, 5}}));
  EXPECT_FALSE(boxes.cover_all({}));
}

/// Lines of a table are as close as their words: the outline of one does not cross those of its neighbours.
TEST(Overlay, TheOutlineOfALineIsClearOfItsNeighbours) {
  draw::RecordCanvas canvas;
  OverlayBoxes boxes;
  boxes.outlines = {{10, 100, 200, 14}, {10, 200, 200, 60}};
  paint_overlay(canvas, boxes, {}, {0, 0, 320, 300}, {0, 0, 320, 300}, draw::theme(true));
  std::vector<std::string> frames;
  for (const std::string& line : canvas.lines) {
    if (line.starts_with("frame ")) frames.push_back(line);
  }
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_TRUE(frames[0].starts_with("frame 9.0 99.0 202.0 16.0")) << frames[0];
  EXPECT_TRUE(frames[1].starts_with("frame 7.0 197.0 206.0 66.0")) << frames[1];
}

/// Of a cover on another screen nothing is drawn at the window's edge, and nothing of a card sticks out of
/// one.
TEST(Overlay, ACoverBeyondTheWindowHasNoFrameInIt) {
  draw::RecordCanvas canvas;
  OverlayBoxes boxes;
  boxes.covers = {{0, 0, 300, 200}};
  const draw::Box seen{0, 200, 320, 340};
  paint_overlay(canvas, boxes, {}, {0, 0, 320, 900}, seen, draw::theme(true));
  EXPECT_TRUE(canvas.texts.empty());
  for (const std::string& line : canvas.lines) EXPECT_FALSE(line.starts_with("frame")) << line;
  ASSERT_FALSE(canvas.lines.empty());
  EXPECT_EQ(canvas.lines.front().rfind("rect -2.0 -2.0 304.0 204.0", 0), 0u)
      << "half of a selection's frame lies outside of its card: " << canvas.lines.front();
}

}  // namespace
}  // namespace headlight::app::lesson_test
