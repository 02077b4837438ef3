// Words of the world in a message: a name from a file or from the command line may be a megabyte long and
// hold any bytes; what is printed of it is short, well-formed and on one line. Tested in
// tests/base/one_line_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight::base {

/// `text` with control characters escaped and ill-formed parts replaced; beyond about 60 bytes its beginning
/// and "…". O(1) in the size of the text.
std::string shortened(std::string_view text);
/// The same between quotes.
std::string in_quotes(std::string_view text);

/// "a, b and c"; of more than `most` the first ones and "…": "a, b, …".
std::string listed(const std::vector<std::string>& names, std::size_t most = 16);

inline constexpr std::size_t longest_line = 560;  // bytes of a message

/// A whole message as one line of at most `longest_line` bytes: control characters become blanks, and of a
/// longer one the beginning and the end stay.
std::string one_line(std::string_view message);

}  // namespace headlight::base
