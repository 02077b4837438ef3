// Whole files in and out. A file that is written is complete or not there at all: the bytes go to a new file
// in the same folder, are flushed to the disk, and take the name last. Where the file system has files
// without a name, nothing is left of one that was begun when the program is killed; elsewhere the next file
// that is written into the folder removes it (leftovers.h). Errors are one line that names the path and the
// cause. Tested in tests/io/files_test.cpp.
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

/// ".json" of "A/Scene.JSON": what files are told apart by, whatever the case.
std::string ending_of(const std::filesystem::path& path);

/// Something has this name: a file, a folder, a link that leads nowhere.
bool is_there(const std::filesystem::path& path);
/// `path`, or the first of name-2.ending, name-3.ending, … that is not `taken`.
std::filesystem::path free_path(const std::filesystem::path& path,
                                base::FunctionRef<bool(const std::filesystem::path&)> taken);
/// Of those that are not there.
std::filesystem::path free_path(const std::filesystem::path& path);

/// Where encoders put their bytes, piece by piece.
using Sink = base::FunctionRef<void(std::string_view)>;

/// A file while it is written. Without commit() nothing happens to the path: the destructor removes the new
/// file. A path that names a device or a pipe is written in place, since it cannot be replaced; a pipe
/// that nobody reads is an error. A link is followed, and makes the file where it leads when there is none.
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
  /// The same for a file that is of no use without others: io/unfinished.h, which wants to know what was
  /// written. Empty for a pipe or a device.
  base::Result<std::filesystem::path> commit_part();

 private:
  base::Status commit(bool part_of_more);
  NewFile() = default;
  bool flush();
  bool take_name(bool part_of_more);
  void give_up();

  // As given, links followed, the new file. `beside_` is empty in place, and while the file has no name.
  std::filesystem::path asked_, target_, beside_;
  std::string buffer_;
  int descriptor_ = -1;
  bool in_place_ = true;
  int error_ = 0;  // errno of the first failure
};

base::Status write_file(const std::filesystem::path& path, std::string_view bytes);

/// The whole file; an error beyond max_bytes, so that a wrong path cannot fill the memory. What is no regular
/// file is an error at once, see Opens: a path may come from a scene that somebody else has made.
base::Result<std::string> read_file(const std::filesystem::path& path,
                                    std::size_t max_bytes = std::size_t(1) << 30, Opens opens = Opens::files);

/// The first bytes of a file, as many as it has and at most `bytes`.
base::Result<std::string> read_start(const std::filesystem::path& path, std::size_t bytes);

/// Up to `bytes` from `offset` on, fewer only at the end of the file; the error is the cause alone.
base::Result<std::size_t> read_at(const OpenedFile& file, std::size_t offset, char* to, std::size_t bytes);

/// What read_file(), read_start() and read_at() have read since the program began.
struct ReadCount {
  std::uint64_t opened = 0, bytes = 0;
};
ReadCount read_count();

}  // namespace headlight::io
