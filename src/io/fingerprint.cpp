#include "io/fingerprint.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "io/descriptor.h"

namespace headlight::io {

namespace {

/// What changes when a file does.
using Version = std::tuple<dev_t, ino_t, off_t, time_t, long, time_t, long>;

Version version_of(const struct stat& s) {
  return {s.st_dev,          s.st_ino,         s.st_size,        s.st_mtim.tv_sec,
          s.st_mtim.tv_nsec, s.st_ctim.tv_sec, s.st_ctim.tv_nsec};
}

struct Known {
  std::mutex mutex;
  std::map<Version, std::string> of;
};
constexpr std::size_t most_known = 256;

}  // namespace

std::string Fingerprint::text() const {
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[hash_ >> shift & 15];
  return out;
}

base::Result<std::string> fingerprint_of(const std::filesystem::path& path) {
  static Known known;
  const auto file = open_to_read(path);
  if (!file) return base::Error{file.error()};
  const Version version = version_of(file->status);
  {
    const std::lock_guard lock(known.mutex);
    if (const auto found = known.of.find(version); found != known.of.end()) return found->second;
  }
  Fingerprint fingerprint;
  std::vector<char> piece(std::size_t(1) << 18);
  // A file that grows while it is read is read as far as it went at first.
  auto left = static_cast<std::size_t>(file->status.st_size);
  while (left > 0) {
    const std::ptrdiff_t got = read_some(file->descriptor, piece.data(), std::min(left, piece.size()));
    if (got < 0) return cannot("read", path, cause(errno));
    if (got == 0) break;
    fingerprint.add({piece.data(), static_cast<std::size_t>(got)});
    left -= static_cast<std::size_t>(got);
  }
  const std::lock_guard lock(known.mutex);
  if (known.of.size() >= most_known) known.of.clear();
  return known.of[version] = fingerprint.text();
}

}  // namespace headlight::io
