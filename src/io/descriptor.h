// An open file, and the error if it cannot be opened. Nothing here blocks: a path that is not a regular file,
// such as a device, a socket or a pipe without a writer, is refused with a one-line error. Tested in
// tests/io/files_test.cpp.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

#include "base/result.h"

namespace headlight::io {

/// What kinds of file may be opened. A pipe has no end until its writer closes it, so it is read only where
/// the user has named it and waits for it.
enum class Opens { files, files_and_pipes };

/// Closes its descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

struct OpenedFile {
  Descriptor descriptor;
  struct stat status {};
};

/// Opens for reading without waiting; links are followed.
base::Result<OpenedFile> open_to_read(const std::filesystem::path& path, Opens opens = Opens::files);

/// Returns whether the path may exist. Also true if the system does not tell: reading it then gives the
/// reason. False if no file can have this name.
bool may_be_there(const std::filesystem::path& path);

/// Reads up to `bytes` from the current position; returns 0 at the end, and −1 with errno on an error. A
/// signal is not an error.
std::ptrdiff_t read_some(const Descriptor& from, char* to, std::size_t bytes);

/// Returns the words for an errno, with a clearer cause than the system's if one is known.
std::string cause(int error);

/// "cannot read NAME: why"; a name that is too long for one line is shortened in the middle.
base::Error cannot(const char* what, const std::filesystem::path& path, const std::string& why);

/// Returns the error for a file that does not exist: whether its folder exists, and what to check.
base::Error missing(const std::filesystem::path& path);

/// Returns the path as errors show it: at most about 200 bytes, with … in place of its middle.
std::string path_text(const std::filesystem::path& path);

}  // namespace headlight::io
