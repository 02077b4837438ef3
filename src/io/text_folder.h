// A text that is one file or a folder of files. Tested in tests/io/text_folder_test.cpp.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace headlight::io {

/// The text of a file, whatever its name; of a folder the texts of its files and of those in the folders
/// below it whose names end in .txt, .text or .md. They follow each other in the order of their paths, each
/// from a new line on. Names that begin with a dot are left out, and links to folders are not followed.
/// Errors, one line: no such file in the folder, a file or folder that cannot be read, more than max_bytes
/// together.
base::Result<std::string> read_texts(const std::filesystem::path& path, std::size_t max_bytes);

}  // namespace headlight::io
