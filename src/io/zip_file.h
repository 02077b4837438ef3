// A ZIP archive of stored entries, written whole (by libzip), and its entries read again. The same entries
// give the same bytes: they bear no time of their own. Tested in tests/io/npz_test.cpp and
// tests/scene/portable_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/zip_list.h"

namespace headlight::io {

/// An entry, of pieces that follow one another and outlive the call.
struct ZipPart {
  std::string name;
  std::vector<std::string_view> pieces;
};

/// The bytes of the archive; names must differ. Errors: out of memory.
base::Result<std::string> encode_zip(std::span<const ZipPart> parts);

/// The bytes of a stored entry of list_zip(), which has compared its size with the file. Errors: it is
/// compressed, it cannot be read, its checksum is another.
base::Result<std::string> stored_entry(const FileBytes& file, const std::string& name, const ZipEntry& entry);

}  // namespace headlight::io
