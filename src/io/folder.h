// The names in a folder. It does not use std::filesystem::directory_iterator, because the one of g++ 12 ends
// the program when memory runs out. Tested in tests/io/folder_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace headlight::io {

/// Returns the names sorted by their bytes, without "." and ".."; empty if the folder cannot be listed.
/// `failed` holds the reason, and is cleared otherwise. An empty path is the working folder.
std::vector<std::string> names_in(const std::filesystem::path& folder, std::error_code& failed);
std::vector<std::string> names_in(const std::filesystem::path& folder);

}  // namespace headlight::io
