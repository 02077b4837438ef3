#include "scene/undo.h"

#include <gmock/gmock.h>

namespace headlight::scene {
namespace {

Scene with_seed(int seed) {
  Scene scene;
  scene.seed = seed;
  return scene;
}

TEST(Undo, GoesBackAndForth) {
  Undo undo;
  EXPECT_FALSE(undo.undo(with_seed(0)));
  EXPECT_FALSE(undo.redo(with_seed(0)));
  undo.push(with_seed(0), "", 0);
  undo.push(with_seed(1), "", 0);
  EXPECT_EQ(undo.undo(with_seed(2)), with_seed(1));
  EXPECT_EQ(undo.undo(with_seed(1)), with_seed(0));
  EXPECT_FALSE(undo.undo(with_seed(0)));
  EXPECT_EQ(undo.redo(with_seed(0)), with_seed(1));
  EXPECT_EQ(undo.redo(with_seed(1)), with_seed(2));
  EXPECT_FALSE(undo.redo(with_seed(2)));
  EXPECT_EQ(undo.undo_steps(), 2u);
}

TEST(Undo, ANewChangeForgetsWhatWasUndone) {
  Undo undo;
  undo.push(with_seed(0), "", 0);
  (void)undo.undo(with_seed(1));
  EXPECT_EQ(undo.redo_steps(), 1u);
  undo.push(with_seed(0), "", 0);
  EXPECT_EQ(undo.redo_steps(), 0u);
}

TEST(Undo, ThePageAndTheLookStayAsTheyAre) {
  Scene scene = with_seed(3), current;
  current.page = Page::block, current.theme = ThemeName::light, current.interface_scale = 2;
  current.reduced_motion = true, current.colour_vision = ColorVision::protanopia;
  keep_surroundings(scene, current);
  EXPECT_EQ(difference(scene, current), "seed");
}

TEST(Undo, OneDragIsOneStep) {
  Undo undo;
  for (int i = 0; i < 100; ++i) undo.push(with_seed(i), "seed", i * 0.9);
  EXPECT_EQ(undo.undo_steps(), 1u);
  EXPECT_EQ(undo.undo(with_seed(100)), with_seed(0));
}

TEST(Undo, APauseAnotherFieldOrNoLabelStartsAStep) {
  Undo undo;
  undo.push(with_seed(0), "seed", 0);
  undo.push(with_seed(1), "seed", 1.5);
  EXPECT_EQ(undo.undo_steps(), 2u);
  undo.push(with_seed(2), "heads", 1.6);
  EXPECT_EQ(undo.undo_steps(), 3u);
  undo.push(with_seed(3), "seed", 1.7);
  EXPECT_EQ(undo.undo_steps(), 4u);
  undo.push(with_seed(4), "", 1.7);
  undo.push(with_seed(5), "", 1.7);
  EXPECT_EQ(undo.undo_steps(), 6u);
}

TEST(Undo, WhatFollowsAnUndoIsAStepOfItsOwn) {
  Undo undo;
  undo.push(with_seed(0), "seed", 0);
  undo.push(with_seed(5), "heads", 0.1);
  EXPECT_EQ(undo.undo(with_seed(6)), with_seed(5));
  undo.push(with_seed(5), "heads", 0.2);
  EXPECT_EQ(undo.undo_steps(), 2u);
  EXPECT_EQ(undo.undo(with_seed(9)), with_seed(5));
}

TEST(Undo, KeepsTheNewest500) {
  Undo undo;
  for (int i = 0; i < 600; ++i) undo.push(with_seed(i), "", i);
  EXPECT_EQ(undo.undo_steps(), 500u);
  for (int i = 599; i >= 100; --i) EXPECT_EQ(undo.undo(with_seed(i + 1)), with_seed(i));
  EXPECT_FALSE(undo.undo(with_seed(100)));
}

TEST(Undo, LongSentencesDoNotFillTheMemory) {
  Undo undo;
  Scene scene;
  scene.sentence.assign(std::size_t(10) << 20, 'x');
  for (int i = 0; i < 20; ++i) undo.push(scene, "", i);
  EXPECT_EQ(undo.undo_steps(), 6u);
  scene.sentence.assign(std::size_t(100) << 20, 'x');
  undo.push(scene, "", 30);
  EXPECT_EQ(undo.undo_steps(), 1u) << "the last step always stays";
}

TEST(Difference, NamesTheFields) {
  Scene a, b;
  EXPECT_EQ(difference(a, b), "");
  b.seed = 9;
  b.mask.causal = true;
  b.query = {};
  EXPECT_EQ(difference(a, b), "seed,mask,query");
}

}  // namespace
}  // namespace headlight::scene
