// Encodes and decodes UTF-8. Any byte sequence can be decoded: each maximal ill-formed part yields one
// U+FFFD, as the Unicode standard (3.9, best practice U+FFFD substitution) recommends.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight::base {

inline constexpr char32_t replacement_character = 0xFFFD;

struct CodePoint {
  char32_t value = 0;     // U+FFFD when the bytes are not well-formed
  std::size_t bytes = 0;  // how many bytes it took, at least 1
  bool valid = false;
};

/// Decodes the code point that starts at text[at]; at < text.size().
CodePoint decode(std::string_view text, std::size_t at);

void append_utf8(std::string& out, char32_t code_point);
std::u32string to_utf32(std::string_view text);
std::string to_utf8(std::u32string_view text);

/// Returns `text` with every ill-formed part replaced by U+FFFD; equal to `text` if that is well-formed.
std::string well_formed(std::string_view text);

/// Returns the number of bytes of the character, as readers count them, that starts at text[at]: an extended
/// grapheme cluster (Unicode UAX #29, by utf8proc), such as a base with its combining marks, a ZWJ emoji
/// sequence, a flag, or CR LF.
std::size_t cluster_bytes(std::string_view text, std::size_t at);

/// Returns the beginning of `text`: whole characters, at most this many bytes.
std::string_view beginning(std::string_view text, std::size_t bytes);

}  // namespace headlight::base
