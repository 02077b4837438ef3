// The names in a folder; memory that ends while they are listed is held by tests/faults.
#include "io/folder.h"

#include <gtest/gtest.h>

#include "io/files.h"
#include "support/scratch_folder.h"

namespace headlight::io {
namespace {

TEST(NamesInAFolder, AreAllOfThemInOrder) {
  const tests::ScratchFolder scratch;
  for (const char* name : {"b", "a", ".hidden", "Z"}) ASSERT_TRUE(write_file(scratch / name, "x"));
  std::filesystem::create_directory(scratch / "folder");
  std::error_code failed = std::make_error_code(std::errc::io_error);
  EXPECT_EQ(names_in(scratch.path(), failed), (std::vector<std::string>{".hidden", "Z", "a", "b", "folder"}));
  EXPECT_FALSE(failed);
}

TEST(NamesInAFolder, AreNoneWhereThereIsNoFolder) {
  const tests::ScratchFolder scratch;
  std::error_code failed;
  EXPECT_TRUE(names_in(scratch / "nowhere", failed).empty());
  EXPECT_EQ(failed, std::errc::no_such_file_or_directory);
  ASSERT_TRUE(write_file(scratch / "file", "x"));
  EXPECT_TRUE(names_in(scratch / "file", failed).empty());
  EXPECT_EQ(failed, std::errc::not_a_directory);
}

TEST(NamesInAFolder, AreThoseOfTheWorkingFolderForAnEmptyPath) {
  EXPECT_EQ(names_in({}), names_in("."));
}

}  // namespace
}  // namespace headlight::io
