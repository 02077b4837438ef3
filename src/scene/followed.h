// Where is a pinned token after the sentence was edited? The edited part lies between the common beginning
// and the common end; a token outside it keeps its word, although its index may change. Inline, so that it
// links with anything. Tested in tests/scene/followed_test.cpp.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::scene {

inline bool is_pronoun(std::string_view word) {
  constexpr std::string_view all[] = {"it", "they", "he", "she"};
  return std::find(std::begin(all), std::end(all), word) != std::end(all);
}

/// The 0-based index in `after` of the token that had index `at` in `before`: the same word or, where it was
/// overwritten, the nearest equal word; for a pronoun without an equal word, the first pronoun. −1: the token
/// is gone, or did not exist.
inline int followed(const std::vector<std::string>& before, const std::vector<std::string>& after, int at) {
  const int n = static_cast<int>(before.size()), m = static_cast<int>(after.size());
  if (at < 0 || at >= n) return -1;
  const auto word = [](const std::vector<std::string>& all, int i) -> const std::string& {
    return all[static_cast<std::size_t>(i)];
  };
  int same = 0, last = 0;  // tokens that are equal at the beginning, and at the end
  while (same < std::min(n, m) && word(before, same) == word(after, same)) ++same;
  while (last < std::min(n, m) - same && word(before, n - 1 - last) == word(after, m - 1 - last)) ++last;
  if (at < same) return at;
  if (at >= n - last) return at + m - n;
  int nearest = -1;
  for (int i = 0; i < m; ++i) {
    if (word(after, i) == word(before, at) && (nearest < 0 || std::abs(i - at) < std::abs(nearest - at)))
      nearest = i;
  }
  if (nearest >= 0 || !is_pronoun(word(before, at))) return nearest;
  const auto other = std::find_if(after.begin(), after.end(), is_pronoun);
  return other == after.end() ? -1 : static_cast<int>(other - after.begin());
}

}  // namespace headlight::scene
