#include "io/fingerprint.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "io/descriptor.h"

namespace headlight::io {

namespace {

/// What changes when the file changes.
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

constexpr off_t piece_size = off_t(256) << 10, most_pieces = 128;

/// Adds the bytes [at, at + piece_size) of an open file, as far as they exist.
base::Status add_piece(const Descriptor& file, off_t at, const std::filesystem::path& path,
                       std::vector<char>& piece, Fingerprint& fingerprint) {
  if (lseek(file.number(), at, SEEK_SET) < 0) return cannot("read", path, cause(errno));
  std::size_t left = piece.size();
  while (left > 0) {
    const std::ptrdiff_t got = read_some(file, piece.data(), left);
    if (got < 0) return cannot("read", path, cause(errno));
    if (got == 0) break;
    fingerprint.add({piece.data(), static_cast<std::size_t>(got)});
    left -= static_cast<std::size_t>(got);
  }
  return {};
}

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
  // If a file grows while it is read, only its first size is read.
  const off_t size = file->status.st_size;
  const off_t pieces = std::min(most_pieces, (size + piece_size - 1) / piece_size);
  const bool whole = pieces * piece_size >= size;
  if (!whole) fingerprint.add(std::to_string(size));
  std::vector<char> piece;
  for (off_t i = 0; i < pieces; ++i) {
    const off_t at = whole ? i * piece_size : (size - piece_size) / (pieces - 1) * i;
    const off_t end = !whole && i + 1 == pieces ? size : std::min(size, at + piece_size);
    piece.resize(static_cast<std::size_t>(end - at));
    if (const base::Status added = add_piece(file->descriptor, at, path, piece, fingerprint); !added)
      return base::Error{added.error()};
  }
  const std::lock_guard lock(known.mutex);
  if (known.of.size() >= most_known) known.of.clear();
  return known.of[version] = fingerprint.text();
}

}  // namespace headlight::io
