// How is a sentence cut into tokens? Any byte sequence is accepted. Every token records its byte range, and
// the ranges of tokens never overlap. Tested in tests/nn/tokens_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::nn {

struct Token {
  std::string text;       // the text shown: the bytes of the range, with ill-formed parts as U+FFFD
  std::size_t begin = 0;  // byte range [begin, end) in the sentence
  std::size_t end = 0;
  int id = 0;            // index among the distinct texts, in order of first appearance
  int piece = -1;        // its id in the vocabulary of a model; −1 without a model
  bool special = false;  // added by a tokenizer, not part of the text: [CLS], </s>; never set by
                         // split_words()
  bool operator==(const Token&) const = default;
};

/// Returns one token for each character as a reader counts them (extended grapheme clusters), including
/// spaces.
std::vector<Token> split_chars(std::string_view sentence);

/// Splits into words and punctuation. A run of letters, digits, marks and inner apostrophes or hyphens is a
/// word. An ideograph, an emoji or any other visible character is a token by itself. White space separates
/// tokens and is dropped. Japanese without spaces is cut where hiragana, katakana and other letters meet.
/// Control and format characters (Unicode Cc, Cf) are dropped too, but a format character such as a soft
/// hyphen inside a word stays in the word's range.
std::vector<Token> split_words(std::string_view sentence);

/// Returns one more than the largest id; 0 for no tokens.
int distinct_tokens(const std::vector<Token>& tokens);

}  // namespace headlight::nn
