#include "io/leftovers.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/files.h"
#include "support/scratch_folder.h"

namespace headlight::io {
namespace {

namespace fs = std::filesystem;

/// A process number that is over.
pid_t over() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

/// The name that process would give its file.
std::string name_of(pid_t process) {
  std::string name = name_of_begun_file();
  const std::string mine = '-' + std::to_string(::getpid()) + '-';
  return name.replace(name.find(mine), mine.size(), '-' + std::to_string(process) + '-');
}

TEST(Leftovers, OnlyThoseOfProcessesThatAreOverGo) {
  const tests::ScratchFolder folder;
  std::string elsewhere = name_of(over());
  char& digit = elsewhere[std::string(".headlight-").size()];
  digit = digit == '0' ? '1' : '0';
  const std::vector<std::string> stay = {name_of(::getpid()),
                                         name_of(::getppid()),
                                         elsewhere,
                                         name_of(over()) + ".png",
                                         "x" + name_of(over()),
                                         ".headlight-notes.tmp",
                                         ".headlight-" + std::to_string(over()) + "-0.tmp"};
  for (const std::string& name : stay) ASSERT_TRUE(write_file(folder / name, "live"));
  const std::string left = name_of(over());
  const std::string taken = name_of(over());
  fs::create_directory(folder / taken);
  ASSERT_TRUE(write_file(folder / left, "dead"));
  remove_leftovers(folder.path());
  EXPECT_FALSE(fs::exists(folder / left));
  EXPECT_TRUE(fs::is_directory(folder / taken));
  for (const std::string& name : stay) EXPECT_TRUE(fs::exists(folder / name)) << name;
}

TEST(Leftovers, GoWithTheNextFileThatIsWritten) {
  const tests::ScratchFolder folder;
  fs::create_directory(folder / "figures");
  const fs::path left = folder.path() / "figures" / name_of(over());
  ASSERT_TRUE(write_file(folder / "left", "dead"));
  fs::rename(folder / "left", left);
  ASSERT_TRUE(write_file(folder.path() / "figures" / "a.svg", "new"));
  EXPECT_FALSE(fs::exists(left));
}

/// Killed in the middle, and then the next one comes.
TEST(Leftovers, AKilledWriterLeavesNothingForLong) {
  const tests::ScratchFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    auto file = NewFile::create(folder / "a");
    if (file) file->write(std::string(1'000'000, 'x'));
    ::_exit(file ? 0 : 1);  // no destructor runs, as after SIGKILL
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  EXPECT_FALSE(fs::exists(folder / "a"));
  ASSERT_TRUE(write_file(folder / "b", "new"));
  EXPECT_EQ(folder.files(), 1) << "b alone";
}

}  // namespace
}  // namespace headlight::io
