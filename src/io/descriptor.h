// A file that is open, and what the system says when it cannot be. Nothing here waits: what is no regular
// file, such as a device, a socket or a pipe that nobody writes to, is refused in one line. Tested in
// tests/io/files_test.cpp.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

#include "base/result.h"

namespace headlight::io {

/// What may stand behind a path. A pipe has no end until its writer closes it, so it is read only where
/// somebody who waits for it has named it.
enum class Opens { files, files_and_pipes };

/// Closes what it holds.
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

/// Is there something of this name? Also true where the system does not say: reading it then says why. False
/// of what nothing can be called.
bool may_be_there(const std::filesystem::path& path);

/// Reads up to `bytes` from where the file is; 0 at its end, −1 with errno on an error. A signal is no error.
std::ptrdiff_t read_some(const Descriptor& from, char* to, std::size_t bytes);

/// The words for an errno; never only the system's when the cause is known better.
std::string cause(int error);

/// "cannot read NAME: why"; a name that is too long for a line is shortened in its middle.
base::Error cannot(const char* what, const std::filesystem::path& path, const std::string& why);

/// Of a file that is to be read and is not there: whether its folder is, and what to check.
base::Error missing(const std::filesystem::path& path);

/// A path as an error names it: at most about 200 bytes, with … in place of its middle.
std::string path_text(const std::filesystem::path& path);

}  // namespace headlight::io
