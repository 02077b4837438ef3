// Text from outside in a message: a name from a file or the command line may be a megabyte long and hold any
// bytes. Its printed form is short, well-formed and on one line. Tested in tests/base/one_line_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight::base {

/// Returns `text` with control characters escaped and ill-formed parts replaced; beyond about 60 bytes, its
/// beginning and "…". O(1) in the size of the text.
std::string shortened(std::string_view text);
/// The same between quotes.
std::string in_quotes(std::string_view text);

/// Returns `text` for a terminal, which control characters would steer: all but line breaks and tabs are
/// escaped, and ill-formed parts replaced. O(n) in the size of the text.
std::string for_terminal(std::string_view text);

/// Returns "a, b and c"; for more than `most` names, the first ones and "…": "a, b, …".
std::string listed(const std::vector<std::string>& names, std::size_t most = 16);

inline constexpr std::size_t longest_line = 560;  // bytes of a message

/// Returns a whole message as one line of at most `longest_line` bytes: control characters become blanks, and
/// a longer message keeps its beginning and its end.
std::string one_line(std::string_view message);

}  // namespace headlight::base
