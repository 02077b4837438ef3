#include "io/unfinished.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <set>
#include <utility>

#include "io/files.h"

namespace headlight::io {

namespace {

struct Begun {
  std::mutex mutex;
  std::set<std::filesystem::path> paths;
};

/// Never destroyed, since a thread may still write while the program ends.
Begun& begun() {
  static Begun* const all = new Begun;
  return *all;
}

/// Removes a record of a file that was not created; keeps errno.
void forget(std::set<std::filesystem::path>::iterator noted) {
  const int error = errno;
  begun().paths.erase(noted);
  errno = error;
}

}  // namespace

int create_unfinished(const std::filesystem::path& path, int mode) {
  const std::lock_guard lock(begun().mutex);
  const auto [noted, added] =
      begun().paths.insert(path);  // before it is there: there may be no memory for it
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, static_cast<mode_t>(mode));
  if (descriptor < 0 && added) forget(noted);
  return descriptor;
}

int name_unfinished(const std::string& open_file, const std::filesystem::path& name, bool unfinished) {
  const std::lock_guard lock(begun().mutex);
  const auto [noted, added] = unfinished ? begun().paths.insert(name) : std::pair(begun().paths.end(), false);
  const int failed = ::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
  if (failed != 0 && added) forget(noted);
  return failed;
}

int finish(const std::filesystem::path& path, const std::filesystem::path& target, bool part_of_more) {
  const std::lock_guard lock(begun().mutex);
  const auto [noted, added] =
      part_of_more ? begun().paths.insert(target) : std::pair(begun().paths.end(), false);
  const int failed = ::rename(path.c_str(), target.c_str());
  if (failed == 0) begun().paths.erase(path);
  if (failed != 0 && added) forget(noted);
  return failed;
}

void note_finished(const std::filesystem::path& path) {
  const std::lock_guard lock(begun().mutex);
  begun().paths.erase(path);
}

void take_back_unfinished() {
  begun().mutex.lock();  // never unlocked
  for (const std::filesystem::path& path : begun().paths) ::unlink(path.c_str());
}

UnfinishedSequence::~UnfinishedSequence() {
  for (const std::filesystem::path& path : paths_) {
    if (!whole_) ::unlink(path.c_str());
    note_finished(path);
  }
}

base::Status UnfinishedSequence::write(const std::filesystem::path& path, std::string_view bytes) {
  base::Result<NewFile> file = NewFile::create(path);
  if (!file) return base::Error{file.error()};
  file->write(bytes);
  paths_.reserve(paths_.size() + 1);  // so that recording the file cannot fail
  base::Result<std::filesystem::path> written = file->commit_part();
  if (!written) return base::Error{written.error()};
  paths_.push_back(std::move(*written));
  return {};
}

}  // namespace headlight::io
