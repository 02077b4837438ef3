#include "scene/nearest.h"

#include <algorithm>

namespace headlight::scene {

namespace {

// Nobody mistypes a name longer than this; the limit keeps the table small whatever is pasted.
constexpr std::size_t longest_name = 64;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool begins_with(const std::string& name, std::string_view start) {
  return start.size() >= 3 && start.size() <= name.size() &&
         std::equal(start.begin(), start.end(), name.begin(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = static_cast<int>(i + j);
        continue;
      }
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::string nearest(std::string_view wanted, const std::vector<std::string>& names) {
  if (wanted.empty() || wanted.size() > longest_name) return {};
  std::string best;
  int best_distance = std::clamp(static_cast<int>(wanted.size()) / 3, 1, 3) + 1;
  for (const std::string& name : names) {
    const int distance = edit_distance(wanted, name);
    if (distance < best_distance && distance < static_cast<int>(name.size())) {
      best = name;
      best_distance = distance;
    }
  }
  if (!best.empty()) return best;
  const auto longer =
      std::find_if(names.begin(), names.end(), [&](const std::string& n) { return begins_with(n, wanted); });
  return longer == names.end() ? std::string() : *longer;
}

std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& names) {
  const std::string name = nearest(wanted, names);
  return name.empty() ? std::string() : ". Did you mean \"" + name + "\"?";
}

std::string unknown_word(const char* kind, std::string_view text, const std::vector<std::string>& known) {
  const std::string suggestion = did_you_mean(text, known);
  if (!suggestion.empty()) return std::string("unknown ") + kind + ' ' + in_quotes(text) + suggestion;
  std::string expected;
  for (std::size_t i = 0; i < known.size(); ++i)
    expected += (i == 0 ? "" : i + 1 < known.size() ? ", " : " or ") + known[i];
  return std::string("unknown ") + kind + ' ' + in_quotes(text) + ". Expected " + expected;
}

}  // namespace headlight::scene
