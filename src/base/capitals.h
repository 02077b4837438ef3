// Headings in capitals. Inline, for two uses in different layers. Tested in tests/base/words_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace headlight::base {

/// Returns the words in ASCII capitals. A symbol that follows a root sign keeps its case: "BY √d".
inline std::string capitals(std::string_view words) {
  constexpr std::string_view root = "√";
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool small = words[i] >= 'a' && words[i] <= 'z';
    const bool symbol = words.substr(0, i).ends_with(root);
    out += small && !symbol ? static_cast<char>(words[i] - 'a' + 'A') : words[i];
  }
  return out;
}

}  // namespace headlight::base
