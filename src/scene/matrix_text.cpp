#include "scene/matrix_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "base/trimmed.h"

namespace headlight::scene {

namespace {

constexpr float largest_number = 1e4f;
constexpr std::size_t longest_matrix_text = 1'000'000;  // its words are in memory before they are counted

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(base::trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Without the ';' and the blanks at its end.
std::string_view without_last(std::string_view text) {
  text = base::trimmed(text);
  while (!text.empty() && text.back() == ';') text = base::trimmed(text.substr(0, text.size() - 1));
  return text;
}

/// A short piece of the typed text, for a message of one line.
std::string shown(std::string_view text) {
  if (text.empty()) return "nothing";
  std::string out = "“";
  for (const char c : text.substr(0, 24)) out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  return out + (text.size() > 24 ? "…”" : "”");
}

}  // namespace

std::vector<std::vector<std::string>> matrix_words(std::string_view text) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string_view lines : split_at(without_last(text), ';')) {
    for (const std::string_view line : split_at(lines, '\n')) {
      if (line.empty() && !lines.empty()) continue;
      std::vector<std::string>& row = rows.emplace_back();
      for (std::string_view words : split_at(line, ',')) {
        do {
          const std::size_t end = std::min(words.find_first_of(" \t\r"), words.size());
          row.emplace_back(words.substr(0, end));
          words = base::trimmed(words.substr(end));
        } while (!words.empty());
      }
    }
  }
  return rows;
}

base::Result<nn::Matrix> parse_matrix(std::string_view field, std::string_view text, int rows, int cols) {
  const std::string name = std::string(field) + ": ";
  if (without_last(text).empty()) return base::Error{name + "empty; expected rows such as 1,0;0,1"};
  if (text.size() > longest_matrix_text)
    return base::Error{name + "more than " + std::to_string(longest_matrix_text) + " letters; the limit is " +
                       std::to_string(rows) + " rows of " + std::to_string(cols) + " numbers"};
  const auto lines = matrix_words(text);
  if (static_cast<int>(lines.size()) > rows)
    return base::Error{name + std::to_string(lines.size()) + " rows; the limit is " + std::to_string(rows)};
  const auto width = lines.front().size();
  if (static_cast<int>(width) > cols)
    return base::Error{name + std::to_string(width) + " columns; the limit is " + std::to_string(cols)};
  nn::Matrix out(static_cast<int>(lines.size()), static_cast<int>(width));
  for (std::size_t r = 0; r < lines.size(); ++r) {
    const auto& words = lines[r];
    const std::string where = name + "row " + std::to_string(r) + ": ";
    for (std::size_t c = 0; c < words.size(); ++c) {
      std::string_view word = words[c];
      if (word.size() > 1 && word.front() == '+' && word[1] != '-') word.remove_prefix(1);
      float value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc() || end != word.data() + word.size() || !(std::abs(value) <= largest_number))
        return base::Error{where + shown(words[c]) + " is not a number between −10000 and 10000"};
      if (c < width) out.at(static_cast<int>(r), static_cast<int>(c)) = value;
    }
    if (words.size() != width)
      return base::Error{where + std::to_string(words.size()) + (words.size() == 1 ? " number" : " numbers") +
                         " but row 0 has " + std::to_string(width) + "; all rows need the same number"};
  }
  return out;
}

}  // namespace headlight::scene
