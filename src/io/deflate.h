// Compression and decompression by zlib (RFC 1950), whose checksum detects wrong bytes. Tested in
// tests/io/deflate_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace headlight::io {

/// Compresses as far as zlib can; the same bytes give the same result.
std::string deflated(std::string_view bytes);

/// Decompresses. An error if the bytes are damaged, end too early, or would unpack to more than `max_bytes`.
base::Result<std::string> inflated(std::string_view bytes, std::size_t max_bytes);

}  // namespace headlight::io
