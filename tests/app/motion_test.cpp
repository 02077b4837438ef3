// What moves after a change, for how long, and what does not: time is what the test says.
#include <chrono>
#include <string>
#include <thread>

#include "pages/page.h"
#include "program.h"

namespace headlight::app {
namespace {

using scene::Page;
using scene::Scene;
using screen::Key;

class MotionTest : public tests::ProgramTest {
 protected:
  void open(const Scene& scene = {}) {
    start(scene);
    rest();
  }
  /// Long enough that the next change is one by itself.
  void rest() { pilot_.frames(30); }
  /// Frames until nothing moves any more; 100: it never rests.
  int moving_frames() {
    int count = 0;
    for (; shell_->moving() && count < 100; ++count) {
      vertices_on_its_way_ = screen_.vertices();
      frame();
    }
    return count;
  }
  /// Two frames of it: one computes it.
  void change(void (*set)(Scene&)) {
    Scene next = scene();
    set(next);
    session_->change(next, "", now_);
    frame();
    frame();
  }
  /// A click, up to the frame that first shows what it did: Pilot::click() waits until a motion is over.
  void press(std::string_view path, float across = 0.5f, float down = 0.5f) {
    done(pilot_.hover(path, across, down));
    input_.mouse_button(0, true);
    input_.mouse_button(0, false);
    for (int i = 0; i < 20 && (i == 0 || input_.pending()); ++i) frame();
    frame();
  }
  views::PageInput input() { return shell_->page().input(*session_, shell_->theme()); }

  int vertices_on_its_way_ = 0;  // of the last frame that moved
};

TEST_F(MotionTest, AnotherHeadFadesInForAFifthOfASecond) {
  open();
  EXPECT_FALSE(shell_->moving());
  change([](Scene& s) { s.head = {2}; });
  EXPECT_TRUE(shell_->moving());
  EXPECT_EQ(input().motion, nullptr) << "a figure is of the end";
  const int frames = moving_frames();
  EXPECT_GE(frames, 9);
  EXPECT_LE(frames, 12) << "0.2 s at 60 frames a second, two of which are over";
  for (int i = 0; i < 60; ++i) {
    frame();
    EXPECT_FALSE(shell_->moving()) << i;
  }
}

TEST_F(MotionTest, ClicksOnThePageMoveToo) {
  open();
  press("page/head 2");
  EXPECT_TRUE(shell_->moving());
  EXPECT_LT(moving_frames(), 15);
  rest();
  press("page/map 2", 0.5f / 6, 3.5f / 6);
  EXPECT_TRUE(shell_->moving()) << "the opened cell rises";
  EXPECT_LT(moving_frames(), 15);
  pilot_.frames(2);
  EXPECT_GT(vertices_on_its_way_, screen_.vertices())
      << "the frame between the cell and its arithmetic is gone";
}

TEST_F(MotionTest, BeamsMoveAndRest) {
  Scene beams;
  beams.attention.view = scene::AttentionView::ribbons;
  beams.query = {2};
  open(beams);
  change([](Scene& s) { s.query = {4}; });
  EXPECT_TRUE(shell_->moving());
  EXPECT_LT(moving_frames(), 15);
  pilot_.frames(30);
  EXPECT_FALSE(shell_->moving());
}

/// Of a long sentence the picture comes later than the change; it fades in then.
TEST_F(MotionTest, WhatIsComputedLaterMovesWhenItIsThere) {
  Scene large;
  large.sentence.clear();
  for (int i = 0; i < 300; ++i) large.sentence += "w" + std::to_string(i % 50) + " ";
  open(large);
  const std::uint64_t before = session_->results().version;
  Scene next = scene();
  next.seed += 1;
  session_->change(next, "", now_);
  for (int i = 0; i < 10'000 && session_->results().version == before; ++i) {
    frame();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_NE(session_->results().version, before);
  frame();
  EXPECT_TRUE(shell_->moving());
  EXPECT_LT(moving_frames(), 100);
}

/// A second change ends the motion of the first: the picture is that of the second at once.
TEST_F(MotionTest, AChangeDuringAMotionEndsIt) {
  open();
  change([](Scene& s) { s.head = {2}; });
  EXPECT_TRUE(shell_->moving());
  change([](Scene& s) { s.head = {3}; });
  EXPECT_FALSE(shell_->moving());
}

TEST_F(MotionTest, ASettingMovesButASliderThatIsMovedDoesNot) {
  open();
  change([](Scene& s) { s.seed += 1; });
  EXPECT_TRUE(shell_->moving());
  // The next one follows closely: the picture is that of the setting at once.
  for (int i = 0; i < 5; ++i) {
    change([](Scene& s) { s.seed += 1; });
    EXPECT_FALSE(shell_->moving()) << i;
  }
  rest();
  change([](Scene& s) { s.seed += 1; });
  EXPECT_TRUE(shell_->moving());
}

TEST_F(MotionTest, OtherTokensAndOtherPagesAreThereAtOnce) {
  open();
  done(pilot_.click("top/sentence"));
  rest();
  pilot_.type("a");
  EXPECT_FALSE(shell_->moving());
  rest();
  pilot_.type(" b");
  EXPECT_FALSE(shell_->moving());
  pilot_.key(Key::escape);
  rest();
  change([](Scene& s) { s.page = Page::position; });
  EXPECT_FALSE(shell_->moving());
}

TEST_F(MotionTest, ReducedMotionLeavesItOut) {
  Scene calm;
  calm.reduced_motion = true;
  open(calm);
  change([](Scene& s) { s.head = {2}; });
  EXPECT_FALSE(shell_->moving());
  change([](Scene& s) { s.seed += 1; });
  EXPECT_FALSE(shell_->moving());
}

/// Rows of another order glide there, and rest.
TEST_F(MotionTest, RowsGlideWhenTokensArePermuted) {
  Scene order;
  order.page = Page::order;
  open(order);
  change([](Scene& s) {
    s.order.from = {0, 1, 2, 3, 4, 5};
    s.order.permutation = {5, 4, 3, 2, 1, 0};
    ++s.order.step;
  });
  EXPECT_TRUE(shell_->moving());
  const int frames = moving_frames();
  EXPECT_GE(frames, 9);
  EXPECT_LE(frames, 15);
}

}  // namespace
}  // namespace headlight::app
