#include "screen/pacer.h"

#include <gtest/gtest.h>

#include "screen/screens.h"

namespace headlight::screen {
namespace {

// A pacer that has drawn its first frames and has nothing to do at `now`.
Pacer resting(double now) {
  Pacer pacer;
  for (int i = 3; i > 0; --i) pacer.drawn(now - i * Pacer::frame_time);
  return pacer;
}

TEST(Pacer, SleepsForeverAtRest) {
  Pacer pacer = resting(10);
  EXPECT_EQ(pacer.next(false), Pacer::never);
  EXPECT_FALSE(pacer.due(1e9, false));
}

TEST(Pacer, DrawsAtOnceAtFirst) {
  EXPECT_TRUE(Pacer().due(0, false));
}

TEST(Pacer, InputAfterARestIsAnsweredAtOnceAndThenSettles) {
  Pacer pacer = resting(10);
  pacer.input();
  EXPECT_TRUE(pacer.due(12, false));
  int frames = 0;
  for (double now = 12; pacer.next(false) != Pacer::never && frames < 100; now = pacer.next(false), ++frames)
    pacer.drawn(now);
  EXPECT_EQ(frames, 3);
}

TEST(Pacer, WhatHasSettledRestsUntilSomethingHappens) {
  Pacer pacer = resting(10);
  pacer.input();
  pacer.drawn(12);
  pacer.wake_at(14);
  pacer.settle();
  EXPECT_EQ(pacer.next(false), 14) << "what waits for its time is not forgotten";
  EXPECT_EQ(pacer.next(true), 12 + Pacer::frame_time);
  pacer.input();
  EXPECT_TRUE(pacer.due(13, false));
}

TEST(Pacer, AnimationRunsAtSixtyFramesFromStartToStart) {
  Pacer pacer = resting(10);
  double now = 10;
  int frames = 0;
  for (; now < 11; ++frames) {
    pacer.drawn(now);  // drawing takes time, but the pace counts from the start
    now = std::max(now + 0.005, pacer.next(true));
  }
  EXPECT_NEAR(frames, 60, 1);
}

TEST(Pacer, AFloodOfInputIsDrawnAtMostHundredAndTwentyTimesASecond) {
  Pacer pacer = resting(10);
  int frames = 0;
  for (double now = 10; now < 11; now += 0.0005) {
    pacer.input();
    if (pacer.due(now, false)) pacer.drawn(now), ++frames;
  }
  EXPECT_LE(frames, 128);
  EXPECT_GE(frames, 100);
}

TEST(Pacer, TheEarliestWakeUpCountsOnce) {
  Pacer pacer = resting(10);
  pacer.wake_at(12);
  pacer.wake_at(11);
  EXPECT_EQ(pacer.next(false), 11);
  EXPECT_FALSE(pacer.due(10.9, false));
  EXPECT_TRUE(pacer.due(11, false));
  pacer.drawn(11);
  EXPECT_EQ(pacer.next(false), Pacer::never);
}

TEST(Screens, AWindowIsOnTheOneThatHoldsItsCentre) {
  const Screen desk[] = {{0, 0, 1920, 1080}, {1920, 0, 2560, 1440}, {-1280, 200, 1280, 1024}};
  EXPECT_EQ(screen_at(desk, {960, 540}), 0);
  EXPECT_EQ(screen_at(desk, {1920, 10}), 1);
  EXPECT_EQ(screen_at(desk, {1919, 10}), 0);
  EXPECT_EQ(screen_at(desk, {-1, 700}), 2);
  EXPECT_EQ(screen_at(desk, {-5, 100}), 0) << "above the third: the first is nearer";
  EXPECT_EQ(screen_at(desk, {5000, 2000}), 1);
  EXPECT_EQ(screen_at({}, {0, 0}), -1);
}

/// A clock asks in every frame for the next one, a second later.
TEST(Pacer, WhatAFrameAsksForIsNotLostWithWhatItAnswers) {
  Pacer pacer = resting(10);
  pacer.wake_at(11);
  int frames = 0;
  for (double now = pacer.next(false); now < 20.5; now = pacer.next(false), ++frames) {
    ASSERT_TRUE(pacer.due(now, false));
    pacer.begun(now);
    pacer.wake_at(now + 1);
    pacer.drawn(now);
  }
  EXPECT_EQ(frames, 10);
}

TEST(Screens, TheNotesNeverGoToTheProjector) {
  // One screen: there is no second window.
  EXPECT_EQ(two_screens(0, -1), TwoScreens{});
  EXPECT_EQ(two_screens(1, 0), TwoScreens{});
  // A window on the laptop goes to the projector; what is there already stays.
  EXPECT_EQ(two_screens(2, 0), (TwoScreens{1, 0}));
  EXPECT_EQ(two_screens(2, 1), (TwoScreens{1, 0}));
  EXPECT_EQ(two_screens(3, 2), (TwoScreens{2, 0}));
  EXPECT_EQ(two_screens(3, 0), (TwoScreens{1, 0}));
  EXPECT_EQ(two_screens(2, -1), (TwoScreens{1, 0}));
  // A projector that shows what the laptop shows would show the notes, too.
  EXPECT_TRUE(mirrored({0, 0, 1600, 1000}, {0, 0, 1280, 800}));
  EXPECT_FALSE(mirrored({0, 0, 1600, 1000}, {1600, 0, 1280, 800}));
}

}  // namespace
}  // namespace headlight::screen
