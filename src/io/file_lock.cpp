#include "io/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace headlight::io {

FileLock FileLock::take(const std::filesystem::path& path) {
  FileLock lock;
  lock.descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (lock.descriptor_ < 0) return lock;
  int failed = 0;
  while ((failed = ::flock(lock.descriptor_, LOCK_EX | LOCK_NB)) != 0 && errno == EINTR) continue;
  lock.state_ = failed == 0 ? State::taken : errno == EWOULDBLOCK ? State::elsewhere : State::unknown;
  return lock;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace headlight::io
