// How is a sentence cut into tokens? Any byte sequence is accepted; every token knows which bytes it came
// from, and the ranges of neighbouring tokens never overlap. Tested in tests/nn/tokens_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::nn {

struct Token {
  std::string text;       // what is shown: the bytes of the range, ill-formed parts as U+FFFD
  std::size_t begin = 0;  // byte range [begin, end) in the sentence
  std::size_t end = 0;
  int id = 0;            // index among the distinct texts, in order of first appearance
  int piece = -1;        // its id in the vocabulary of a model; −1 without one
  bool special = false;  // added by a tokenizer, not of the text: [CLS], </s>; none of split_words()
  bool operator==(const Token&) const = default;
};

/// One token for each character as a reader counts them (extended grapheme clusters), spaces included.
std::vector<Token> split_chars(std::string_view sentence);

/// Words and punctuation: a run of letters, digits, marks and inner apostrophes or hyphens is a word; an
/// ideograph, an emoji or any other visible character is a token of its own; white space separates and is
/// dropped. Japanese without spaces is cut where hiragana, katakana and other letters meet. Control and
/// format characters (Unicode Cc, Cf) are dropped too, but a soft hyphen or the like inside a word stays in
/// its range.
std::vector<Token> split_words(std::string_view sentence);

/// One more than the largest id; 0 for no tokens.
int distinct_tokens(const std::vector<Token>& tokens);

}  // namespace headlight::nn
