#include "io/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/utf8.h"

namespace headlight::io {

namespace fs = std::filesystem;

namespace {

/// Says what the path is instead of a file; empty for a regular file.
std::string other_than_file(mode_t mode) {
  if (S_ISREG(mode)) return {};
  if (S_ISDIR(mode)) return "it is a folder";
  if (S_ISFIFO(mode)) return "it is a pipe, not a file";
  if (S_ISSOCK(mode)) return "it is a socket, not a file";
  return "it is a device, not a file";
}

bool may_open(mode_t mode, Opens opens) {
  return S_ISREG(mode) || (opens == Opens::files_and_pipes && S_ISFIFO(mode));
}

/// Returns the start of the character at or before `at`.
std::size_t character_begin(const std::string& text, std::size_t at) {
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

base::Result<OpenedFile> open_to_read(const fs::path& path, Opens opens) {
  // Checks the type before opening, since opening a device may have an effect, and again afterwards.
  OpenedFile file;
  if (::stat(path.c_str(), &file.status) != 0) {
    const int error = errno;
    return error == ENOENT ? missing(path) : cannot("read", path, cause(error));
  }
  if (!may_open(file.status.st_mode, opens))
    return cannot("read", path, other_than_file(file.status.st_mode));
  // Opening a pipe waits for its writer. If a file has replaced the pipe since, nothing blocks.
  const int waits = S_ISFIFO(file.status.st_mode) ? 0 : O_NONBLOCK;
  file.descriptor = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | waits));
  if (file.descriptor.number() < 0) return cannot("read", path, cause(errno));
  if (::fstat(file.descriptor.number(), &file.status) != 0) return cannot("read", path, cause(errno));
  if (!may_open(file.status.st_mode, opens))
    return cannot("read", path, other_than_file(file.status.st_mode));
  return file;
}

bool may_be_there(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 || (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG);
}

std::ptrdiff_t read_some(const Descriptor& from, char* to, std::size_t bytes) {
  for (;;) {
    const ssize_t got = ::read(from.number(), to, bytes);
    if (got >= 0 || errno != EINTR) return got;
  }
}

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
    case EFBIG:
      return "it would be larger than the system allows";
    case EROFS:
      return "the file system is read-only";
    case ENAMETOOLONG:
      return "the name is too long";
    case ELOOP:
      return "its links form a loop";
    case EMFILE:
    case ENFILE:
      return "too many files are open";
    case ENXIO:
      return "there is nothing at the other end: it is a socket, or a pipe that no program reads";
    case EPIPE:
      return "the program at the other end of the pipe has closed it";
    case EAGAIN:
      return "it has no data to read now, unlike a file";
    default:
      return std::strerror(error);
  }
}

std::string path_text(const fs::path& path) {
  constexpr std::size_t most = 200, head = 60, tail = 130;
  const std::string text = base::well_formed(path.string());
  if (text.size() <= most) return text;
  return text.substr(0, character_begin(text, head)) + "…" +
         text.substr(character_begin(text, text.size() - tail));
}

base::Error missing(const fs::path& path) {
  std::error_code failed;
  const fs::path folder = path.parent_path();
  const bool placed = folder.empty() || fs::is_directory(folder, failed);
  return cannot("read", path,
                placed ? "no such file; check its name" : "no such file: its folder does not exist");
}

base::Error cannot(const char* what, const fs::path& path, const std::string& why) {
  return {std::string("cannot ") + what + " " + path_text(path) + ": " + why};
}

}  // namespace headlight::io
