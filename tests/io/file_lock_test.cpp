#include "io/file_lock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "support/scratch_folder.h"

namespace headlight::io {
namespace {

using State = FileLock::State;

TEST(FileLock, OneHasItAndTheNextWhenItIsLetGo) {
  const tests::ScratchFolder folder;
  std::optional<FileLock> first = FileLock::take(folder / "a.lock");
  EXPECT_EQ(first->state(), State::taken);
  EXPECT_EQ(FileLock::take(folder / "a.lock").state(), State::elsewhere);
  EXPECT_EQ(FileLock::take(folder / "b.lock").state(), State::taken);
  FileLock moved = std::move(*first);
  first.reset();
  EXPECT_EQ(FileLock::take(folder / "a.lock").state(), State::elsewhere);
  moved = FileLock();
  EXPECT_EQ(FileLock::take(folder / "a.lock").state(), State::taken);
}

/// However a program ends, what it held is free.
TEST(FileLock, EndsWithItsProcess) {
  const tests::ScratchFolder folder;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const FileLock lock = FileLock::take(folder / "a.lock");
    (void)!::write(ends[1], lock.state() == State::taken ? "y" : "n", 1);
    for (;;) ::pause();
  }
  char taken = 0;
  ASSERT_EQ(::read(ends[0], &taken, 1), 1);
  EXPECT_EQ(taken, 'y');
  EXPECT_EQ(FileLock::take(folder / "a.lock").state(), State::elsewhere);
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(FileLock::take(folder / "a.lock").state(), State::taken);
  ::close(ends[0]), ::close(ends[1]);
}

TEST(FileLock, NoFolderIsNobodyElse) {
  const tests::ScratchFolder folder;
  EXPECT_EQ(FileLock::take((folder / "no") / "a.lock").state(), State::unknown);
}

}  // namespace
}  // namespace headlight::io
