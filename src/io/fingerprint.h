// Are these the same bytes? A fingerprint of 64 bits (FNV-1a) tells files apart that nobody has made to be
// mistaken for each other. Tested in tests/io/fingerprint_test.cpp.
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

/// The fingerprint of a regular file, as text. The file is read piece by piece, and only once as long as its
/// size and its times stay. Errors are those of reading. Cost: about a second for a gigabyte.
base::Result<std::string> fingerprint_of(const std::filesystem::path& path);

}  // namespace headlight::io
