// A text that consists of one file or of a folder of files. Tested in tests/io/text_folder_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace headlight::io {

/// Returns the files in a folder and its subfolders whose names end in .txt, .text or .md, in the order of
/// their paths. Names that begin with a dot are left out, and links to folders are not followed. Errors, one
/// line: no such file in the folder, a folder that cannot be read.
base::Result<std::vector<std::filesystem::path>> text_files(const std::filesystem::path& folder);

/// Returns the text of a file with any name, or the texts of a folder's text_files(), each starting on a new
/// line. Errors, one line: those of text_files(), a file that cannot be read, more than max_bytes in total.
base::Result<std::string> read_texts(const std::filesystem::path& path, std::size_t max_bytes);

}  // namespace headlight::io
