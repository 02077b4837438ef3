// What a card for files lists.
#include "ui/folder_rows.h"

#include <gmock/gmock.h>

#include <fstream>

#include "support/scratch_folder.h"

namespace headlight::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(FolderRows, FoldersThenScenesByName) {
  const tests::ScratchFolder folder;
  for (const char* name : {"zoo", "Atlas", ".hidden"}) fs::create_directory(folder / name);
  for (const char* name : {"b.json", "A.json", "ab.JSON", "notes.txt", ".c.json"})
    std::ofstream(folder / name) << "{}";
  std::string problem;
  const auto names = [&](const std::string& typed) {
    std::vector<std::string> out;
    for (const FolderRow& row : folder_rows(typed, ".json", problem))
      out.push_back(row.path.filename().string() + (row.folder ? "/" : ""));
    return out;
  };
  const std::string base = folder.path().string() + "/";
  EXPECT_EQ(names(base), (std::vector<std::string>{fs::temp_directory_path().filename().string() + "/",
                                                   "Atlas/", "zoo/", "A.json", "ab.JSON", "b.json"}));
  EXPECT_EQ(names(base + "a"), (std::vector<std::string>{"Atlas/", "A.json", "ab.JSON"}));
  EXPECT_EQ(names(base + "."), (std::vector<std::string>{".hidden/", ".c.json"}));
  EXPECT_EQ(names(base + "none/"), std::vector<std::string>{});
  EXPECT_THAT(problem, HasSubstr("cannot list"));
  EXPECT_EQ(folder_part("/a/b c/d"), "/a/b c/");
  EXPECT_EQ(folder_part("d"), "");
  ::setenv("HOME", "/home/ada", 1);
  EXPECT_EQ(typed_path("~/x.json"), "/home/ada/x.json");
  EXPECT_EQ(typed_path("~"), "/home/ada/");
}

}  // namespace
}  // namespace headlight::app
