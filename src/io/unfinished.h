// Files that are there and not whole: those that are being written, and the first of a sequence whose last is
// still to come. A program that has to leave at once takes them back. Tested in tests/io/files_test.cpp and,
// with real signals, in tests/command/stop_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace headlight::io {

/// Creates the file, as open() does with O_CREAT | O_EXCL, and notes it; −1 and errno on failure.
int create_unfinished(const std::filesystem::path& path, int mode);
/// A file without a name, `open_file` as the system lists open ones, gets this one, which nobody has; noted
/// when `unfinished`. What linkat() returns.
int name_unfinished(const std::string& open_file, const std::filesystem::path& name, bool unfinished);
/// The file takes the name `target`: it is whole, or, `part_of_more`, noted under that name. What rename()
/// returns.
int finish(const std::filesystem::path& path, const std::filesystem::path& target, bool part_of_more);
/// It is whole, or gone.
void note_finished(const std::filesystem::path& path);
/// Removes them all. From now on nobody begins or finishes another one: who tries waits for the end of the
/// process, which has to follow.
void take_back_unfinished();

/// The files of a sequence, of which none is of use without the last: they are taken back with the others
/// while this is there, and when it ends before it is said to be whole.
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
