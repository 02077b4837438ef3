#include "scene/recent.h"

#include <gtest/gtest.h>

#include "io/files.h"
#include "support/scratch_folder.h"

namespace headlight::scene {
namespace {

namespace fs = std::filesystem;
using Files = std::vector<fs::path>;

TEST(Recent, TheNewestStandsFirstAndComesBack) {
  const tests::ScratchFolder folder;
  const fs::path list = folder.path() / "state" / "recent.txt";
  Recent recent(list);
  EXPECT_TRUE(recent.files().empty());
  for (const char* name : {"/a.json", "/b c.json", "/a.json", "/ü.json"}) ASSERT_TRUE(recent.remember(name));
  EXPECT_EQ(recent.files(), (Files{"/ü.json", "/a.json", "/b c.json"}));
  EXPECT_EQ(Recent(list).files(), recent.files());
  ASSERT_TRUE(recent.forget("/a.json"));
  EXPECT_EQ(Recent(list).files(), (Files{"/ü.json", "/b c.json"}));
}

TEST(Recent, OneFileIsOneEntryHoweverItIsWritten) {
  const tests::ScratchFolder folder;
  Recent recent(folder / "recent.txt");
  ASSERT_TRUE(recent.remember("x.json"));
  ASSERT_TRUE(recent.remember(fs::current_path() / "." / "y" / ".." / "x.json"));
  EXPECT_EQ(recent.files(), Files{fs::current_path() / "x.json"});
}

TEST(Recent, TheListEndsAndOddNamesStayOut) {
  const tests::ScratchFolder folder;
  Recent recent(folder / "recent.txt");
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(recent.remember("/" + std::to_string(i)));
  EXPECT_EQ(recent.files().size(), most_recent);
  EXPECT_EQ(recent.files().front(), "/39");
  ASSERT_TRUE(recent.remember("/a\nb"));
  EXPECT_EQ(recent.files().front(), "/39");
}

TEST(Recent, ADamagedListIsAnEmptyOne) {
  const tests::ScratchFolder folder;
  ASSERT_TRUE(
      io::write_file(folder / "recent.txt", std::string("\0\xff\n\n./x\nrelative\n/good\n/good\n", 30)));
  EXPECT_EQ(Recent(folder / "recent.txt").files(), Files{"/good"});
  EXPECT_TRUE(Recent(folder.path()).files().empty());
  EXPECT_TRUE(Recent().remember("/x"));
}

}  // namespace
}  // namespace headlight::scene
