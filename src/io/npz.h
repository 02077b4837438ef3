// How does NumPy read several tensors from one file? As numpy.savez writes them: a ZIP archive of stored
// entries "name.npy" (written by libzip). The same tensors give the same bytes: entries bear no time of their
// own. Tested in tests/io/npz_test.cpp.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/result.h"
#include "io/tensor_view.h"

namespace headlight::io {

/// The bytes of the archive; names must differ. `scene`, when not empty, is added as "scene.json", which
/// NumPy gives as bytes under that name. Errors: out of memory.
base::Result<std::string> encode_npz(std::span<const AnyTensor> tensors, const std::string& scene = {});

/// The text of one entry of an archive, at most 16 MB; an error names `origin`. Sizes that the archive only
/// claims are not believed: neither of the entry nor of the list of entries.
base::Result<std::string> read_zip_entry(const std::string& bytes, const std::string& entry,
                                         const std::string& origin);
/// The same from a file of any size; only its list of entries and the entry are read.
base::Result<std::string> read_zip_entry(const std::filesystem::path& path, const std::string& entry);

}  // namespace headlight::io
