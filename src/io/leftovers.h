// Files that were begun and never finished, because the program that wrote them was killed. Their names say
// who wrote them, so that nobody else's are touched. Tested in tests/io/leftovers_test.cpp.
#pragma once

#include <filesystem>
#include <string>

namespace headlight::io {

/// ".headlight-MACHINE-PROCESS-NUMBER.tmp", another name at every call. MACHINE is 16 hexadecimal digits of
/// the machine and its space of process numbers: process numbers of others mean nothing here.
std::string name_of_begun_file();

/// Removes such files of this machine whose process is over. Files of a running process, of another machine,
/// of another user and with another name stay, and so does what is no regular file.
void remove_leftovers(const std::filesystem::path& folder);

}  // namespace headlight::io
