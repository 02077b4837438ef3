// The line of hints: what it says, when, and that it is closed for good.
#include <gmock/gmock.h>

#include "desk_program.h"
#include "scene/settings.h"
#include "support/scratch_folder.h"

namespace headlight::app {
namespace {

using screen::ctrl_only;
using screen::Key;

class HintLine : public tests::DeskTest {};

TEST_F(HintLine, AHintIsClosedOnceAndForAll) {
  const tests::ScratchFolder folder;
  EXPECT_FALSE(pilot_.on_screen("hint/got it")) << "without a folder there are none";
  start({}, {.folder = folder.path()});
  ASSERT_TRUE(pilot_.on_screen("hint/got it"));
  // What is to be said has its place, and the page keeps its own.
  press(Key::z, ctrl_only);  // "nothing to undo"
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("hint/got it"));
  pilot_.frames(13 * 60);  // it is said for twelve seconds
  ASSERT_TRUE(pilot_.on_screen("hint/got it"));
  // It speaks of the cards of the first tab.
  pilot_.frames(2);
  done(pilot_.click("page/screens/Matrices"));
  pilot_.frames(4);
  EXPECT_FALSE(pilot_.on_screen("hint/got it"));
  done(pilot_.click("page/screens/Attention map"));
  pilot_.frames(4);
  done(pilot_.click("hint/got it"));
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("hint/got it"));
  start({}, {.folder = folder.path()});
  EXPECT_FALSE(pilot_.on_screen("hint/got it"));
  press(Key::page_down, ctrl_only);
  EXPECT_TRUE(pilot_.on_screen("hint/got it")) << "another page has its own";
}

/// A map of unknown words looks like any other; what can be done about it is one click away.
TEST_F(HintLine, WhereTheModelKnowsFewWordsAnotherIsOffered) {
  const tests::ScratchFolder folder;
  scene::Scene scene;
  done(scene::set_field(scene, "model=pronouns-guided"));
  scene::repair(scene);
  scene.sentence = "my brother plays the piano every evening";
  start(scene);
  EXPECT_FALSE(pilot_.on_screen("hint/use dictionary")) << "a picture says nothing";
  start(scene, {.folder = folder.path()});
  ASSERT_TRUE(pilot_.on_screen("hint/use dictionary"));
  done(pilot_.click("hint/keep model"));
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("hint/use dictionary"));
  start(scene, {.folder = folder.path()});
  done(pilot_.click("hint/use dictionary"));
  session_->wait();
  pilot_.frames(2);
  EXPECT_EQ(session_->scene().weights_file, "dictionary");
  EXPECT_EQ(session_->scene().sentence, scene.sentence);
  EXPECT_FALSE(pilot_.on_screen("hint/use dictionary")) << "it reads any text";
  scene.sentence = "the animal did not cross the piano";
  start(scene, {.folder = folder.path()});
  EXPECT_FALSE(pilot_.on_screen("hint/use dictionary")) << "one word is underlined, and said on the page";
}

/// What cannot be drawn is not left to look like a fault: the line says what to install, once.
TEST_F(HintLine, AScriptWithoutAFontIsSaidWithThePackage) {
  const tests::ScratchFolder folder;
  scene::Scene scene;
  scene.sentence = "the cat sat";
  start(scene, {.folder = folder.path()});
  EXPECT_FALSE(pilot_.on_screen("hint/font noted"));
  scene.sentence = "the \U000DFFFD sat";  // which nobody has assigned
  start(scene);
  EXPECT_FALSE(pilot_.on_screen("hint/font noted")) << "a picture says nothing";
  start(scene, {.folder = folder.path()});
  ASSERT_TRUE(pilot_.on_screen("hint/font noted"));
  done(pilot_.click("hint/font noted"));
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("hint/font noted"));
  scene.sentence = "the cat sat \U000DFFFD";
  session_->change(scene, "", now_);
  session_->wait();
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("hint/font noted")) << "it was noted";
}

}  // namespace
}  // namespace headlight::app
