// Where the stored entries of a ZIP archive lie, so that they can be read in place; what is compressed is not
// for this. The list at the end of the archive is checked against the file, and each entry against its own
// header. Format: PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12, 4.3.16 and 4.5.3. Tested in
// tests/models/torch_file_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"
#include "io/file_bytes.h"

namespace headlight::io {

struct ZipEntry {
  bool stored = false;                // not compressed
  std::uint64_t begin = 0, size = 0;  // in the file; only of a stored one
};

base::Result<std::map<std::string, ZipEntry>> list_zip(const FileBytes& file);

}  // namespace headlight::io
