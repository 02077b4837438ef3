#include "io/leftovers.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "io/files.h"
#include "io/fingerprint.h"
#include "io/folder.h"

namespace headlight::io {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view begin = ".headlight-", end = ".tmp";

/// Identifies the process namespace too: two containers on one machine number their processes separately.
const std::string& machine() {
  static const std::string digits = [] {
    std::string text;
    if (const auto id = read_file("/etc/machine-id", 4096)) text += *id;
    char host[256] = {};
    if (::gethostname(host, sizeof host - 1) == 0) text += host;
    std::error_code unknown;
    text += fs::read_symlink("/proc/self/ns/pid", unknown).string();
    Fingerprint fingerprint;
    fingerprint.add(text);
    return fingerprint.text();
  }();
  return digits;
}

/// Returns the process in such a name; nothing for any other name.
std::optional<pid_t> writer_of(std::string_view name) {
  const std::string mine = std::string(begin) + machine() + '-';
  if (!name.starts_with(mine) || !name.ends_with(end)) return std::nullopt;
  name.remove_prefix(mine.size());
  name.remove_suffix(end.size());
  pid_t process = 0;
  unsigned number = 0;
  const char* last = name.data() + name.size();
  const auto first = std::from_chars(name.data(), last, process);
  if (first.ec != std::errc() || first.ptr == last || *first.ptr != '-' || process <= 0) return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, last, number);
  if (second.ec != std::errc() || second.ptr != last) return std::nullopt;
  return process;
}

}  // namespace

std::string name_of_begun_file() {
  static std::atomic<unsigned> count{0};
  return std::string(begin) + machine() + '-' + std::to_string(::getpid()) + '-' + std::to_string(count++) +
         std::string(end);
}

void remove_leftovers(const fs::path& folder) {
  for (const std::string& name : names_in(folder)) {
    const std::optional<pid_t> writer = writer_of(name);
    if (!writer || ::kill(*writer, 0) == 0 || errno != ESRCH) continue;
    const fs::path path = folder / name;
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid())
      ::unlink(path.c_str());
  }
}

}  // namespace headlight::io
