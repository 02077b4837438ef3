// Words of one line that are shortened between words, and lists that lose whole parts. Tested in
// tests/app/page_screens_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight::app {

/// Returns the beginning of `words` that is no wider than `room`, cut between words and ended by an ellipsis.
template <class Width>
std::string whole_words(const std::string& words, float room, const Width& width) {
  if (width(words) <= room) return words;
  constexpr std::string_view dot = "·";  // between parts
  std::string shown = words;
  while (!shown.empty()) {
    const std::size_t blank = shown.rfind(' ');
    if (blank == std::string::npos) return {};
    shown.resize(blank);
    while (shown.ends_with(' ') || shown.ends_with(',') || shown.ends_with(dot))
      shown.resize(shown.size() - (shown.ends_with(dot) ? dot.size() : 1));
    if (width(shown + " …") <= room) return shown + " …";
  }
  return {};
}

/// Returns as many of the first parts of `words`, which a " · " separates, as fit into `room`, and at least
/// one.
template <class Width>
std::string first_parts(std::string words, float room, const Width& width) {
  while (width(words) > room) {
    const std::size_t part = words.rfind(" · ");
    if (part == std::string::npos) break;
    words.resize(part);
  }
  return words;
}

/// Returns where the last part of a list begins, at its comma; parentheses are not taken apart.
inline std::size_t last_part(std::string_view words) {
  int depth = 0;
  for (std::size_t i = words.size(); i-- > 0;) {
    if (words[i] == ')') ++depth;
    if (words[i] == '(') --depth;
    if (depth == 0 && words[i] == ',' && i + 1 < words.size() && words[i + 1] == ' ') return i;
    if (depth == 0 && words[i] == '(') return i > 0 && words[i - 1] == ' ' ? i - 1 : i;
  }
  return std::string_view::npos;
}

}  // namespace headlight::app
