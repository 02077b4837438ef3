// The file of a lesson that is written, and that of one’s own scene: neither is written over.
#include <gmock/gmock.h>

#include "io/files.h"
#include "lesson_editor_program.h"
#include "scene/store.h"

namespace headlight::app::lesson_editor_test {
namespace {

using scene::Scene;
using screen::Key;
using testing::HasSubstr;

TEST_F(Editor, AnIncludedLessonIsWrittenAsACopyAndOnlyOnceItIsChanged) {
  shell_->lessons().write("masking", 1, now_);
  settled();
  ASSERT_TRUE(editor().open());
  EXPECT_EQ(editor().path(), folder_.path() / "masking-copy.json");
  EXPECT_FALSE(std::filesystem::exists(editor().path()));
  EXPECT_EQ(editor().draft().step(), 1);
  const auto original = open_lesson("masking", folder_.path());
  done(pilot_.fill(at("title"), "Mine"));
  saved();
  const scene::Lesson disk = on_disk();
  EXPECT_EQ(disk.steps[1].title, "Mine");
  scene::Lesson same = disk;
  same.title = original->lesson.title, same.steps[1].title = original->lesson.steps[1].title;
  EXPECT_EQ(same, original->lesson);  // facts, highlights and all that the editor did not touch
}

TEST_F(Editor, AFileThatAnotherProgramChangedIsNotWrittenOver) {
  begin();
  change_by_hand();
  done(pilot_.fill(at("title"), "In the editor"));
  saved();
  ASSERT_TRUE(pilot_.on_screen("editor/load file")) << pilot_.inventory();
  EXPECT_EQ(on_disk().title, "By hand");
  done(pilot_.click("editor/keep mine"));
  saved();
  EXPECT_EQ(on_disk().steps[0].title, "In the editor");
  EXPECT_FALSE(pilot_.on_screen("editor/load file"));
}

TEST_F(Editor, WhatWasTypedIsSavedWhenTheProgramEnds) {
  begin();
  done(pilot_.fill(at("title"), "Kept"));
  const auto path = editor().path();
  shell_.reset();
  const auto text = io::read_file(path, 1 << 20);
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("Kept"));
}

// While a lesson is written the scenes are those of its steps: nothing saves or opens over one's own.
TEST_F(Editor, OnesOwnSceneKeepsItsFile) {
  const auto mine = folder_ / "mine.json", other = folder_ / "other.json";
  done(pilot_.click("page/head 2"));
  ASSERT_TRUE(shell_->desk().document().save_as(mine, now_));
  Scene another = scene();
  another.head = {4}, another.sentence = "another scene";
  ASSERT_TRUE(scene::save(another, other));
  const auto head_in = [](const std::filesystem::path& path) { return scene::load(path)->head; };
  begin();
  done(pilot_.click("page/head 3"));
  // By the key, and by the palette.
  pilot_.key(Key::s, screen::ctrl_only);
  pilot_.key(Key::k, screen::ctrl_only);
  pilot_.type("save the scene");
  pilot_.key(Key::enter);
  pilot_.frames(3);
  EXPECT_EQ(head_in(mine), (scene::IndexList{2}));
  EXPECT_FALSE(pilot_.on_screen("files/path"));
  // A scene that is opened becomes the view of the step at most, and goes with the editor.
  ASSERT_TRUE(shell_->desk().document().open(other, now_));
  pilot_.frames(3);
  EXPECT_EQ(scene().sentence, "another scene");
  done(pilot_.click("editor/done"));
  pilot_.frames(3);
  EXPECT_EQ(scene().head, (scene::IndexList{2}));
  EXPECT_EQ(shell_->desk().document().path(), mine);
  EXPECT_FALSE(shell_->desk().document().changed());
  done(pilot_.click("page/head 1"));
  pilot_.key(Key::s, screen::ctrl_only);
  pilot_.frames(3);
  EXPECT_EQ(head_in(mine), (scene::IndexList{1}));
  EXPECT_EQ(head_in(other), (scene::IndexList{4}));
}

// While a lesson is played its scenes may be kept, under another name.
TEST_F(Editor, SavingWhileALessonIsPlayedAsksWhere) {
  const auto mine = folder_ / "mine.json";
  ASSERT_TRUE(shell_->desk().document().save_as(mine, now_));
  const std::string before = *io::read_file(mine);
  shell_->lessons().open("1", now_);
  pilot_.frames(3);
  ASSERT_TRUE(shell_->lessons().player().playing());
  pilot_.key(Key::s, screen::ctrl_only);
  pilot_.frames(3);
  ASSERT_TRUE(pilot_.on_screen("files/path")) << pilot_.inventory();
  done(pilot_.fill("files/path", (folder_ / "step.json").string()));
  pilot_.key(Key::enter);
  pilot_.frames(3);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "step.json"));
  EXPECT_EQ(*io::read_file(mine), before);
  EXPECT_EQ(shell_->desk().document().path(), mine);
}

// The window is lost at once: what cannot be written to its own file is written beside it.
TEST_F(Editor, WhatCannotBeSavedWhenTheProgramEndsIsWrittenBesideItsFile) {
  begin();
  const auto path = editor().path();
  change_by_hand();
  done(pilot_.fill(at("title"), "In the editor"));
  shell_.reset();
  EXPECT_THAT(*io::read_file(path), HasSubstr("By hand"));
  std::string beside;
  for (const auto& file : std::filesystem::directory_iterator(folder_.path())) {
    if (file.path() != path && file.path().extension() == ".json") beside += *io::read_file(file.path());
  }
  EXPECT_THAT(beside, HasSubstr("In the editor"));
}

}  // namespace
}  // namespace headlight::app::lesson_editor_test
