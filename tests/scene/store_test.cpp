#include "scene/store.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "io/files.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "support/scratch_folder.h"

namespace headlight::scene {
namespace {

using testing::HasSubstr;

Scene sample(const std::string& sentence) {
  Scene scene;
  scene.sentence = sentence;
  scene.heads = 8;
  return scene;
}

TEST(Store, WhatIsSavedIsLoaded) {
  const tests::ScratchFolder folder;
  const Scene scene = sample("caf\xe9 👩‍👩‍👧");
  ASSERT_TRUE(save(scene, folder / "a.json"));
  const base::Result<Scene> read = load(folder / "a.json");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, scene);
  EXPECT_EQ(folder.files(), 1);
}

TEST(Store, ErrorsNameTheFile) {
  const tests::ScratchFolder folder;
  EXPECT_EQ(load(folder / "none.json").error(),
            "cannot read " + (folder / "none.json").string() + ": no such file; check its name");
  EXPECT_THAT(load(folder.path()).error(), HasSubstr("it is a folder"));
  EXPECT_THAT(save(Scene{}, folder.path() / "x" / "a.json").error(), HasSubstr("does not exist"));
  ASSERT_TRUE(io::write_file(folder / "a.json", "{\"heads\": 5}"));
  EXPECT_EQ(load(folder / "a.json").error(),
            (folder / "a.json").string() + ": heads must divide d_model (32): 1, 2, 4, 8, 16 or 32, not 5");
}

TEST(Store, TheStateMakesItsFolders) {
  const tests::ScratchFolder folder;
  const auto path = folder.path() / "a" / "b" / "scene.json";
  ASSERT_TRUE(save_state(sample("x"), path));
  EXPECT_EQ(load(path)->sentence, "x");
}

TEST(Store, TheStateFileFollowsTheEnvironment) {
  ::setenv("XDG_STATE_HOME", "/some/state", 1);
  EXPECT_EQ(state_file(), "/some/state/headlight/scene.json");
  ::setenv("XDG_STATE_HOME", "relative", 1);  // to be ignored, says the specification
  ::setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(state_file(), "/home/someone/.local/state/headlight/scene.json");
  ::unsetenv("XDG_STATE_HOME");
  EXPECT_EQ(state_file(), "/home/someone/.local/state/headlight/scene.json");
  ::unsetenv("HOME");
  EXPECT_EQ(state_file(), "");
}

TEST(Restore, NothingThereIsTheFirstScene) {
  std::string look_at;
  const Scene first = first_scene(look_at);
  EXPECT_FALSE(look_at.empty());
  const tests::ScratchFolder folder;
  for (const std::filesystem::path& path :
       {std::filesystem::path(), folder / "none.json", folder.path() / "x" / "y"}) {
    const Restored restored = restore(path);
    EXPECT_EQ(restored.scene, first);
    EXPECT_EQ(restored.message, "");
  }
}

TEST(Restore, LastTimesScene) {
  const tests::ScratchFolder folder;
  ASSERT_TRUE(save(sample("last time"), folder / "scene.json"));
  const Restored restored = restore(folder / "scene.json");
  EXPECT_EQ(restored.scene, sample("last time"));
  EXPECT_EQ(restored.message, "");
}

TEST(Restore, DamagedFilesAreSetAsideUnderFreeNames) {
  const tests::ScratchFolder folder;
  const std::vector<std::string> damaged = {"",
                                            "{\"heads\":",
                                            std::string("\0\xff\x89PNG", 6),
                                            "[]",
                                            "{\"heads\": \"x\"}",
                                            "{\"heads\": 5}",
                                            std::string(std::size_t(65) << 20, ' ')};
  int number = 0;
  for (const std::string& bytes : damaged) {
    ASSERT_TRUE(io::write_file(folder / "scene.json", bytes));
    const Restored restored = restore(folder / "scene.json");
    EXPECT_EQ(restored.scene, Scene{});
    const std::string name = "scene.json.damaged" + (number > 0 ? "." + std::to_string(number + 1) : "");
    EXPECT_THAT(restored.message, HasSubstr("scene.json: ")) << number;
    EXPECT_THAT(restored.message, testing::EndsWith("; moved to " + name));
    EXPECT_THAT(restored.message, testing::Not(HasSubstr("\n")));
    EXPECT_EQ(*io::read_file(folder / name), bytes) << "nothing of the user's is lost";
    EXPECT_FALSE(std::filesystem::exists(folder / "scene.json"));
    ++number;
  }
}

TEST(Restore, EveryTruncationIsSetAside) {
  const tests::ScratchFolder folder;
  const std::string json = to_json(sample("caf\xe9"));
  for (std::size_t size = 0; size + 1 < json.size(); size += 13) {
    ASSERT_TRUE(io::write_file(folder / "scene.json", json.substr(0, size)));
    EXPECT_NE(restore(folder / "scene.json").message, "") << size;
  }
}

TEST(Store, AKilledProgramLeavesTheOldSceneOrTheNew) {
  const tests::ScratchFolder folder;
  const Scene one = sample(std::string(200000, 'a')), two = sample(std::string(250000, 'b'));
  ASSERT_TRUE(save(one, folder / "scene.json"));
  for (int round = 0; round < 25; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (;;) {
        if (!save(two, folder / "scene.json") || !save(one, folder / "scene.json")) ::_exit(1);
      }
    }
    ::usleep(static_cast<useconds_t>(3000 + 1777 * round));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    const base::Result<Scene> read = load(folder / "scene.json");
    ASSERT_TRUE(read) << read.error();
    EXPECT_TRUE(*read == one || *read == two);
  }
}

}  // namespace
}  // namespace headlight::scene
