// The card of files, and a scene as a line on the clipboard, used by the keyboard alone.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "desk_program.h"
#include "io/files.h"
#include "scene/scene_line.h"
#include "scene/store.h"
#include "support/scratch_folder.h"
#include "ui/folder_rows.h"

namespace headlight::app {
namespace {

using scene::IndexList;
using scene::Scene;
using screen::ctrl_only;
using screen::ctrl_shift;
using screen::Key;
using testing::HasSubstr;

class DeskFiles : public tests::DeskTest {};

TEST_F(DeskFiles, SaveAsksForANameOnceAndBeforeItReplaces) {
  const tests::ScratchFolder folder;
  press(Key::s, ctrl_only);
  ASSERT_TRUE(pilot_.on_screen("files/path"));
  done(pilot_.fill("files/path", (folder / "lecture").string()));
  press(Key::enter);
  EXPECT_FALSE(pilot_.on_screen("files/path"));
  ASSERT_TRUE(scene::load(folder / "lecture.json")) << session_->message();
  pilot_.key(Key::t);
  pilot_.key(Key::digit_3);
  press(Key::s, ctrl_only);
  EXPECT_FALSE(pilot_.on_screen("files/path")) << "the name is known";
  EXPECT_EQ(scene::load(folder / "lecture.json")->head, IndexList{3});

  ASSERT_TRUE(io::write_file(folder / "other.json", "precious"));
  press(Key::s, ctrl_shift);
  done(pilot_.fill("files/path", (folder / "other.json").string()));
  press(Key::enter);
  EXPECT_EQ(*io::read_file(folder / "other.json"), "precious") << "asked first";
  EXPECT_TRUE(pilot_.on_screen("files/path"));
  press(Key::enter);
  EXPECT_TRUE(scene::load(folder / "other.json"));

  press(Key::s, ctrl_shift);
  done(pilot_.fill("files/path", "/proc/lecture.json"));
  press(Key::enter);
  ASSERT_TRUE(pilot_.on_screen("files/path")) << "what was typed still stands there";
  press(Key::escape);
}

TEST_F(DeskFiles, TheNameIsSelectedAndAWholePathIsTakenAsOne) {
  const tests::ScratchFolder folder;
  press(Key::s, ctrl_only);
  done(pilot_.fill("files/path", (folder / "lecture.json").string()));
  press(Key::enter);
  press(Key::s, ctrl_shift);
  pilot_.frames(3);
  pilot_.type("week 2");  // in place of the name, before its extension
  press(Key::enter);
  EXPECT_TRUE(scene::load(folder / "week 2.json")) << session_->message();
  press(Key::s, ctrl_shift);
  pilot_.frames(3);
  pilot_.type((folder / "other").string());
  press(Key::enter);
  EXPECT_TRUE(scene::load(folder / "other.json")) << session_->message();
}

/// A run is saved where the card says: the offered path stands there, with its name selected.
TEST_F(DeskFiles, ARunIsSavedWhereTheCardSays) {
  const tests::ScratchFolder folder;
  std::filesystem::path saved;
  const auto ask = [&] {
    session_->ask_for_file({.title = "Save the training run as",
                            .ending = ".safetensors",
                            .begin_with = folder / "reverse-seed7.safetensors",
                            .save = [&](const std::filesystem::path& path) { saved = path; }});
    pilot_.frames(3);
    ASSERT_TRUE(pilot_.on_screen("files/path"));
  };
  ask();
  press(Key::enter);
  EXPECT_EQ(saved, folder / "reverse-seed7.safetensors");
  ask();
  pilot_.type("second try");
  press(Key::enter);
  EXPECT_EQ(saved, folder / "second try.safetensors");
  saved.clear();
  press(Key::s, ctrl_shift);
  done(pilot_.fill("files/path", (folder / "scene.json").string()));
  press(Key::enter);
  EXPECT_TRUE(saved.empty());
  EXPECT_TRUE(scene::load(folder / "scene.json")) << session_->message();
}

TEST(TypedPath, BeginsAnewWhereAWholePathWasTyped) {
  EXPECT_EQ(typed_path("maps/a.json"), "maps/a.json");
  EXPECT_EQ(typed_path("/users/ada/a.json"), "/users/ada/a.json");
  EXPECT_EQ(typed_words("/users/ada//tmp/a.json", "/users/ada/b.json"), "/tmp/a.json");
  EXPECT_EQ(typed_words("/users/ada/~/a.json", "/users/ada/"), "~/a.json");
  EXPECT_EQ(typed_words("/users/ada/~ada", "/users/ada/"), "/users/ada/~ada");
  // A script's path is what it says.
  EXPECT_EQ(typed_words("/users/ada//papers/a.json", "/users/"), "/users/ada//papers/a.json");
  EXPECT_EQ(typed_words("a.json", ""), "a.json");
  EXPECT_EQ(typed_path("/users/ada/~ada"), "/users/ada/~ada");
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return;
  EXPECT_EQ(typed_path("~/a.json"), std::filesystem::path(home) / "a.json");
}

TEST_F(DeskFiles, OpenByLettersArrowsAndEnter) {
  const tests::ScratchFolder folder;
  std::filesystem::create_directory(folder / "week 1");
  Scene saved;
  saved.sentence = "from week 1";
  ASSERT_TRUE(scene::save(saved, folder.path() / "week 1" / "b.json"));
  ASSERT_TRUE(scene::save(Scene{}, folder.path() / "week 1" / "a.json"));
  press(Key::o, ctrl_only);
  done(pilot_.fill("files/path", folder.path().string() + "/we"));
  press(Key::enter);  // into the folder
  ASSERT_TRUE(pilot_.on_screen("files/list/b.json")) << pilot_.inventory();
  press(Key::down);
  press(Key::down);
  press(Key::down);  // "..", a, b
  press(Key::enter);
  EXPECT_EQ(scene().sentence, "from week 1");
  EXPECT_EQ(shell_->desk().document().path(), folder.path() / "week 1" / "b.json");

  press(Key::o, ctrl_only);
  done(pilot_.fill("files/path", (folder / "none.json").string()));
  press(Key::enter);
  EXPECT_TRUE(pilot_.on_screen("files/path")) << "there is no such file, and the card says so";
  press(Key::escape);
  EXPECT_EQ(scene().sentence, "from week 1");
}

TEST_F(DeskFiles, ALineGoesOutByTheClipboardAndComesBackAnywhere) {
  Scene other;
  other.sentence = "from the chat";
  other.heads = 2;
  press(Key::l, ctrl_only);
  EXPECT_EQ(clipboard_, scene::to_line(scene()));
  clipboard_ = "see: " + scene::to_line(other);
  press(Key::v, ctrl_only);
  EXPECT_EQ(scene().sentence, "from the chat");
  EXPECT_EQ(scene().heads, 2);
  press(Key::z, ctrl_only);
  EXPECT_EQ(scene().heads, 4);

  done(pilot_.click("top/sentence"));
  press(Key::a, ctrl_only);
  press(Key::v, ctrl_only);
  EXPECT_EQ(scene().sentence, "from the chat") << "not the letters of the line";
  EXPECT_EQ(scene().heads, 2);

  clipboard_ = "just words";
  press(Key::escape);
  press(Key::v, ctrl_only);
  EXPECT_EQ(scene().sentence, "from the chat");
  EXPECT_THAT(session_->message(), HasSubstr("no scene line"));
  clipboard_ = scene::to_line(other).substr(0, 30);
  press(Key::v, ctrl_only);
  EXPECT_THAT(session_->message(), HasSubstr("incomplete scene line"));
}

}  // namespace
}  // namespace headlight::app
