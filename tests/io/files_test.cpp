#include "io/files.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/scratch_folder.h"

namespace headlight::io {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(Files, WritesAndReadsAnyBytes) {
  const tests::ScratchFolder folder;
  std::string bytes;
  for (int i = 0; i < 1000000; ++i) bytes += static_cast<char>(i * 7 + i / 256);
  ASSERT_TRUE(write_file(folder / "a.bin", bytes));
  const auto read = read_file(folder / "a.bin");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, bytes);
  ASSERT_TRUE(write_file(folder / "a.bin", ""));
  EXPECT_EQ(*read_file(folder / "a.bin"), "");
  EXPECT_EQ(folder.files(), 1);
}

TEST(Files, PiecesOfAnySizeComeOutInOrder) {
  const tests::ScratchFolder folder;
  auto file = NewFile::create(folder / "a");
  ASSERT_TRUE(file);
  std::string all;
  for (std::size_t size : {1, 100000, 0, 200000, 300000, 7, 262144, 262143}) {
    const std::string piece(size, static_cast<char>('a' + all.size() % 26));
    file->write(piece);
    all += piece;
  }
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(*read_file(folder / "a"), all);
}

TEST(Files, WithoutCommitTheOldFileStaysAndNothingElse) {
  const tests::ScratchFolder folder;
  ASSERT_TRUE(write_file(folder / "a", "old"));
  {
    auto file = NewFile::create(folder / "a");
    ASSERT_TRUE(file);
    file->write(std::string(1 << 20, 'x'));
    EXPECT_EQ(*read_file(folder / "a"), "old");
  }
  EXPECT_EQ(*read_file(folder / "a"), "old");
  EXPECT_EQ(folder.files(), 1);
}

TEST(Files, AMissingFolderIsNamed) {
  const tests::ScratchFolder folder;
  const fs::path path = folder.path() / "none" / "a";
  const auto status = write_file(path, "x");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error(), "cannot write " + path.string() + ": the folder " + path.parent_path().string() +
                                " does not exist");
}

TEST(Files, AFolderThatTakesNoFilesIsNotSaidToBeMissing) {
  const auto status = write_file("/proc/a", "x");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().find("cannot write /proc/a: "), 0u) << status.error();
  EXPECT_EQ(status.error().find("does not exist"), std::string::npos) << status.error();
}

TEST(Files, AFolderIsNotWritten) {
  const tests::ScratchFolder folder;
  const auto status = write_file(folder.path(), "x");
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error(), HasSubstr("it is a folder"));
  EXPECT_EQ(folder.files(), 0);
  EXPECT_THAT(write_file(folder.path().string() + "/new/", "x").error(), HasSubstr("names a folder"));
  EXPECT_THAT(write_file("", "x").error(), HasSubstr("empty"));
}

TEST(Files, AFileIsNoFolder) {
  const tests::ScratchFolder folder;
  ASSERT_TRUE(write_file(folder / "a", "old"));
  EXPECT_THAT(write_file(folder.path() / "a" / "b", "x").error(), HasSubstr("is not a folder"));
}

TEST(Files, PermissionsAreRespected) {
  if (::geteuid() == 0) GTEST_SKIP() << "permissions do not bind the superuser";
  const tests::ScratchFolder folder;
  ASSERT_TRUE(write_file(folder / "a", "old"));
  ASSERT_EQ(::chmod((folder / "a").c_str(), 0444), 0);
  EXPECT_THAT(write_file(folder / "a", "x").error(), HasSubstr("permission denied"));
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  EXPECT_THAT(write_file(folder / "b", "x").error(), HasSubstr("permission denied"));
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
}

TEST(Files, AFileKeepsItsModeAndALinkStaysALink) {
  const tests::ScratchFolder folder;
  ASSERT_TRUE(write_file(folder / "a", "old"));
  ASSERT_EQ(::chmod((folder / "a").c_str(), 0640), 0);
  fs::create_symlink("a", folder / "link");
  ASSERT_TRUE(write_file(folder / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(*read_file(folder / "a"), "new");
  struct stat status {};
  ASSERT_EQ(::stat((folder / "a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
}

TEST(Files, AFullDeviceIsSaidAndADeviceIsNeverReplaced) {
  struct stat status {};
  if (::stat("/dev/full", &status) != 0) GTEST_SKIP() << "no /dev/full here";
  const auto full = write_file("/dev/full", "x");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error(), "cannot write /dev/full: no space left on the device");
  EXPECT_TRUE(write_file("/dev/null", "x"));
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST(Files, ReadingSaysWhatIsWrong) {
  const tests::ScratchFolder folder;
  EXPECT_EQ(read_file(folder / "none").error(),
            "cannot read " + (folder / "none").string() + ": no such file");
  EXPECT_THAT(read_file(folder.path()).error(), HasSubstr("it is a folder"));
  ASSERT_TRUE(write_file(folder / "a", "12345"));
  EXPECT_EQ(*read_file(folder / "a", 5), "12345");
  EXPECT_THAT(read_file(folder / "a", 4).error(), HasSubstr("larger than 4 bytes"));
  EXPECT_THAT(read_file("/dev/zero", 100000).error(), HasSubstr("larger than"));
}

}  // namespace
}  // namespace headlight::io
