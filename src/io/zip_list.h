// Where are the entries of a ZIP archive? Stored ones can be read in place, deflated ones through
// inflated_bytes.h; entries that are packed in another way or encrypted have no position here. The list at
// the end of the archive is checked against the file, and each entry against its own header. Format: PKWARE's
// APPNOTE.TXT, sections 4.3.7, 4.3.12, 4.3.16 and 4.5.3. Tested in tests/models/torch_file_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"
#include "io/file_bytes.h"

namespace headlight::io {

/// The records at the end of an archive, in bytes; those of the 64-bit form have their own sizes.
inline constexpr std::size_t zip_end = 22, longest_zip_note = 65535, zip_locator = 20, wide_zip_end = 56;

struct ZipEntry {
  bool stored = false;                // not compressed
  bool deflated = false;              // compressed by deflate (RFC 1951)
  std::uint64_t begin = 0, size = 0;  // position in the file, and unpacked bytes; only for these two
  std::uint64_t packed = 0;           // bytes in the file
  std::uint32_t checksum = 0;         // CRC-32 of the unpacked bytes
};

base::Result<std::map<std::string, ZipEntry>> list_zip(const FileBytes& file);

}  // namespace headlight::io
