// The Export card: an export that is stopped, asked about when the program ends, or told of at its end.
#include <chrono>
#include <thread>

#include "export_card_fixture.h"

namespace headlight::app::export_card_test {
namespace {

using screen::Key;

TEST_F(ExportCardTest, AnAnimationIsStoppedAndAnErrorStays) {
  start_on(scene::Page::position);
  open();
  done(pilot_.click("export/format/GIF"));
  done(pilot_.click("export/frames/200"));
  done(pilot_.click("export/write"));
  done(pilot_.click("export/Stop"));
  shell_->exporter().wait();
  pilot_.frames(4);
  EXPECT_TRUE(pilot_.on_screen("export/write"));
  EXPECT_FALSE(pilot_.on_screen("export/Stop"));
  EXPECT_EQ(folder_.files(), 0);
  done(pilot_.fill("export/path", (folder_ / "none/a.gif").string()));
  done(pilot_.click("export/write"));
  shell_->exporter().wait();
  pilot_.frames(4);
  EXPECT_TRUE(pilot_.on_screen("export/write")) << "it stays open and says why";
  EXPECT_EQ(folder_.files(), 0);
}

/// Neither Ctrl + Q nor the close button of the window drops an animation without a question.
TEST_F(ExportCardTest, QuittingAsksWhileAnAnimationIsWritten) {
  start_on(scene::Page::position);
  int quits = 0;
  shell_->quit = [&] { ++quits; };
  pilot_.key(Key::q, screen::ctrl_only);
  EXPECT_EQ(quits, 1) << "nothing is being written";
  scene::Scene big = scene();
  big.positions.count = 2000;
  session_->change(big, "", now_);
  session_->wait();
  open();
  done(pilot_.click("export/format/GIF"));
  done(pilot_.click("export/frames/200"));
  done(pilot_.click("export/write"));
  done(pilot_.click("export/Close"));
  pilot_.frames(2);
  ASSERT_EQ(shell_->exporter().writing().what, "An animation");
  for (const auto& [width, height] : {std::pair{1280, 720}, {640, 360}}) {
    width_ = width, height_ = height;
    pilot_.key(Key::q, screen::ctrl_only);
    pilot_.frames(2);
    ASSERT_TRUE(pilot_.on_screen("quit/Wait"));
    done(pilot_.click("quit/Wait"));
    pilot_.frames(2);
    EXPECT_FALSE(pilot_.on_screen("quit/Wait"));
    shell_->ask_to_quit();  // the close button of the window
    pilot_.frames(3);
    ASSERT_TRUE(pilot_.on_screen("quit/Stop and quit"));
    pilot_.key(Key::escape);
    pilot_.frames(2);
    EXPECT_FALSE(pilot_.on_screen("quit/Wait"));
  }
  width_ = 1280, height_ = 720;
  pilot_.key(Key::f5);
  pilot_.frames(3);
  ASSERT_TRUE(shell_->presenter().open());
  pilot_.key(Key::q, screen::ctrl_only);
  pilot_.frames(2);
  ASSERT_TRUE(pilot_.on_screen("quit/Wait")) << "above a slide";
  pilot_.key(Key::escape);
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("quit/Wait"));
  EXPECT_TRUE(shell_->presenter().open()) << "Esc answers the question, and the slide stays";
  pilot_.key(Key::escape);
  pilot_.frames(2);
  EXPECT_EQ(quits, 1);
  EXPECT_EQ(shell_->exporter().writing().what, "An animation") << "it goes on";
  shell_->ask_to_quit();
  pilot_.frames(3);
  done(pilot_.click("quit/Stop and quit"));
  EXPECT_EQ(quits, 2);
  shell_.reset();
  EXPECT_EQ(folder_.files(), 0) << "nothing unfinished is left";
}

/// Its end is told until that is dismissed, whatever page is open by then.
TEST_F(ExportCardTest, TheEndOfAnAnimationIsToldUntilItIsDismissed) {
  start_on(scene::Page::position);
  open();
  done(pilot_.click("export/clocks"));
  done(pilot_.click("export/format/GIF"));
  done(pilot_.click("export/frames/25"));
  done(pilot_.click("export/write"));
  if (pilot_.on_screen("export/Close")) done(pilot_.click("export/Close"));
  scene::Scene elsewhere = scene();
  elsewhere.page = scene::Page::cost;
  session_->change(elsewhere, "", now_);
  EXPECT_FALSE(pilot_.on_screen("ended/got it"));
  shell_->exporter().wait();
  pilot_.frames(4);
  const std::string path = (folder_ / "headlight-positions-clocks.gif").string();
  ASSERT_TRUE(shell_->exporter().ended());
  EXPECT_EQ(shell_->exporter().ended()->path, path);
  for (const scene::Page page : {scene::Page::cost, scene::Page::attention}) {
    for (const auto& [width, height] : {std::pair{1280, 720}, {640, 360}}) {
      width_ = width, height_ = height;
      elsewhere.page = page;
      session_->change(elsewhere, "", now_);
      now_ += 20;
      session_->say("something else", now_);
      pilot_.frames(3);
      EXPECT_TRUE(pilot_.on_screen("ended/got it")) << width;
    }
  }
  done(pilot_.click("ended/copy path"));
  EXPECT_EQ(clipboard_, path);
  done(pilot_.click("ended/got it"));
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("ended/got it"));
}

/// The question promises that of a picture as well, whose end is otherwise only a message.
TEST_F(ExportCardTest, TheEndOfAFileThatWasAskedAboutIsToldUntilItIsDismissed) {
  start_on(scene::Page::position);
  int quits = 0;
  shell_->quit = [&] { ++quits; };
  scene::Scene big = scene();
  big.positions.count = 2000;
  session_->change(big, "", now_);
  session_->wait();
  for (const bool requested : {true, false}) {
    open();
    done(pilot_.click("export/format/PNG"));
    done(pilot_.click("export/scale/4×"));
    done(pilot_.click("export/write"));
    if (pilot_.on_screen("export/Close")) done(pilot_.click("export/Close"));
    pilot_.frames(1);
    if (shell_->exporter().writing().what.empty()) GTEST_SKIP() << "it was written at once";
    EXPECT_EQ(shell_->exporter().writing().what, "A file");
    if (requested) {
      shell_->ask_to_quit();
      pilot_.frames(2);
    }
    shell_->exporter().wait();
    pilot_.frames(4);
    ASSERT_EQ(shell_->exporter().ended().has_value(), requested);
    if (!requested) break;
    EXPECT_EQ(shell_->exporter().ended()->what, "The file");
    EXPECT_THAT(shell_->exporter().ended()->path, testing::EndsWith(".png"));
    done(pilot_.click("ended/got it"));
  }
  EXPECT_EQ(quits, 0);
}

/// A copy that is stopped as it ends is not on the clipboard, and a file is not on the disk.
TEST_F(ExportCardTest, EachExportHasAStopOfItsOwnAndNothingComesOfWhatWasStopped) {
  start_on(scene::Page::position);
  scene::Scene big = scene();
  big.positions.count = 2000;
  session_->change(big, "", now_);
  session_->wait();
  open();
  done(pilot_.click("export/format/GIF"));
  done(pilot_.click("export/frames/200"));
  done(pilot_.click("export/write"));
  ASSERT_TRUE(pilot_.on_screen("export/Stop"));
  done(pilot_.click("export/format/PNG"));
  done(pilot_.click("export/scale/4×"));
  done(pilot_.click("export/write"));
  ASSERT_TRUE(pilot_.on_screen("export/Stop the file"));
  EXPECT_TRUE(pilot_.on_screen("export/Stop the animation"));
  done(pilot_.click("export/Stop the file"));
  for (int i = 0; i < 4000 && pilot_.on_screen("export/Stop the file"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    pilot_.frames(1);
  }
  EXPECT_EQ(folder_.files(), 0);
  EXPECT_TRUE(pilot_.on_screen("export/Stop")) << "the animation goes on";
  if (pilot_.on_screen("export/Stop")) done(pilot_.click("export/Stop"));
  shell_->exporter().wait();
  pilot_.frames(4);
  EXPECT_EQ(folder_.files(), 0);
  // A copy of numbers.
  clipboard_ = "mine";
  if (!pilot_.on_screen("export/Copy numbers")) open();
  done(pilot_.click("export/Copy numbers"));
  if (!pilot_.on_screen("export/Stop")) return;  // it was ready at once
  done(pilot_.click("export/Stop"));
  shell_->exporter().wait();
  pilot_.frames(4);
  EXPECT_EQ(clipboard_, "mine");
}

}  // namespace
}  // namespace headlight::app::export_card_test
