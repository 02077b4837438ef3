// Whole files in and out. A file that is written is complete or not there at all: the bytes go to a new file
// in the same folder, are flushed to the disk, and take the name last. Errors are one line that names the
// path and the cause. Tested in tests/io/files_test.cpp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/parallel.h"
#include "base/result.h"

namespace headlight::io {

/// Where encoders put their bytes, piece by piece.
using Sink = base::FunctionRef<void(std::string_view)>;

/// A file while it is written. Without commit() nothing happens to the path: the destructor removes the new
/// file. A path that names a device or a pipe is written in place, since it cannot be replaced; a link is
/// followed.
class NewFile {
 public:
  static base::Result<NewFile> create(const std::filesystem::path& path);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  /// Keeps the first error for commit(); writes nothing after one.
  void write(std::string_view bytes);
  /// Flushes, closes and renames.
  base::Status commit();

 private:
  NewFile() = default;
  bool flush();
  void give_up();

  std::filesystem::path asked_, target_,
      beside_;  // as given, links followed, the new file; beside_ empty: in place
  std::string buffer_;
  int descriptor_ = -1;
  int error_ = 0;  // errno of the first failure
};

base::Status write_file(const std::filesystem::path& path, std::string_view bytes);

/// The whole file; an error beyond max_bytes, so that a wrong path cannot fill the memory.
base::Result<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes = std::size_t(1)
                                                                                               << 30);

}  // namespace headlight::io
