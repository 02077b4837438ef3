// A text that is one file or a folder of files. Tested in tests/io/text_folder_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace headlight::io {

/// The files of a folder and of those below it whose names end in .txt, .text or .md, in the order of their
/// paths. Names that begin with a dot are left out, and links to folders are not followed. Errors, one line:
/// no such file in the folder, a folder that cannot be read.
base::Result<std::vector<std::filesystem::path>> text_files(const std::filesystem::path& folder);

/// The text of a file, whatever its name; of a folder the texts of its text_files(), each from a new line on.
/// Errors, one line: those of text_files(), a file that cannot be read, more than max_bytes together.
base::Result<std::string> read_texts(const std::filesystem::path& path, std::size_t max_bytes);

}  // namespace headlight::io
