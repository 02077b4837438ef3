#include "base/one_line.h"

#include <algorithm>

#include "base/utf8.h"

namespace headlight::base {

namespace {

bool inside_code_point(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Appends the code point at `at`, a control character as \xNN; returns where the next one is.
std::size_t append_escaped(std::string& out, std::string_view text, std::size_t at) {
  const CodePoint c = decode(text, at);
  if (c.value < 0x20 || (c.value >= 0x7F && c.value < 0xA0)) {
    constexpr char digits[] = "0123456789abcdef";
    out += {'\\', 'x', digits[c.value >> 4], digits[c.value & 15]};
  } else {
    append_utf8(out, c.value);
  }
  return at + c.bytes;
}

}  // namespace

std::string shortened(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string out;
  std::size_t at = 0;
  while (at < text.size() && at < most) at = append_escaped(out, text, at);
  if (at < text.size()) out += "…";
  return out;
}

std::string in_quotes(std::string_view text) {
  return '"' + shortened(text) + '"';
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  const std::size_t shown = std::min(names.size(), most);
  std::string out;
  for (std::size_t i = 0; i < shown; ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return out + (names.size() > shown ? ", …" : "");
}

std::string for_terminal(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '\n' || text[at] == '\t')
      out += text[at++];
    else
      at = append_escaped(out, text, at);
  }
  return out;
}

std::string one_line(std::string_view message) {
  std::string line;
  if (message.size() <= longest_line) {
    line = message;
  } else {
    constexpr std::size_t part = longest_line / 2 - 4;
    std::size_t begin = part, end = message.size() - part;
    while (begin > part - 4 && inside_code_point(message[begin])) --begin;
    while (end < message.size() - part + 4 && inside_code_point(message[end])) ++end;
    line = std::string(message.substr(0, begin)) + " … " + std::string(message.substr(end));
  }
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return line;
}

}  // namespace headlight::base
