// The first start by scripts of the real interface: the two words, the pointer, the keyboard, each way out,
// and that it does not come back by itself.
#include "lecture/first_start.h"

#include <gmock/gmock.h>

#include "app/program.h"
#include "io/files.h"
#include "lecture/first_scene.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "support/scratch_folder.h"

namespace headlight::app {
namespace {

using scene::Scene;
using screen::Key;
using testing::HasSubstr;

TEST(FirstStartDue, OnlyWhereNothingIsKeptAndNobodyLeftItAndNoOtherWindowIsOpen) {
  const tests::ScratchFolder folder;
  scene::WindowFiles kept;
  kept.scene = folder / "scene.json";
  EXPECT_TRUE(FirstStart::due(kept, folder.path()));
  kept.number = 2;
  EXPECT_FALSE(FirstStart::due(kept, folder.path()));
  kept.number = 1;
  ASSERT_TRUE(io::write_file(kept.scene, "{}"));
  EXPECT_FALSE(FirstStart::due(kept, folder.path()));
  std::filesystem::remove(kept.scene);
  ASSERT_TRUE(io::write_file(folder / "first-start.txt", "left\n"));
  EXPECT_FALSE(FirstStart::due(kept, folder.path()));
  EXPECT_TRUE(FirstStart::due({}, {})) << "no folder in which anything can be kept";
}

class FirstStartUi : public tests::ProgramTest {
 protected:
  FirstStartUi() { begin(); }
  void begin(bool continues = true) {
    start(first_scene_of(), {.folder = folder_.path()});
    shell_->show_first_start(continues);
    pilot_.frames(60);
  }
  bool open() const { return shell_->first_start().open(); }
  bool on(const std::string& name) const { return pilot_.on_screen("first start/" + name); }
  bool kept() const { return std::filesystem::exists(folder_ / "first-start.txt"); }
  /// The words that stand on the screen.
  std::string finding() {
    const views::PageInput in = shell_->first_start().input(draw::theme(true));
    return first_start_finding(in);
  }
  void click(const std::string& name) { done(pilot_.click("first start/" + name)); }
};

TEST_F(FirstStartUi, TheWholeWindowIsOneSentenceUntilItIsLeft) {
  EXPECT_TRUE(open());
  for (const FirstStartControl& control : first_start_controls) EXPECT_TRUE(on(control.name)) << control.name;
  EXPECT_TRUE(on("tired") && on("wide") && on("word 0") && on("word 11"));
  for (const char* name : {"top/sentence", "rail/Explore", "page/map 1"})
    EXPECT_FALSE(pilot_.on_screen(name)) << name;
  EXPECT_EQ(finding().substr(0, finding().rfind(' ')), "“it” attends to “animal” with weight");
  EXPECT_FALSE(kept());
  pilot_.key(Key::escape);
  EXPECT_FALSE(open());
  EXPECT_TRUE(kept());
  EXPECT_TRUE(pilot_.on_screen("top/sentence"));
  // Nothing brings it back.
  start(first_scene_of(), {.folder = folder_.path()});
  pilot_.frames(10);
  EXPECT_FALSE(open());
}

TEST_F(FirstStartUi, TheOtherWordMovesTheBeam) {
  click("wide");
  EXPECT_THAT(finding(), HasSubstr("“it” attends to “street”"));
  EXPECT_TRUE(open());
  click("tired");
  EXPECT_THAT(finding(), HasSubstr("“it” attends to “animal”"));
  click("wide");
  // The laboratory goes on with what was seen.
  click("open the laboratory");
  EXPECT_FALSE(open());
  EXPECT_EQ(scene().sentence, wide);
  EXPECT_EQ(scene().query, scene::IndexList{8});
  pilot_.key(Key::z, screen::ctrl_only);
  EXPECT_EQ(scene().sentence, tired);
}

TEST_F(FirstStartUi, ThePointerAndTheArrowsMoveTheQuery) {
  done(pilot_.hover("first start/word 11"));
  EXPECT_THAT(finding(), testing::StartsWith("“tired” attends"));
  pilot_.key(Key::left);
  EXPECT_THAT(finding(), testing::StartsWith("“too” attends"));
  pilot_.frames(5);  // the pointer rests on another word
  EXPECT_THAT(finding(), testing::StartsWith("“too” attends"));
  pilot_.key(Key::home);
  pilot_.key(Key::left);
  EXPECT_THAT(finding(), testing::StartsWith("“the” attends"));
  pilot_.key(Key::right);
  EXPECT_THAT(finding(), testing::StartsWith("“animal” attends"));
  pilot_.key(Key::end);
  EXPECT_THAT(finding(), testing::StartsWith("“tired” attends"));
  click("word 8");
  EXPECT_THAT(finding(), testing::StartsWith("“it” attends"));
}

TEST_F(FirstStartUi, ASentenceIsTypedAndTheBeamFollows) {
  pilot_.key(Key::slash);
  pilot_.frames(3);
  ASSERT_TRUE(on("sentence")) << pilot_.inventory();
  done(pilot_.fill("first start/sentence", "the horse did not cross the bridge because it was too sleepy"));
  EXPECT_THAT(finding(), HasSubstr("“it” attends to “horse”"));
  done(pilot_.fill("first start/sentence", "动物 it"));
  EXPECT_THAT(finding(), testing::StartsWith("“it” attends"));
  done(pilot_.fill("first start/sentence", ""));
  EXPECT_EQ(finding(), "The sentence is empty");
  done(pilot_.fill("first start/sentence", "it"));
  EXPECT_EQ(finding(), "“it” attends to itself with weight 1.00");
  pilot_.key(Key::escape);  // out of the field, and no further
  EXPECT_TRUE(open());
  EXPECT_FALSE(on("sentence"));
  pilot_.key(Key::escape);
  EXPECT_FALSE(open());
  EXPECT_EQ(scene().sentence, "it");
}

TEST_F(FirstStartUi, OnesOwnSentenceTakesThePlaceOfTheOld) {
  click("try your own sentence");
  EXPECT_FALSE(open());
  EXPECT_TRUE(kept());
  pilot_.frames(3);
  pilot_.type("a new one");
  EXPECT_EQ(scene().sentence, "a new one");
  EXPECT_EQ(scene().page, scene::Page::attention);
}

TEST_F(FirstStartUi, TheFirstLessonOpens) {
  click("take lesson 1");
  EXPECT_TRUE(kept());
  ASSERT_TRUE(shell_->lessons().player().playing());
  EXPECT_EQ(shell_->lessons().player().entry().number, 1);
}

TEST_F(FirstStartUi, TrainingOpensWithTheTaskOfThisModel) {
  click("watch a head learn");
  EXPECT_TRUE(kept());
  EXPECT_EQ(scene().page, scene::Page::training);
  EXPECT_EQ(scene().training.task, scene::TrainingTask::pronouns);
  EXPECT_GT(scene().training.guide, 0) << "as the model was trained";
  EXPECT_EQ(scene().training.d_model, 48);
}

TEST_F(FirstStartUi, TheKeyboardAloneReachesEverything) {
  const char* order[] = {
      "tired", "wide", "try your own sentence", "take lesson 1", "watch a head learn", "open the laboratory"};
  for (int i = 0; i < 2; ++i) pilot_.key(Key::tab);
  pilot_.key(Key::space);
  EXPECT_THAT(finding(), HasSubstr("“street”")) << "Tab goes to " << order[1];
  EXPECT_TRUE(open());
  pilot_.key(Key::left);  // the query, also while a button has the focus
  EXPECT_THAT(finding(), testing::StartsWith("“because” attends"));
  for (int i = 0; i < 2; ++i) pilot_.key(Key::tab);
  pilot_.key(Key::enter);
  EXPECT_FALSE(open());
  EXPECT_TRUE(shell_->lessons().player().playing()) << "Tab goes to " << order[3];
  begin();
  for (int i = 0; i < 5; ++i) pilot_.key(Key::tab);
  pilot_.key(Key::space);
  EXPECT_EQ(scene().page, scene::Page::training);
  begin();
  pilot_.key(Key::tab, screen::shift_only);
  pilot_.key(Key::enter);
  EXPECT_FALSE(open());
  EXPECT_EQ(scene().page, scene::Page::attention);
  begin();
  pilot_.key(Key::enter);  // the first of the ways
  pilot_.frames(3);
  pilot_.type("x");
  EXPECT_EQ(scene().sentence, "x");
}

TEST_F(FirstStartUi, TheKeysOfTheWindowWork) {
  pilot_.key(Key::t);
  EXPECT_EQ(scene().theme, scene::ThemeName::light);
  pilot_.key(Key::m);
  EXPECT_EQ(scene().attention.view, scene::AttentionView::matrix) << "keys of the page do nothing";
  EXPECT_TRUE(open());
}

TEST_F(FirstStartUi, TheBeamIsDrawnOnceAndThenRests) {
  start(first_scene_of(), {.folder = folder_.path()});
  shell_->show_first_start(true);
  pilot_.frames(2);
  EXPECT_TRUE(shell_->moving());
  pilot_.frames(30);
  EXPECT_TRUE(shell_->moving()) << "half a second";
  pilot_.frames(15);
  EXPECT_FALSE(shell_->moving()) << "0.75 seconds";
  done(pilot_.hover("first start/word 6"));
  EXPECT_TRUE(shell_->moving());
  pilot_.frames(14);
  EXPECT_FALSE(shell_->moving());
  pilot_.frames(30);
  EXPECT_FALSE(shell_->moving());
}

TEST_F(FirstStartUi, NothingMovesWhereThatIsAskedFor) {
  Scene still = first_scene_of();
  still.reduced_motion = true;
  start(still, {.folder = folder_.path()});
  shell_->show_first_start(true);
  pilot_.frames(2);
  EXPECT_FALSE(shell_->moving());
  pilot_.key(Key::left);
  EXPECT_FALSE(shell_->moving());
}

TEST_F(FirstStartUi, IsFoundAgainUnderLearnAndLeavesTheOpenSceneAlone) {
  Scene mine;
  mine.sentence = "my own words", mine.d_model = 16;
  start(mine, {.folder = folder_.path()});
  const Scene before = scene();
  done(pilot_.click("rail/Learn"));
  pilot_.frames(3);
  done(pilot_.click("lessons/First start: one sentence, one beam"));
  pilot_.frames(3);
  ASSERT_TRUE(open()) << pilot_.inventory();
  EXPECT_THAT(finding(), HasSubstr("“it” attends to “animal”"));
  click("wide");
  pilot_.key(Key::escape);
  EXPECT_FALSE(open());
  EXPECT_EQ(scene().sentence, before.sentence);
  EXPECT_EQ(scene().d_model, before.d_model);
}

TEST_F(FirstStartUi, WhatIsDroppedOntoItIsSeen) {
  Scene dropped;
  dropped.sentence = "a scene from a file";
  session_->change(dropped, "", now_);
  pilot_.frames(3);
  EXPECT_FALSE(open());
  EXPECT_EQ(scene().sentence, "a scene from a file");
  EXPECT_TRUE(pilot_.on_screen("top/sentence"));
}

TEST_F(FirstStartUi, StaysOpenOverRunningClocks) {
  Scene clocks;
  clocks.page = scene::Page::position, clocks.positions.play = true;
  start(clocks, {.folder = folder_.path()});
  shell_->show_first_start(false);
  pilot_.frames(60);
  EXPECT_TRUE(open());
  pilot_.key(Key::escape);
  pilot_.frames(60);
  EXPECT_EQ(scene().page, scene::Page::position);
  EXPECT_NE(scene().positions.index, clocks.positions.index) << "and now they run";
}

TEST_F(FirstStartUi, APointerThatRestsAtTheBeginningMovesNothing) {
  done(pilot_.hover("first start/word 6"));
  EXPECT_THAT(finding(), testing::StartsWith("“street” attends"));
  pilot_.key(Key::escape);
  shell_->show_first_start(false);
  pilot_.frames(5);
  EXPECT_THAT(finding(), testing::StartsWith("“it” attends"));
}

TEST_F(FirstStartUi, ThePaletteFindsIt) {
  pilot_.key(Key::escape);
  pilot_.key(Key::k, screen::ctrl_only);
  pilot_.type("first start");
  pilot_.key(Key::enter);
  pilot_.frames(3);
  EXPECT_TRUE(open());
}

TEST_F(FirstStartUi, AFolderThatCannotBeWrittenDoesNotKeepAnybodyInIt) {
  start(first_scene_of(), {.folder = "/proc/nowhere"});
  shell_->show_first_start(true);
  pilot_.frames(3);
  pilot_.key(Key::escape);
  EXPECT_FALSE(open());
  EXPECT_TRUE(pilot_.on_screen("top/sentence"));
}

}  // namespace
}  // namespace headlight::app
