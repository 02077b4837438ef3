// Character classes as tokenizers define them, from utf8proc's Unicode data.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace headlight::tokenizers {

/// Unicode's White_Space.
bool is_white_space(char32_t c);
/// ASCII's 21-2F, 3A-40, 5B-60, 7B-7E, and category P.
bool is_punctuation(char32_t c);
/// Category N.
bool is_number(char32_t c);
/// Letters, marks, decimal and letter numbers, connectors, joiners: the characters of a word.
bool is_word(char32_t c);
/// Category M; or only Mn.
bool is_mark(char32_t c);
bool is_nonspacing_mark(char32_t c);
/// Category C: control, format, private, unassigned.
bool is_other(char32_t c);
/// The characters that BERT treats as separate words: CJK ideographs.
bool is_ideograph(char32_t c);

/// Returns where `text` stops being UTF-8; nothing if it is UTF-8.
std::optional<std::size_t> first_bad_byte(std::string_view text);
/// Returns the length of the character with this first byte, in well-formed UTF-8.
std::size_t utf8_length(char first);

}  // namespace headlight::tokenizers
