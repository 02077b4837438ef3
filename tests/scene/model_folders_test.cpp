// A model by the name of its folder: where it is looked for, in which order.
#include "scene/model_folders.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "scene/recent.h"
#include "scene/store.h"
#include "support/scratch_folder.h"

namespace headlight::scene {
namespace {

namespace fs = std::filesystem;

class ModelFolders : public testing::Test {
 protected:
  ModelFolders() {
    set("XDG_STATE_HOME", folder_ / "state"), set("XDG_DATA_HOME", folder_ / "data");
    set("HEADLIGHT_MODELS", folder_ / "models");
  }
  ~ModelFolders() override {
    for (const auto& [name, value] : before_) {
      if (value) {
        ::setenv(name.c_str(), value->c_str(), 1);
      } else {
        ::unsetenv(name.c_str());
      }
    }
  }
  void set(const std::string& name, const fs::path& value) {
    const char* old = std::getenv(name.c_str());
    before_.emplace_back(name, old ? std::optional<std::string>(old) : std::nullopt);
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  fs::path made(const fs::path& path) const {
    fs::create_directories(path);
    return path;
  }

  tests::ScratchFolder folder_;
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

TEST_F(ModelFolders, AreListedByNameAndOneFolderDeeper) {
  EXPECT_TRUE(models_in_folders().empty());
  const auto file = [](const fs::path& path) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "{}";
    return path;
  };
  const fs::path folder = folder_ / "models";
  file(folder / "b/config.json"), file(folder / "a/hf/config.json"), file(folder / "a/hf/deep/config.json");
  file(folder / "notes.txt"), file(folder / "none/deep/deeper/config.json");
  const fs::path run = file(folder / "c.safetensors"), own = file(models_folder() / "d/ckpt.pt");
  EXPECT_EQ(models_in_folders(),
            (std::vector<fs::path>{folder / "a/hf", folder / "b", run, own.parent_path()}));
  set("HEADLIGHT_MODELS", folder / "b");  // the model itself
  EXPECT_EQ(models_in_folders(), (std::vector<fs::path>{folder / "b", own.parent_path()}));
}

TEST_F(ModelFolders, TheFirstPlaceThatHasItIsTaken) {
  EXPECT_EQ(find_model_folder("m"), std::nullopt);
  const fs::path opened = made(folder_ / "elsewhere" / "m"), used = made(folder_ / "used" / "m");
  Recent scenes(list_of_scenes(state_folder()));
  ASSERT_TRUE(scenes.remember(opened));
  EXPECT_EQ(find_model_folder("m"), opened);
  Recent files(list_of_files(state_folder()));
  ASSERT_TRUE(files.remember(used));
  EXPECT_EQ(find_model_folder("m"), used);
  EXPECT_EQ(models_folder(), folder_ / "data" / "headlight" / "models");
  const fs::path own = made(models_folder() / "m");
  EXPECT_EQ(find_model_folder("m"), own);
  const fs::path named = made(folder_ / "models" / "m");
  EXPECT_EQ(find_model_folder("m"), named);
  ::setenv("HEADLIGHT_MODELS", "", 1);
  EXPECT_EQ(find_model_folder("m"), own) << "an empty name names nothing";
  fs::remove_all(own);
  fs::remove_all(used);
  EXPECT_EQ(find_model_folder("m"), opened) << "a folder that was removed is none";
}

TEST_F(ModelFolders, AFolderWithASlashBehindItsNameIsTheSame) {
  const fs::path opened = made(folder_ / "elsewhere" / "m");
  Recent scenes(list_of_scenes(state_folder()));
  ASSERT_TRUE(scenes.remember(opened.string() + "/"));
  EXPECT_EQ(find_model_folder("m"), opened);
}

TEST_F(ModelFolders, AFileIsNoFolderAndANameLeadsNowhereElse) {
  made(folder_ / "models");
  std::ofstream(folder_ / "models" / "f") << "text";
  EXPECT_EQ(find_model_folder("f"), std::nullopt);
  made(folder_ / "secret");
  for (const char* name : {"", ".", "..", "../secret", "a/b", "a\\b", "a\nb"}) {
    EXPECT_FALSE(is_folder_name(name)) << name;
    EXPECT_EQ(find_model_folder(name), std::nullopt) << name;
  }
  EXPECT_FALSE(is_folder_name(std::string(300, 'a')));
  EXPECT_FALSE(is_folder_name(std::string("a\0b", 3)));
  EXPECT_TRUE(is_folder_name("use-lite"));
  EXPECT_TRUE(is_folder_name("..a"));
}

TEST_F(ModelFolders, WithoutAnyFolderNothingIsFound) {
  for (const char* name : {"XDG_STATE_HOME", "XDG_DATA_HOME", "HEADLIGHT_MODELS"}) ::unsetenv(name);
  const char* home = std::getenv("HOME");
  before_.emplace_back("HOME", home ? std::optional<std::string>(home) : std::nullopt);
  ::unsetenv("HOME");
  EXPECT_EQ(models_folder(), fs::path());
  EXPECT_EQ(find_model_folder("m"), std::nullopt);
  ::setenv("HOME", folder_.path().c_str(), 1);
  EXPECT_EQ(models_folder(), folder_ / ".local" / "share" / "headlight" / "models");
}

}  // namespace
}  // namespace headlight::scene
