// Tokenizers of published models: from a text to the ids that a model was trained on, and back. They are read
// from the files published with such models: tokenizer.json, GPT-2's vocab.json with merges.txt, BERT's
// vocab.txt, llama2.c's tokenizer.bin (open.h). Every token knows which bytes of the text it covers, so that
// a picture can be labelled with what was typed. Tested in tests/tokenizers.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace headlight::tokenizers {

struct Piece {
  int id = 0;
  std::string text;  // the vocabulary's entry
  /// Bytes [begin, end) of the text. A token of bytes has exactly its bytes; if normalisation changed a
  /// cluster, each of its tokens has the whole cluster; inserted text has none (begin = end). Nothing: the
  /// tokenizer's template added the token.
  std::optional<std::pair<std::size_t, std::size_t>> bytes;
  int segment = 0;  // the token type that the template gives it
  int of = 0;       // 0: it is in the first text, 1: in the second
};

struct EncodeOptions {
  bool with_template = true;     // add the tokenizer's template
  bool special_as_text = false;  // read special tokens written in the text as characters
};

/// Immutable; any thread may use it.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  using Pieces = base::Result<std::vector<Piece>>;

  /// O(text). The error is one line without a file name: the text is not UTF-8 (with the byte's number), has
  /// a character that has neither a token nor an unknown token, or a regular expression of the tokenizer
  /// takes too long on it.
  virtual Pieces encode(std::string_view text, const EncodeOptions& options = {}) const = 0;
  /// Encodes two texts, as BERT reads a question and an answer.
  virtual Pieces encode_pair(std::string_view first, std::string_view second,
                             const EncodeOptions& options = {}) const = 0;

  /// Returns the text of these ids; an id without an entry adds nothing. The result is bytes, not always
  /// UTF-8, since tokens may cut characters. Byte-level tokenizers return what was encoded, byte for byte.
  virtual std::string decode(std::span<const int> ids, bool with_special = true) const = 0;

  /// Returns one more than the largest id; a model's embedding may have more rows.
  virtual int size() const = 0;
  virtual std::optional<int> id_of(std::string_view entry) const = 0;
  /// Empty: the id has no entry.
  virtual std::string entry(int id) const = 0;
  virtual bool special(int id) const = 0;
  /// Returns the token after which a second text begins, with type 1. It is taken from the template of two
  /// texts; if that adds nothing, it is the special token [SEP]. Nothing: there is none, or the second text
  /// also has type 0.
  virtual std::optional<int> separator() const = 0;
};

}  // namespace headlight::tokenizers
