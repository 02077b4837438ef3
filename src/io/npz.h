// How does NumPy read several tensors from one file? In the format of numpy.savez: a ZIP archive of stored
// entries "name.npy" (written by libzip). The same tensors give the same bytes: entries have no time stamp of
// their own. Tested in tests/io/npz_test.cpp.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/result.h"
#include "io/tensor_view.h"

namespace headlight::io {

/// Returns the bytes of the archive; names must differ. `scene`, if not empty, is added as "scene.json",
/// which NumPy returns as bytes under that name. Errors: out of memory.
base::Result<std::string> encode_npz(std::span<const AnyTensor> tensors, const std::string& scene = {});

/// Returns the text of one entry of an archive, at most 16 MB; an error names `origin`. Sizes that the
/// archive claims, of the entry or of the list of entries, are not trusted.
base::Result<std::string> read_zip_entry(const std::string& bytes, const std::string& entry,
                                         const std::string& origin);
/// The same from a file of any size; it reads only the list of entries and the entry.
base::Result<std::string> read_zip_entry(const std::filesystem::path& path, const std::string& entry);

}  // namespace headlight::io
