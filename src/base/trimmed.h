// Removes the blanks around a text. Tested in tests/base/one_line_test.cpp.
#pragma once

#include <string_view>

namespace headlight::base {

/// Blanks are spaces, tabs and line ends. Refers to `text`.
inline std::string_view trimmed(std::string_view text) {
  constexpr const char* blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace headlight::base
