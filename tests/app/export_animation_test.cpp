// The Export card: animations and sequences of pictures, which are made behind the window.
#include <chrono>
#include <thread>

#include "export_card_fixture.h"
#include "scene/figure_scene.h"
#include "support/tool.h"

namespace headlight::app::export_card_test {
namespace {

using testing::HasSubstr;

TEST_F(ExportCardTest, TheClocksAreAnimatedBehindTheWindow) {
  start_on(scene::Page::position);
  open();
  done(pilot_.click("export/clocks"));
  done(pilot_.click("export/format/GIF"));
  done(pilot_.click("export/frames/25"));
  done(pilot_.click("export/frames per second/50"));
  done(pilot_.click("export/write"));
  EXPECT_TRUE(pilot_.on_screen("export/Stop")) << "the window goes on, and can stop it";
  EXPECT_EQ(folder_.files(), 0);
  shell_->exporter().wait();
  pilot_.frames(4);
  EXPECT_FALSE(pilot_.on_screen("export/write")) << "it closes";
  EXPECT_THAT(session_->message(),
              HasSubstr("exported " + (folder_ / "headlight-positions-clocks.gif").string()));
  const auto opened = scene::scene_in_file(folder_ / "headlight-positions-clocks.gif");
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(*opened, scene());
  if (const auto missing = tests::missing_tool("identify"); !missing.empty()) GTEST_SKIP() << missing;
  std::string wanted;
  for (int i = 0; i < 25; ++i) wanted += "2 ";
  EXPECT_EQ(
      tests::run_tool({"identify", "-format", "%T ", (folder_ / "headlight-positions-clocks.gif").string()})
          .message,
      wanted);
}

TEST_F(ExportCardTest, ASequenceTakesAFreeNameAndTheCardMayBeClosed) {
  start_on(scene::Page::position);
  ASSERT_TRUE(io::write_file(folder_ / "headlight-positions-clocks-0007.png", "mine"));
  open();
  done(pilot_.click("export/clocks"));
  done(pilot_.click("export/format/PNG sequence"));
  done(pilot_.click("export/frames/25"));
  done(pilot_.click("export/scale/1×"));
  done(pilot_.click("export/write"));
  done(pilot_.click("export/Close"));
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("export/write"));
  shell_->exporter().wait();
  pilot_.frames(4);
  EXPECT_THAT(session_->message(), HasSubstr("headlight-positions-clocks-2-0001.png … "));
  EXPECT_EQ(folder_.files(), 26);
  EXPECT_EQ(file("headlight-positions-clocks-0007.png"), "mine");
  EXPECT_EQ(*scene::scene_in_file(folder_ / "headlight-positions-clocks-2-0025.png"), scene());
}

TEST_F(ExportCardTest, WhoPreparesAnotherExportKeepsTheCard) {
  start_on(scene::Page::position);
  open();
  done(pilot_.click("export/clocks"));
  done(pilot_.click("export/format/GIF"));
  done(pilot_.click("export/frames/25"));
  done(pilot_.click("export/write"));
  ASSERT_TRUE(pilot_.on_screen("export/Stop"));
  done(pilot_.click("export/format/SVG"));
  shell_->exporter().wait();
  pilot_.frames(4);
  EXPECT_TRUE(pilot_.on_screen("export/write")) << "the animation is written, the card stays";
  EXPECT_THAT(session_->message(), HasSubstr("headlight-positions-clocks.gif"));
  press("export/write");
  EXPECT_EQ(folder_.files(), 2);
}

TEST_F(ExportCardTest, AProblemIsShownWhileAnAnimationIsMade) {
  start_on(scene::Page::position);
  open();
  done(pilot_.click("export/format/GIF"));
  done(pilot_.click("export/frames/200"));
  done(pilot_.click("export/write"));
  done(pilot_.click("export/format/SVG"));
  done(pilot_.fill("export/path", (folder_ / "none/a.svg").string()));
  const auto button = [&] { return recorder_.items.at("export/write").from.y; };
  const float before = button();
  done(pilot_.click("export/write"));
  for (int i = 0; i < 2000 && button() < before + 10; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    pilot_.frames(2);
  }
  ASSERT_TRUE(pilot_.on_screen("export/Stop")) << "it is still made";
  EXPECT_GT(button(), before + 10) << "what went wrong stands below the progress";
  done(pilot_.click("export/Stop"));
  shell_->exporter().wait();
  pilot_.frames(4);
  EXPECT_TRUE(pilot_.on_screen("export/write"));
}

TEST_F(ExportCardTest, TheFilmIsThatOfTheRunOnScreen) {
  scene::Scene small;
  small.page = scene::Page::training;
  small.training.steps = 20, small.training.batch = 2, small.training.d_model = 16, small.training.heads = 2;
  small.training.layers = 1, small.training.length = 6;
  small.training.compare = scene::TrainingCompare::nothing;
  start(small);
  shell_->exporter().folder = folder_.path();
  session_->training().start(small.training);
  session_->training().wait();
  const auto run = session_->training().latest();
  ASSERT_TRUE(run && !run->runs.empty());
  const auto kept = static_cast<int>(run->runs[0].film.size());
  pilot_.frames(3);
  open();
  done(pilot_.click("export/film"));
  done(pilot_.click("export/format/PNG sequence"));
  done(pilot_.click("export/frames/100"));
  done(pilot_.click("export/write"));
  shell_->exporter().wait();
  pilot_.frames(4);
  EXPECT_EQ(folder_.files(), kept);
  EXPECT_EQ(session_->training().latest()->version, run->version) << "nothing was trained for it";
}

TEST_F(ExportCardTest, WhereNothingMovesThereIsNoAnimation) {
  start_on(scene::Page::position);
  open();
  done(pilot_.click("export/format/GIF"));
  done(pilot_.click("export/Cancel"));
  start_on(scene::Page::cost);
  open();
  EXPECT_FALSE(pilot_.on_screen("export/format/GIF"));
  press("export/write");
  EXPECT_EQ(folder_.files(), 1);
}

}  // namespace
}  // namespace headlight::app::export_card_test
