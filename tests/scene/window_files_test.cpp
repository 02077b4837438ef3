#include "scene/window_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>

#include "io/files.h"
#include "support/scratch_folder.h"

namespace headlight::scene {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

Scene message(const std::string& sentence) {
  Scene scene;
  scene.sentence = sentence;
  return scene;
}

struct WindowFilesTest : testing::Test {
  fs::path state(const std::string& name) const { return folder_.path() / "headlight" / name; }
  WindowFiles open() const { return window_files(state("scene.json")); }
  void older(const std::string& name) const {
    fs::last_write_time(state(name), fs::file_time_type::clock::now() - std::chrono::minutes(1));
  }
  tests::ScratchFolder folder_;
};

TEST_F(WindowFilesTest, EveryOpenWindowHasItsOwn) {
  const WindowFiles first = open(), second = open(), third = open();
  EXPECT_EQ(first.scene, state("scene.json"));
  EXPECT_EQ(first.training, state("training.safetensors"));
  EXPECT_EQ(first.message, "");
  EXPECT_EQ(second.scene, state("scene-2.json"));
  EXPECT_EQ(second.training, state("training-2.safetensors"));
  EXPECT_THAT(second.message, HasSubstr("another window is open: this one is autosaved in "));
  EXPECT_THAT(second.message, HasSubstr("scene-2.json"));
  EXPECT_EQ(third.scene, state("scene-3.json"));
  EXPECT_EQ(file_of_run(second.training, TrainingTask::reverse), state("training-2-reverse.safetensors"));
  EXPECT_EQ(previous_file(second.scene), state("scene-2.previous.json"));
}

TEST_F(WindowFilesTest, ANewSecondWindowShowsWhatTheFirstShowsAndThenItsOwn) {
  const WindowFiles first = open();
  ASSERT_TRUE(save_state(message("one"), first.scene));
  {
    const WindowFiles second = open();
    EXPECT_EQ(restore(second).scene.sentence, "one");
    EXPECT_EQ(restore(second).message, second.message);
    ASSERT_TRUE(save_state(message("two"), second.scene));
  }
  EXPECT_EQ(restore(open()).scene.sentence, "two");
  EXPECT_EQ(restore(first).scene.sentence, "one");
}

TEST_F(WindowFilesTest, AFirstWindowsDamagedSceneIsNotTheSecondsToSetAside) {
  const WindowFiles first = open();
  ASSERT_TRUE(io::write_file(first.scene, "{"));
  const WindowFiles second = open();
  EXPECT_EQ(restore(second).message, second.message);
  EXPECT_TRUE(fs::exists(first.scene));
}

/// The window that was closed last opens first, with its scene and its runs, and nothing of the other is
/// lost.
TEST_F(WindowFilesTest, WhoStartsAloneOpensTheWindowThatWasClosedLast) {
  {
    const WindowFiles first = open(), second = open();
    ASSERT_TRUE(save_state(message("one"), first.scene));
    ASSERT_TRUE(save_state(message("two"), second.scene));
    ASSERT_TRUE(io::write_file(file_of_run(first.training, TrainingTask::reverse), "run one"));
    ASSERT_TRUE(io::write_file(file_of_run(second.training, TrainingTask::reverse), "run two"));
    ASSERT_TRUE(io::write_file(file_of_run(first.training, TrainingTask::english), "english one"));
    ASSERT_TRUE(io::write_file(file_of_run(second.training, TrainingTask::text), "text two"));
    older("scene.json");
  }
  const WindowFiles alone = open();
  EXPECT_EQ(alone.number, 1);
  EXPECT_THAT(alone.message, HasSubstr("saved last; the other scene is kept in "));
  EXPECT_EQ(restore(alone).scene.sentence, "two");
  EXPECT_EQ(*io::read_file(file_of_run(alone.training, TrainingTask::reverse)), "run two");
  EXPECT_EQ(*io::read_file(file_of_run(alone.training, TrainingTask::text)), "text two");
  EXPECT_EQ(*io::read_file(file_of_run(alone.training, TrainingTask::english)), "english one");
  const WindowFiles other = open();
  EXPECT_EQ(restore(other).scene.sentence, "one");
  EXPECT_EQ(*io::read_file(file_of_run(other.training, TrainingTask::reverse)), "run one");
}

TEST_F(WindowFilesTest, AWindowThatIsStillOpenIsLeftAlone) {
  std::optional<WindowFiles> first = open();
  const WindowFiles second = open();
  ASSERT_TRUE(save_state(message("one"), first->scene));
  ASSERT_TRUE(save_state(message("two"), second.scene));
  older("scene.json");
  first.reset();
  const WindowFiles again = open();
  EXPECT_EQ(again.number, 1);
  EXPECT_EQ(restore(again).scene.sentence, "one");
  EXPECT_EQ(load(second.scene)->sentence, "two");
}

TEST_F(WindowFilesTest, WithoutAStateFolderNothingIsKept) {
  const WindowFiles files = window_files({});
  EXPECT_EQ(files.scene, fs::path());
  EXPECT_EQ(files.training, fs::path());
  EXPECT_EQ(files.message, "");
}

}  // namespace
}  // namespace headlight::scene
