// The third step of a tokenizer: turns a word into tokens of the vocabulary.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json_reader.h"
#include "tokenizers/vocabulary.h"

namespace headlight::tokenizers {

/// Bytes [begin, end) of the word.
struct Token {
  int id = 0;
  std::uint32_t begin = 0, end = 0;
};

class Model {
 public:
  virtual ~Model() = default;
  /// Appends the tokens of a non-empty word. Fails if the vocabulary has neither the character nor an unknown
  /// token.
  virtual base::Status tokenize(std::string_view word, std::vector<Token>& out) const = 0;
  virtual const Vocabulary& vocabulary() const = 0;
};

using ModelRead = base::Result<std::shared_ptr<const Model>>;

/// Reads the member `model` of a tokenizer.json: BPE, Unigram, WordPiece, WordLevel.
ModelRead read_model(const io::Json& json, const std::string& where);

ModelRead read_bpe(const io::Json& json, const std::string& where);      // bpe.h
ModelRead read_unigram(const io::Json& json, const std::string& where);  // Kudo 2018: the likeliest pieces
ModelRead read_wordpiece(const io::Json& json,
                         const std::string& where);  // Wu et al. 2016: the longest pieces
ModelRead read_word_level(const io::Json& json, const std::string& where);  // whole words

/// Returns WordPiece with this vocabulary, which must contain `unknown`.
ModelRead wordpiece_of(Vocabulary vocabulary, const std::string& unknown, const std::string& prefix,
                       std::size_t most_characters, const std::string& where);

/// Returns the tokens <0x00> … <0xFF> of a vocabulary; −1: missing.
std::array<int, 256> byte_tokens(const Vocabulary& vocabulary);
/// Appends a token for each byte; returns false, without appending anything, if one is missing.
bool as_bytes(const std::array<int, 256>& tokens, std::string_view word, std::size_t begin, std::size_t end,
              std::vector<Token>& out);

/// "the vocabulary has no token for …"
base::Error no_token_for(std::string_view what);

}  // namespace headlight::tokenizers
