// A file that is not what its name says: text in another encoding, a packed file, a pointer of Git LFS, a
// page of the web. Its first bytes tell, and what to do about it. Tested in tests/io/mistaken_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace headlight::io {

/// What the first bytes (8 are enough for most, 64 for all) show the file to be, and what to do: "it is
/// UTF-16 text: save it as UTF-8". Empty: nothing that is known here.
std::string mistaken_for(std::string_view start);
/// Does an error have that advice already?
bool says_what_to_do(std::string_view error);

}  // namespace headlight::io
