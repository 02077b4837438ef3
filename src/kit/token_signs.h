// What the signs in labels of tokens mean. Inline, as views and the open page need it. Tested in
// tests/views/token_signs_test.cpp.
#pragma once

#include <string>
#include <utility>

namespace headlight::views {

/// The words of a tooltip, and after them the meaning of every sign of a token that they contain:
/// "“␣cat”, query 2   (␣ is a space)"; on a line of its own after several lines.
inline std::string with_signs_explained(std::string words) {
  std::string reported;
  for (const auto& [sign, meaning] :
       {std::pair{"␣", "a space"}, {"↵", "a new line"}, {"⏎", "a new line"}, {"⇥", "a tab"}}) {
    if (words.find(sign) != std::string::npos)
      reported += (reported.empty() ? "" : ", ") + std::string(sign) + " is " + meaning;
  }
  if (reported.empty()) return words;
  return words + (words.find('\n') == std::string::npos ? "   (" + reported + ")" : "\n" + reported);
}

}  // namespace headlight::views
