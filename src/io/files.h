// Reads and writes whole files. A written file is complete or does not exist: the bytes go to a new file in
// the same folder, are flushed to the disk, and get the name last. If the file system supports files without
// a name, nothing remains of an unfinished file when the program is killed; otherwise the next write into the
// folder removes it (leftovers.h). Errors are one line that names the path and the cause. Tested in
// tests/io/files_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/parallel.h"
#include "base/result.h"
#include "io/descriptor.h"

namespace headlight::io {

/// Returns ".json" for "A/Scene.JSON": the ending that identifies the file type, in lower case.
std::string ending_of(const std::filesystem::path& path);

/// Returns whether this name exists: as a file, a folder, or a link without a target.
bool is_there(const std::filesystem::path& path);
/// Returns `path`, or the first of name-2.ending, name-3.ending, … that is not `taken`.
std::filesystem::path free_path(const std::filesystem::path& path,
                                base::FunctionRef<bool(const std::filesystem::path&)> taken);
/// Returns the first of these names that does not exist.
std::filesystem::path free_path(const std::filesystem::path& path);

/// Where encoders put their bytes, piece by piece.
using Sink = base::FunctionRef<void(std::string_view)>;

/// A file that is being written. Without commit() the path does not change: the destructor removes the new
/// file. A path that names a device or a pipe is written in place, since it cannot be replaced; a pipe
/// without a reader is an error. A link is followed, and its target is created if it does not exist.
class NewFile {
 public:
  static base::Result<NewFile> create(const std::filesystem::path& path);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  /// Keeps the first error for commit(), and writes nothing after it.
  void write(std::string_view bytes);
  /// Flushes, closes and renames.
  base::Status commit();
  /// The same for a file that is useless without others. Returns the path written, for io/unfinished.h; empty
  /// for a pipe or a device.
  base::Result<std::filesystem::path> commit_part();

 private:
  base::Status commit(bool part_of_more);
  NewFile() = default;
  bool flush();
  bool take_name(bool part_of_more);
  void give_up();

  // The path as given, the path with links followed, and the new file. `beside_` is empty when writing in
  // place, and while the file has no name.
  std::filesystem::path requested_, target_, beside_;
  std::string buffer_;
  int descriptor_ = -1;
  bool in_place_ = true;
  int error_ = 0;  // errno of the first failure
};

base::Status write_file(const std::filesystem::path& path, std::string_view bytes);

/// Reads the whole file. More than max_bytes is an error, so that a wrong path cannot fill the memory. A path
/// that is not a regular file is an error at once (see Opens): the path may come from a scene that somebody
/// else made.
base::Result<std::string> read_file(const std::filesystem::path& path,
                                    std::size_t max_bytes = std::size_t(1) << 30, Opens opens = Opens::files);

/// Reads the first bytes of a file: all it has, but at most `bytes`.
base::Result<std::string> read_start(const std::filesystem::path& path, std::size_t bytes);

/// Reads up to `bytes` from `offset` on; fewer only at the end of the file. The error is the cause only.
base::Result<std::size_t> read_at(const OpenedFile& file, std::size_t offset, char* to, std::size_t bytes);

/// Counts what read_file(), read_start() and read_at() have read since the program started.
struct ReadCount {
  std::uint64_t opened = 0, bytes = 0;
};
ReadCount read_count();

}  // namespace headlight::io
