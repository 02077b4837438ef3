// The calls by which a program gets files and memory, one of which fails. They take the place of the system's
// and of operator new in every program that links this, in its libraries too: what is not to fail is passed
// on. Not for a program with a sanitizer, which does the same for its own purpose.
#pragma once

#include <array>
#include <cerrno>
#include <functional>

namespace headlight::faults {

enum class Call {
  open,    // open, openat, fopen
  read,    // read, pread
  write,   // write, pwrite, but on standard error
  fsync,   // fsync, fdatasync; nothing waits for the disk, as no test takes the power away
  rename,  // rename, renameat2
  link,    // linkat
  status,  // stat, lstat, fstat
  close,   // closes, and says that it failed
  map,     // mmap, as far as libc does not map for itself
  memory,  // operator new
  change,  // whatever changes the file system: open to write, mkdir, rename, link, unlink
  clock,   // clock_gettime of the time of day, time: an hour back instead of an error
};
inline constexpr Call file_calls[] = {Call::open, Call::read,   Call::write, Call::fsync, Call::rename,
                                      Call::link, Call::status, Call::close, Call::map};
const char* name(Call call);
inline constexpr std::size_t calls = 12;
using Counts = std::array<long, calls>;  // by Call

struct Plan {
  Call call = Call::open;
  long at = 0;         // the call that fails, from 1; 0: none, they are counted
  bool stays = false;  // and all that follow
  int error = EIO;
  void (*instead)() = nullptr;  // nothing fails: this is done once, before the call
};
/// From now on, in all threads.
void begin(const Plan& plan);
/// Nothing fails any more. How many calls of each kind there were.
Counts end();

/// Within its life calls are counted and fail; between two of them nothing does. For a test that does more
/// than what it tests; the first end() ends this, too.
class Counted {
 public:
  Counted();
  ~Counted();
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
};
/// As begin(), for what is done within the life of a Counted.
void begin_later(const Plan& plan);

/// What operator new has given to this thread.
struct Memory {
  unsigned long allocations = 0, bytes = 0;
};
Memory memory_of(const std::function<void()>& work);

}  // namespace headlight::faults
