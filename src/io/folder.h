// The names in a folder. std::filesystem::directory_iterator is not used for it: the one of g++ 12 ends the
// program where memory ends. Tested in tests/io/folder_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace headlight::io {

/// In the order of their bytes, without "." and ".."; none where the folder cannot be listed. `failed` says
/// why, and is cleared otherwise. An empty path is the working folder.
std::vector<std::string> names_in(const std::filesystem::path& folder, std::error_code& failed);
std::vector<std::string> names_in(const std::filesystem::path& folder);

}  // namespace headlight::io
