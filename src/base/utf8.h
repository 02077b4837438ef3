// UTF-8 in and out. Any byte sequence can be decoded: what is not well-formed yields U+FFFD, one for each
// maximal ill-formed part, as the Unicode standard (3.9, best practice U+FFFD substitution) recommends.
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

/// `text` with every ill-formed part replaced by U+FFFD; equal to `text` when that is well-formed.
std::string well_formed(std::string_view text);

/// What a reader takes for one character (a base with its combining marks, a ZWJ emoji sequence, a flag, CR
/// LF): the number of bytes of the extended grapheme cluster (Unicode UAX #29, by utf8proc) that starts at
/// text[at].
std::size_t cluster_bytes(std::string_view text, std::size_t at);

/// The beginning of `text`, of whole characters and at most so many bytes.
std::string_view beginning(std::string_view text, std::size_t bytes);

}  // namespace headlight::base
