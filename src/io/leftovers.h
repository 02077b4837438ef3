// Files that were started and never finished, because the program that wrote them was killed. Their names
// identify the writer, so that no other files are touched. Tested in tests/io/leftovers_test.cpp.
#pragma once

#include <filesystem>
#include <string>

namespace headlight::io {

/// Returns ".headlight-MACHINE-PROCESS-NUMBER.tmp", a new name at every call. MACHINE is 16 hexadecimal
/// digits that identify the machine and its process namespace: process numbers of others have no meaning
/// here.
std::string name_of_begun_file();

/// Removes such files of this machine whose process has ended. It keeps files of a running process, of
/// another machine, of another user or with another name, and everything that is not a regular file.
void remove_leftovers(const std::filesystem::path& folder);

}  // namespace headlight::io
