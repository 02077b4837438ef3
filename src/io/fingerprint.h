// Are these the same bytes? A 64-bit fingerprint (FNV-1a) distinguishes files, unless somebody has
// constructed them to collide. Tested in tests/io/fingerprint_test.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace headlight::io {

class Fingerprint {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  }
  std::uint64_t value() const { return hash_; }
  std::string text() const;  // 16 hexadecimal digits

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325u;
};

/// Returns the fingerprint of a regular file, as text. The file is read piece by piece, and only once as long
/// as its size and times do not change. For a file of more than 32 MiB, the length and 128 pieces of 256 KiB
/// are used, evenly spaced from the first byte to the last: two trainings of one model differ in nearly all
/// of them. Errors are those of reading. Cost: 50 ms at most on a fast disk.
base::Result<std::string> fingerprint_of(const std::filesystem::path& path);

}  // namespace headlight::io
