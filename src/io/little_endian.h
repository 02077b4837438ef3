// Whole numbers in the bytes of a file, the least significant byte first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace headlight::io {

/// Returns the number of `count` bytes from `at`; they must exist.
inline std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t out = 0;
  for (std::size_t i = count; i-- > 0;) out = out << 8 | static_cast<unsigned char>(bytes[at + i]);
  return out;
}

}  // namespace headlight::io
