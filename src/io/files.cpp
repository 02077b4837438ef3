#include "io/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

namespace headlight::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t buffer_bytes = std::size_t(1) << 18;

std::string cause(int error) {
  switch (error) {
    case ENOENT:
      return "no such file";
    case EACCES:
    case EPERM:
      return "permission denied";
    case EISDIR:
      return "it is a folder";
    case ENOSPC:
    case EDQUOT:
      return "no space left on the device";
    case EROFS:
      return "the file system is read-only";
    case ENAMETOOLONG:
      return "the name is too long";
    default:
      return std::strerror(error);
  }
}

base::Error cannot(const char* what, const fs::path& path, const std::string& why) {
  return {std::string("cannot ") + what + " " + path.string() + ": " + why};
}

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

}  // namespace

base::Result<NewFile> NewFile::create(const fs::path& path) {
  if (path.empty()) return base::Error{"cannot write: the file name is empty"};
  NewFile file;
  file.asked_ = file.target_ = path;
  struct stat existing {};
  if (::stat(path.c_str(), &existing) == 0) {
    if (S_ISDIR(existing.st_mode)) return cannot("write", path, "it is a folder");
    if (::access(path.c_str(), W_OK) != 0) return cannot("write", path, cause(errno));
    if (!S_ISREG(existing.st_mode)) {
      file.descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
      if (file.descriptor_ < 0) return cannot("write", path, cause(errno));
      return file;
    }
    std::error_code failed;
    const fs::path real = fs::canonical(path, failed);
    if (!failed) file.target_ = real;
  } else if (errno != ENOENT) {
    const int error = errno;
    return cannot("write", path,
                  error == ENOTDIR ? folder_of(path).string() + " is not a folder" : cause(error));
  }
  if (!path.has_filename()) return cannot("write", path, "it names a folder, not a file");

  static std::atomic<unsigned> count{0};
  const fs::path folder = folder_of(file.target_);
  for (int attempt = 0; attempt < 100; ++attempt) {
    file.beside_ =
        folder / (".headlight-" + std::to_string(::getpid()) + "-" + std::to_string(count++) + ".tmp");
    file.descriptor_ = ::open(file.beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file.descriptor_ >= 0 || errno != EEXIST) break;
  }
  if (file.descriptor_ < 0) {
    const int error = errno;
    file.beside_.clear();
    std::error_code ignored;
    if (error == ENOENT && fs::is_directory(folder, ignored))
      return cannot("write", path, "no files can be made in the folder " + folder.string());
    if (error == ENOENT) return cannot("write", path, "the folder " + folder.string() + " does not exist");
    if (error == EACCES) return cannot("write", path, "permission denied in the folder " + folder.string());
    return cannot("write", path, cause(error));
  }
  if (existing.st_mode != 0) (void)::fchmod(file.descriptor_, existing.st_mode & 07777);
  return file;
}

NewFile::NewFile(NewFile&& other) noexcept
    : asked_(std::move(other.asked_)),
      target_(std::move(other.target_)),
      beside_(std::exchange(other.beside_, {})),
      buffer_(std::move(other.buffer_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      error_(other.error_) {}

NewFile::~NewFile() {
  give_up();
}

void NewFile::give_up() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (!beside_.empty()) ::unlink(beside_.c_str());
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
  HEADLIGHT_CHECK(descriptor_ >= 0);
  flush();
  // A pipe or a device has nothing to flush to, and says so with EINVAL.
  if (error_ == 0 && !beside_.empty() && ::fsync(descriptor_) != 0) error_ = errno;
  if (::close(std::exchange(descriptor_, -1)) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0 && !beside_.empty() && ::rename(beside_.c_str(), target_.c_str()) != 0) error_ = errno;
  if (error_ != 0) {
    give_up();
    return cannot("write", asked_, cause(error_));
  }
  if (!beside_.empty()) {
    beside_.clear();
    // The name is safe once its folder is on the disk too; where folders cannot be flushed there is no more
    // to do.
    const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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

base::Result<std::string> read_file(const fs::path& path, std::size_t max_bytes) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return cannot("read", path, cause(errno));
  std::string bytes;
  struct stat status {};
  // The size is a hint: files such as those in /proc say 0, and a pipe has none.
  if (::fstat(descriptor, &status) == 0 && status.st_size > 0) {
    bytes.reserve(std::min(static_cast<std::size_t>(status.st_size), max_bytes) + 1);
  }
  int error = 0;
  while (bytes.size() <= max_bytes) {
    const std::size_t old = bytes.size();
    const std::size_t wanted = std::max(std::min(bytes.capacity(), max_bytes + 1) - old, std::size_t(4096));
    bytes.resize(old + wanted);
    const ssize_t got = ::read(descriptor, bytes.data() + old, wanted);
    bytes.resize(old + static_cast<std::size_t>(std::max(got, ssize_t(0))));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) error = errno;
    if (got <= 0) break;
  }
  ::close(descriptor);
  if (error != 0) return cannot("read", path, cause(error));
  if (bytes.size() > max_bytes) {
    return cannot("read", path, "it is larger than " + std::to_string(max_bytes) + " bytes");
  }
  return bytes;
}

}  // namespace headlight::io
