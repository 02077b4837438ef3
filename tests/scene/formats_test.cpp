// Files of every version of the scene format that there ever was: tests/scene/formats. A file once added is
// never changed; it keeps opening, and every setting in it is what it says.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/files.h"
#include "scene/scene_line.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "support/scratch_folder.h"

namespace headlight::scene {
namespace {

namespace fs = std::filesystem;

fs::path formats() {
  return fs::path(HEADLIGHT_SOURCE_DIR) / "tests" / "scene" / "formats";
}

TEST(Formats, EveryFileOfEveryVersionOpensAndSaysTheSame) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(formats())) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    const base::Result<Scene> scene = load(entry.path());
    ASSERT_TRUE(scene) << scene.error();
    // As plain JSON, without our reader: each value in the file is a value of the scene.
    const auto text = io::read_file(entry.path());
    ASSERT_TRUE(text);
    const nlohmann::json there = nlohmann::json::parse(*text), ours = nlohmann::json::parse(to_json(*scene));
    for (const auto& item : there.items()) {
      if (item.key() == "headlight") continue;
      ASSERT_TRUE(ours.contains(item.key())) << entry.path() << ": " << item.key();
      EXPECT_EQ(ours[item.key()], item.value()) << entry.path() << ": " << item.key();
    }
  }
  EXPECT_GE(files, 2);
}

TEST(Formats, VersionOneHoldsNoDefaults) {
  const auto text = io::read_file(formats() / "v1.json");
  ASSERT_TRUE(text) << text.error();
  const nlohmann::json there = nlohmann::json::parse(*text),
                       defaults = nlohmann::json::parse(to_json(Scene{}));
  EXPECT_EQ(there["headlight"], 1);
  int same = 0;
  for (const auto& item : there.items())
    same += defaults.contains(item.key()) && defaults[item.key()] == item.value();
  EXPECT_LE(same, 4) << "a file of defaults would open whatever was read";
  EXPECT_GT(there.size(), 100u);
}

TEST(Formats, ALineOfVersionOneStillOpens) {
  const auto line = io::read_file(formats() / "v1.txt");
  ASSERT_TRUE(line) << line.error();
  const base::Result<Scene> scene = from_line(*line);
  ASSERT_TRUE(scene) << scene.error();
  EXPECT_EQ(scene->sentence, "she said that the 猫 sat");
  EXPECT_EQ(scene->page, Page::compare);
  EXPECT_EQ(scene->heads, 8);
  EXPECT_EQ(scene->mask, (MaskSet{.causal = true}));
  EXPECT_EQ(scene->theme, ThemeName::light);
  EXPECT_EQ(scene->compare.off, (IndexList{2, 5}));
}

TEST(Formats, ANewerVersionIsRefusedInOneLineAndTheFileStays) {
  const tests::ScratchFolder folder;
  ASSERT_TRUE(io::write_file(folder / "new.json", "{\"headlight\": 2, \"novelty\": true}"));
  const base::Result<Scene> scene = load(folder / "new.json");
  ASSERT_FALSE(scene);
  EXPECT_THAT(scene.error(), testing::HasSubstr("version 2"));
  EXPECT_THAT(scene.error(), testing::Not(testing::HasSubstr("\n")));
  EXPECT_EQ(*io::read_file(folder / "new.json"), "{\"headlight\": 2, \"novelty\": true}");
}

}  // namespace
}  // namespace headlight::scene
