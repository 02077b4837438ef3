// Files that exist but are not complete: those being written, and the first ones of a sequence whose last is
// still missing. A program that must exit at once removes them. Tested in tests/io/files_test.cpp and, with
// real signals, in tests/command/stop_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace headlight::io {

/// Creates the file like open() with O_CREAT | O_EXCL, and records it; returns −1 and sets errno on failure.
int create_unfinished(const std::filesystem::path& path, int mode);
/// Gives a file without a name, at `open_file` in /proc, the unused name `name`; records it if `unfinished`.
/// Returns what linkat() returns.
int name_unfinished(const std::string& open_file, const std::filesystem::path& name, bool unfinished);
/// Renames the file to `target`. It is then complete, or, if `part_of_more`, recorded under that name.
/// Returns what rename() returns.
int finish(const std::filesystem::path& path, const std::filesystem::path& target, bool part_of_more);
/// The file is complete or removed.
void note_finished(const std::filesystem::path& path);
/// Removes all recorded files. From now on no thread can start or finish another one: it blocks until the
/// process ends, which must follow.
void take_back_unfinished();

/// The files of a sequence, all useless without the last. They are removed with the other unfinished files
/// while this object exists, and by its destructor unless whole() was called.
class UnfinishedSequence {
 public:
  UnfinishedSequence() = default;
  ~UnfinishedSequence();
  UnfinishedSequence(const UnfinishedSequence&) = delete;
  UnfinishedSequence& operator=(const UnfinishedSequence&) = delete;
  base::Status write(const std::filesystem::path& path, std::string_view bytes);
  void whole() { whole_ = true; }

 private:
  std::vector<std::filesystem::path> paths_;
  bool whole_ = false;
};

}  // namespace headlight::io
