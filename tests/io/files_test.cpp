#include "io/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "io/descriptor.h"
#include "io/unfinished.h"
#include "support/scratch_folder.h"

namespace headlight::io {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
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
  EXPECT_THAT(write_file(folder.path().string() + "/new/", "x").error(), HasSubstr("it is a folder"));
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
            "cannot read " + (folder / "none").string() + ": no such file; check its name");
  EXPECT_THAT(read_file(folder / "nowhere" / "none").error(), HasSubstr("its folder does not exist"));
  EXPECT_THAT(read_file(folder.path()).error(), HasSubstr("it is a folder"));
  ASSERT_TRUE(write_file(folder / "a", "12345"));
  EXPECT_EQ(*read_file(folder / "a", 5), "12345");
  EXPECT_THAT(read_file(folder / "a", 4).error(), HasSubstr("larger than 4 bytes"));
  const std::string long_name = (folder / (std::string(250, 'n') + "/" + std::string(250, 'm'))).string();
  EXPECT_LT(read_file(long_name).error().size(), 400u);
  EXPECT_THAT(read_file(long_name).error(), AllOf(HasSubstr("n…m"), HasSubstr(": no such file")));
}

// Each would wait for ever, or never end.
TEST(Files, WhatIsNoFileIsRefusedAtOnce) {
  const tests::ScratchFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", folder / "link");
  fs::create_symlink("/dev/zero", folder / "zero");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::strncpy(name.sun_path, (folder / "socket").c_str(), sizeof name.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string held = "/dev/fd/" + std::to_string(ends[0]);
  for (const auto& [path, why] :
       {std::pair<fs::path, const char*>{folder / "pipe", "it is a pipe, not a file"},
        {folder / "link", "it is a pipe, not a file"},
        {folder / "zero", "it is a device, not a file"},
        {folder / "socket", "it is a socket, not a file"},
        {"/dev/zero", "it is a device, not a file"},
        {"/dev/tty", "it is a device, not a file"},
        {held, "it is a pipe, not a file"},
        {folder.path(), "it is a folder"}}) {
    const auto read = read_file(path);
    ASSERT_FALSE(read) << path;
    EXPECT_EQ(read.error(), "cannot read " + path.string() + ": " + why);
  }
  EXPECT_THAT(read_file("/dev/zero", 1000, Opens::files_and_pipes).error(), HasSubstr("it is a device"));
  ASSERT_EQ(::write(ends[1], "typed", 5), 5);
  ::close(ends[1]);
  EXPECT_EQ(*read_file(held, 1000, Opens::files_and_pipes), "typed");
  ::close(ends[0]);
  ::close(socket);
}

TEST(Files, AFileWithoutASizeIsReadToABound) {
  EXPECT_THAT(*read_file("/proc/self/status"), HasSubstr("VmRSS"));
  EXPECT_THAT(read_file("/proc/self/status", 100).error(), HasSubstr("larger than 100 bytes"));
  EXPECT_FALSE(read_file("/proc/self/pagemap")) << "a file of 128 terabytes that says 0";
}

TEST(Files, WhatCannotBeLookedAtMayBeThere) {
  const tests::ScratchFolder folder;
  ASSERT_TRUE(write_file(folder / "a", "x"));
  EXPECT_TRUE(may_be_there(folder / "a"));
  EXPECT_TRUE(may_be_there(folder.path()));
  EXPECT_FALSE(may_be_there(folder / "b"));
  EXPECT_FALSE(may_be_there(folder.path() / "a" / "b"));
  EXPECT_FALSE(may_be_there(folder / std::string(300, 'n')));
  EXPECT_FALSE(may_be_there(""));
  fs::create_symlink("round", folder / "round");
  EXPECT_TRUE(may_be_there(folder / "round"));
  EXPECT_FALSE(read_file(folder / "round")) << "which says why";
}

TEST(Files, ASequenceThatFailsIsTakenBack) {
  const tests::ScratchFolder folder;
  {
    UnfinishedSequence sequence;
    ASSERT_TRUE(sequence.write(folder / "1", "one"));
    ASSERT_TRUE(sequence.write(folder / "2", "two"));
    EXPECT_FALSE(sequence.write(folder.path() / "none" / "3", "three"));
    EXPECT_EQ(folder.files(), 2);
  }
  EXPECT_EQ(folder.files(), 0);
  {
    UnfinishedSequence sequence;
    ASSERT_TRUE(sequence.write(folder / "1", "one"));
    ASSERT_TRUE(sequence.write(folder / "2", "two"));
    sequence.whole();
  }
  EXPECT_EQ(*read_file(folder / "1"), "one");
  EXPECT_EQ(folder.files(), 2);
}

TEST(Files, AFileThatIsTooLargeIsNotRead) {
  const tests::ScratchFolder folder;
  ASSERT_TRUE(write_file(folder / "large", "x"));
  fs::resize_file(folder / "large", std::uintmax_t(1) << 40);
  EXPECT_THAT(read_file(folder / "large").error(), HasSubstr("it is larger than 1073741824 bytes"));
}

TEST(Files, APipeIsWrittenOnlyWhenSomebodyReads) {
  const tests::ScratchFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(write_file(folder / "pipe", "x").error(), HasSubstr("a pipe that no program reads"));
  const int reader = ::open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  ASSERT_TRUE(write_file(folder / "pipe", "said"));
  char message[8] = {};
  EXPECT_EQ(::read(reader, message, sizeof message), 4);
  EXPECT_STREQ(message, "said");
  ::close(reader);
}

TEST(Files, ALinkThatLeadsToNothingYetMakesTheFileThere) {
  const tests::ScratchFolder folder;
  fs::create_directory(folder / "elsewhere");
  fs::create_symlink("elsewhere/other", folder / "link");
  fs::create_symlink("../a", folder.path() / "elsewhere" / "other");
  ASSERT_TRUE(write_file(folder / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "elsewhere" / "other"));
  EXPECT_EQ(*read_file(folder / "a"), "new");
  EXPECT_EQ(folder.files(), 3);
  fs::create_symlink("none/file", folder / "lost");
  EXPECT_THAT(write_file(folder / "lost", "x").error(), HasSubstr("none does not exist"));
  EXPECT_TRUE(fs::is_symlink(folder / "lost"));
  fs::create_symlink("round", folder / "round");
  EXPECT_THAT(write_file(folder / "round", "x").error(), HasSubstr("its links form a loop"));
}

TEST(FreePath, CountsOn) {
  const tests::ScratchFolder folder;
  EXPECT_EQ(free_path(folder / "a.b.png"), folder / "a.b.png");
  ASSERT_TRUE(write_file(folder / "a.b.png", ""));
  EXPECT_EQ(free_path(folder / "a.b.png"), folder / "a.b-2.png");
  ASSERT_TRUE(write_file(folder / "a.b-2.png", ""));
  EXPECT_EQ(free_path(folder / "a.b.png"), folder / "a.b-3.png");
}

/// A link that leads nowhere has its name, too.
TEST(FreePath, ALinkThatLeadsNowhereIsThere) {
  const tests::ScratchFolder folder;
  std::filesystem::create_symlink(folder / "none", folder / "a");
  EXPECT_TRUE(is_there(folder / "a"));
  EXPECT_EQ(free_path(folder / "a"), folder / "a-2");
}

}  // namespace
}  // namespace headlight::io
