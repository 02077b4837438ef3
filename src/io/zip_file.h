// A ZIP archive of stored entries, written as a whole (by libzip), and its entries read again. The same
// entries give the same bytes: they have no time stamp of their own. Tested in tests/io/npz_test.cpp and
// tests/scene/portable_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/zip_list.h"

namespace headlight::io {

/// An entry made of consecutive pieces, which outlive the call.
struct ZipPart {
  std::string name;
  std::vector<std::string_view> pieces;
};

/// Returns the bytes of the archive; names must differ. Errors: out of memory.
base::Result<std::string> encode_zip(std::span<const ZipPart> parts);

/// Returns the bytes of a stored entry from list_zip(), which has compared its size with the file. Errors: it
/// is compressed, it cannot be read, its checksum differs.
base::Result<std::string> stored_entry(const FileBytes& file, const std::string& name, const ZipEntry& entry);

}  // namespace headlight::io
