#include "base/words.h"

#include "base/utf8.h"

namespace headlight::base {

std::string counted_words(bool one, std::string number, std::string_view single, std::string_view many) {
  number += ' ';
  if (one || many.empty()) return (number += single) += one ? "" : "s";
  return number += many;
}

std::string capital(std::string words) {
  if (!words.empty() && words.front() >= 'a' && words.front() <= 'z')
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
  return words;
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += cluster_bytes(text, at)) ++count;
  return count;
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t used = characters(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

std::string padded_before(std::string text, std::size_t width) {
  const std::size_t used = characters(text);
  if (used < width) text.insert(0, width - used, ' ');
  return text;
}

}  // namespace headlight::base
