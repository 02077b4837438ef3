#include "base/utf8.h"

#include <utf8proc.h>

#include "base/check.h"

namespace headlight::base {

namespace {

/// The length for a lead byte, and its smallest and largest second byte; length 0: not a lead byte.
struct Lead {
  std::size_t length;
  unsigned char low, high;
};

Lead lead_of(unsigned char byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

CodePoint decode(std::string_view text, std::size_t at) {
  HEADLIGHT_CHECK_OP(at, <, text.size());
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return {first, 1, true};
  const Lead lead = lead_of(first);
  if (lead.length == 0) return {replacement_character, 1, false};
  char32_t value = first & (0xFFu >> (lead.length + 1));
  for (std::size_t i = 1; i < lead.length; ++i) {
    const unsigned char low = i == 1 ? lead.low : 0x80, high = i == 1 ? lead.high : 0xBF;
    if (at + i >= text.size() || byte(at + i) < low || byte(at + i) > high)
      return {replacement_character, i, false};
    value = value << 6 | (byte(at + i) & 0x3Fu);
  }
  return {value, lead.length, true};
}

void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

std::u32string to_utf32(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    out += c.value;
    at += c.bytes;
  }
  return out;
}

std::string to_utf8(std::u32string_view text) {
  std::string out;
  for (char32_t c : text) append_utf8(out, c);
  return out;
}

std::string well_formed(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    if (c.valid) {
      out.append(text.substr(at, c.bytes));
    } else {
      append_utf8(out, replacement_character);
    }
    at += c.bytes;
  }
  return out;
}

std::size_t cluster_bytes(std::string_view text, std::size_t at) {
  CodePoint previous = decode(text, at);
  std::size_t size = previous.bytes;
  utf8proc_int32_t state = 0;
  while (at + size < text.size()) {
    const CodePoint next = decode(text, at + size);
    if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(previous.value),
                                         static_cast<utf8proc_int32_t>(next.value), &state)) {
      break;
    }
    size += next.bytes;
    previous = next;
  }
  return size;
}

std::string_view beginning(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t end = 0;
  for (std::size_t next = cluster_bytes(text, 0); next <= bytes; next += cluster_bytes(text, next))
    end = next;
  return text.substr(0, end);
}

}  // namespace headlight::base
