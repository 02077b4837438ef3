// A lock file that one process holds as long as it lives; a second process can tell that it is not alone. It
// is a separate file next to the shared one; it stays empty, and is kept when the lock is released. Tested in
// tests/io/file_lock_test.cpp.
#pragma once

#include <filesystem>
#include <utility>

namespace headlight::io {

class FileLock {
 public:
  /// unknown: the file cannot be created or the file system has no locks, so no other process can hold it
  /// either.
  enum class State { taken, elsewhere, unknown };

  FileLock() = default;
  /// Tries once, without waiting.
  static FileLock take(const std::filesystem::path& path);
  FileLock(FileLock&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        state_(std::exchange(other.state_, State::unknown)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_), std::swap(state_, other.state_);
    return *this;
  }
  ~FileLock();

  State state() const { return state_; }

 private:
  int descriptor_ = -1;
  State state_ = State::unknown;
};

}  // namespace headlight::io
