// Other people's tokenizers: from a text to the ids that a published model was trained on, and back. What is
// read are the files beside such models: tokenizer.json, GPT-2's vocab.json with merges.txt, BERT's
// vocab.txt, llama2.c's tokenizer.bin (open.h). Every token knows the bytes of the text it stands for, so
// that a picture can be labelled with what was typed. Tested in tests/tokenizers.
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
  /// Bytes [begin, end) of the text: a token of bytes has just its bytes; where the text was normalised,
  /// each token has the whole cluster that changed; what was inserted has none (begin = end). Nothing: the
  /// tokenizer's template added the token.
  std::optional<std::pair<std::size_t, std::size_t>> bytes;
  int segment = 0;  // the token type that the template gives it
  int of = 0;       // 0: it stands in the first text, 1: in the second
};

struct EncodeOptions {
  bool with_template = true;     // with what the tokenizer adds at the ends
  bool special_as_text = false;  // special tokens that are written in the text are read as characters
};

/// Immutable; any thread may use it.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  using Pieces = base::Result<std::vector<Piece>>;

  /// O(text). The error is one line without the name of a file: the text is not UTF-8 (with the byte's
  /// number), has a character for which there is neither a token nor an unknown one, or a regular expression
  /// of the tokenizer takes too long on it.
  virtual Pieces encode(std::string_view text, const EncodeOptions& options = {}) const = 0;
  /// Two texts, as BERT reads a question and an answer.
  virtual Pieces encode_pair(std::string_view first, std::string_view second,
                             const EncodeOptions& options = {}) const = 0;

  /// The text of these ids; an id without entry adds nothing. Bytes, since tokens may cut characters: not
  /// always UTF-8. Byte-level tokenizers give back what was encoded, byte for byte.
  virtual std::string decode(std::span<const int> ids, bool with_special = true) const = 0;

  /// One more than the largest id; a model's embedding may have more rows.
  virtual int size() const = 0;
  virtual std::optional<int> id_of(std::string_view entry) const = 0;
  /// Empty: the id has none.
  virtual std::string entry(int id) const = 0;
  virtual bool special(int id) const = 0;
  /// The token behind which a second text begins and has type 1: the template of two texts says so; where it
  /// adds nothing, the special token [SEP] is it. Nothing: none, or the second text has type 0, too.
  virtual std::optional<int> separator() const = 0;
};

}  // namespace headlight::tokenizers
