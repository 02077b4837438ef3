// What a character is, in the terms that tokenizers are written in. utf8proc's Unicode.
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
/// Letters, marks, decimal and letter numbers, connectors, joiners: what a word is made of.
bool is_word(char32_t c);
/// Category M; Mn alone.
bool is_mark(char32_t c);
bool is_nonspacing_mark(char32_t c);
/// Category C: control, format, private, unassigned.
bool is_other(char32_t c);
/// What BERT takes for a word of its own: CJK ideographs.
bool is_ideograph(char32_t c);

/// Where `text` stops being UTF-8; nothing when it is.
std::optional<std::size_t> first_bad_byte(std::string_view text);
/// The length of the character whose first byte this is, in well-formed UTF-8.
std::size_t utf8_length(char first);

}  // namespace headlight::tokenizers
