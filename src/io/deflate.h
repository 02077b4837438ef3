// Bytes made small and back, by zlib (RFC 1950), whose checksum tells when a byte is wrong. Tested in
// tests/io/deflate_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace headlight::io {

/// As small as zlib makes it; the same bytes give the same answer.
std::string deflated(std::string_view bytes);

/// The bytes again; an error when they are damaged, end too early, or would be more than `max_bytes`.
base::Result<std::string> inflated(std::string_view bytes, std::size_t max_bytes);

}  // namespace headlight::io
