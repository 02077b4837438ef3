#include "io/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "io/leftovers.h"
#include "io/unfinished.h"

namespace headlight::io {

namespace fs = std::filesystem;

std::string ending_of(const fs::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(fs::symlink_status(path, failed));
}

fs::path free_path(const fs::path& path, base::FunctionRef<bool(const fs::path&)> taken) {
  fs::path name = path;
  for (int number = 2; taken(name); ++number)
    name.replace_filename(path.stem().string() + '-' + std::to_string(number) + path.extension().string());
  return name;
}

fs::path free_path(const fs::path& path) {
  return free_path(path, [](const fs::path& name) { return is_there(name); });
}

namespace {

constexpr std::size_t buffer_bytes = std::size_t(1) << 18;

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Returns the target of a link, even if it does not exist; the path itself if it is not a link. Chains of
/// links end at the system's limit.
fs::path end_of_links(fs::path path) {
  constexpr int most_links = 40;
  std::error_code failed;
  for (int i = 0; i < most_links && fs::is_symlink(fs::symlink_status(path, failed)); ++i) {
    const fs::path next = fs::read_symlink(path, failed);
    if (failed) break;
    path = next.is_absolute() ? next : folder_of(path) / next;
  }
  return path;
}

/// Runs once per folder: no leftovers are added there while the program runs.
void remove_leftovers_once(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> clean;
  std::error_code failed;
  const fs::path whole = fs::absolute(folder, failed);
  {
    const std::lock_guard lock(mutex);
    if (failed || !clean.insert(whole).second) return;
  }
  remove_leftovers(folder);
}

/// Returns the name of an open file, for linkat().
std::string name_of(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

/// Creates a file without a name: nothing is left of it when the program ends. −1 if that is not supported.
int nameless_file(const fs::path& folder) {
#ifdef O_TMPFILE
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor >= 0 && ::access(name_of(descriptor).c_str(), F_OK) == 0) return descriptor;
  if (descriptor >= 0) ::close(descriptor);
#endif
  return -1;
}

/// Creates a new file with an unused name; −1 and errno if that fails.
int named_file(const fs::path& folder, fs::path& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = folder / name_of_begun_file();
    const int descriptor = create_unfinished(name, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

bool copy_all(int from, int to) {
  std::string piece(buffer_bytes, '\0');
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(from, piece.data(), piece.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    if (!write_all(to, {piece.data(), static_cast<std::size_t>(got)})) return false;
    at += got;
  }
}

}  // namespace

base::Result<NewFile> NewFile::create(const fs::path& path) {
  if (path.empty()) return base::Error{"cannot write: the file name is empty"};
  NewFile file;
  file.requested_ = path;
  struct stat existing {};
  if (::stat(path.c_str(), &existing) == 0) {
    if (S_ISDIR(existing.st_mode)) return cannot("write", path, "it is a folder");
    if (::access(path.c_str(), W_OK) != 0) return cannot("write", path, cause(errno));
    if (!S_ISREG(existing.st_mode)) {
      // A pipe without a reader would block in open(); with a reader, writing waits for the reader.
      file.descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
      if (file.descriptor_ < 0) return cannot("write", path, cause(errno));
      (void)::fcntl(file.descriptor_, F_SETFL, ::fcntl(file.descriptor_, F_GETFL) & ~O_NONBLOCK);
      return file;
    }
  } else if (errno != ENOENT) {
    const int error = errno;
    return cannot("write", path,
                  error == ENOTDIR ? path_text(folder_of(path)) + " is not a folder" : cause(error));
  }
  if (!path.has_filename()) return cannot("write", path, "it is a folder, not a file");

  file.target_ = end_of_links(path);
  const fs::path folder = folder_of(file.target_);
  remove_leftovers_once(folder);
  file.in_place_ = false;
  file.descriptor_ = nameless_file(folder);
  if (file.descriptor_ < 0) {
    file.descriptor_ = named_file(folder, file.beside_);
    if (file.descriptor_ < 0) file.beside_.clear();
  }
  if (file.descriptor_ < 0) {
    const int error = errno;
    std::error_code ignored;
    if (error == ENOENT && fs::is_directory(folder, ignored))
      return cannot("write", path, "files cannot be created in the folder " + path_text(folder));
    if (error == ENOENT) return cannot("write", path, "the folder " + path_text(folder) + " does not exist");
    if (error == EACCES) return cannot("write", path, "permission denied in the folder " + path_text(folder));
    return cannot("write", path, cause(error));
  }
  if (existing.st_mode != 0) (void)::fchmod(file.descriptor_, existing.st_mode & 07777);
  return file;
}

/// Gives a nameless file its name. Returns true if it already has the target's name, which was unused.
bool NewFile::take_name(bool part_of_more) {
  const std::string open_file = name_of(descriptor_);
  if (name_unfinished(open_file, target_, part_of_more) == 0) return true;
  const fs::path folder = folder_of(target_);
  for (int attempt = 0; attempt < 100 && errno == EEXIST; ++attempt) {
    beside_ = folder / name_of_begun_file();  // from now on it is removed if it exists
    if (name_unfinished(open_file, beside_, true) == 0) return false;
  }
  // Some file systems create nameless files that cannot be given a name.
  const int named = named_file(folder, beside_);
  if (named < 0) {
    error_ = errno;
    beside_.clear();
    return false;
  }
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0) (void)::fchmod(named, status.st_mode & 07777);
  if (!copy_all(descriptor_, named) || ::fsync(named) != 0) error_ = errno;
  ::close(named);
  return false;
}

NewFile::NewFile(NewFile&& other) noexcept
    : requested_(std::move(other.requested_)),
      target_(std::move(other.target_)),
      beside_(std::exchange(other.beside_, {})),
      buffer_(std::move(other.buffer_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      in_place_(other.in_place_),
      error_(other.error_) {}

NewFile::~NewFile() {
  give_up();
}

void NewFile::give_up() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (beside_.empty()) return;
  ::unlink(beside_.c_str());
  note_finished(beside_);
  beside_.clear();
}

bool NewFile::flush() {
  if (error_ == 0 && !write_all(descriptor_, buffer_)) error_ = errno;
  buffer_.clear();
  return error_ == 0;
}

void NewFile::write(std::string_view bytes) {
  if (error_ != 0) return;
  if (buffer_.size() + bytes.size() > buffer_bytes && !flush()) return;
  if (bytes.size() >= buffer_bytes) {
    if (!write_all(descriptor_, bytes)) error_ = errno;
  } else {
    buffer_.append(bytes);
  }
}

base::Status NewFile::commit() {
  return commit(false);
}

base::Result<fs::path> NewFile::commit_part() {
  fs::path written = in_place_ ? fs::path() : target_;
  const base::Status status = commit(true);
  if (!status) return base::Error{status.error()};
  return written;
}

base::Status NewFile::commit(bool part_of_more) {
  HEADLIGHT_CHECK(descriptor_ >= 0);
  const fs::path folder_name =
      in_place_ ? fs::path() : folder_of(target_);  // no memory is needed once the file exists
  flush();
  // A pipe or a device cannot be flushed and returns EINVAL.
  if (error_ == 0 && !in_place_ && ::fsync(descriptor_) != 0) error_ = errno;
  bool named = in_place_;
  if (error_ == 0 && !in_place_ && beside_.empty()) named = take_name(part_of_more);
  if (::close(std::exchange(descriptor_, -1)) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0 && !named && finish(beside_, target_, part_of_more) != 0) error_ = errno;
  if (error_ != 0) {
    const int error = error_;
    give_up();
    return cannot("write", requested_, cause(error));
  }
  beside_.clear();
  if (!in_place_) {
    // The name is safe only once its folder is on the disk too; if folders cannot be flushed, nothing more
    // can be done.
    const int folder = ::open(folder_name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
      (void)::fsync(folder);
      ::close(folder);
    }
  }
  return {};
}

base::Status write_file(const fs::path& path, std::string_view bytes) {
  base::Result<NewFile> file = NewFile::create(path);
  if (!file) return base::Error{file.error()};
  file->write(bytes);
  return file->commit();
}

namespace {

std::atomic<std::uint64_t> files_opened{0}, bytes_read{0};

std::size_t size_of(const OpenedFile& file) {
  return static_cast<std::size_t>(std::max(file.status.st_size, off_t(0)));
}

/// Reads the rest of an open file; nothing, and errno, on failure. Stops after `most` bytes.
std::optional<std::string> read_rest(const OpenedFile& file, std::size_t most) {
  std::string bytes;
  constexpr std::size_t step = 4096;
  bytes.reserve(std::min(size_of(file), most) + step + 1);  // including the step that finds the end
  ++files_opened;
  while (bytes.size() <= most) {
    const std::size_t old = bytes.size();
    // The size is only a hint: files such as those in /proc report 0, and a pipe has none.
    const std::size_t wanted =
        std::clamp(bytes.capacity() - old, std::min(step, most + 1 - old), most + 1 - old);
    bytes.resize(old + wanted);
    const std::ptrdiff_t got = read_some(file.descriptor, bytes.data() + old, wanted);
    const int error = errno;
    bytes.resize(old + static_cast<std::size_t>(std::max(got, std::ptrdiff_t(0))));
    if (got < 0) return errno = error, std::nullopt;
    if (got == 0) break;
    bytes_read += static_cast<std::uint64_t>(got);
  }
  return bytes;
}

}  // namespace

base::Result<std::size_t> read_at(const OpenedFile& file, std::size_t offset, char* to, std::size_t bytes) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got =
        ::pread(file.descriptor.number(), to + done, bytes - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::Error{cause(errno)};
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
    bytes_read += static_cast<std::uint64_t>(got);
  }
  return done;
}

ReadCount read_count() {
  return {files_opened, bytes_read};
}

base::Result<std::string> read_start(const fs::path& path, std::size_t bytes) {
  const auto file = open_to_read(path);
  if (!file) return base::Error{file.error()};
  std::optional<std::string> start = read_rest(*file, bytes);
  if (!start) return cannot("read", path, cause(errno));
  if (start->size() > bytes) start->resize(bytes);
  return std::move(*start);
}

base::Result<std::string> read_file(const fs::path& path, std::size_t max_bytes, Opens opens) {
  // If a file grows by more than this after it was opened, it is being written or has no end, like some in
  // /proc. A log that grows a little meanwhile is still read whole.
  constexpr std::size_t most_growth = std::size_t(64) << 20;
  const auto file = open_to_read(path, opens);
  if (!file) return base::Error{file.error()};
  const auto too_large = [&](std::size_t most) {
    return cannot("read", path, "it is larger than " + std::to_string(most) + " bytes");
  };
  const std::size_t size = size_of(*file);
  if (size > max_bytes) return too_large(max_bytes);  // known before any byte is in memory
  const std::size_t most = std::min(max_bytes, size + most_growth);
  std::optional<std::string> bytes = read_rest(*file, most);
  if (!bytes) return cannot("read", path, cause(errno));
  if (bytes->size() > most) return too_large(most);
  return std::move(*bytes);
}

}  // namespace headlight::io
