// The first step of a tokenizer: rewrites the typed text (decomposition, lower case, visible spaces).
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "io/json_reader.h"
#include "tokenizers/aligned_text.h"

namespace headlight::tokenizers {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  /// Fails only where a regular expression takes too long.
  virtual base::Status apply(AlignedText& text) const = 0;
};

using NormalizerRead = base::Result<std::shared_ptr<const Normalizer>>;

/// Reads NFC, NFD, NFKC, NFKD, Lowercase, Strip, StripAccents, Replace, Prepend, BertNormalizer, Nmt,
/// Precompiled, ByteLevel, and Sequence of these. `json` may be null: the pointer is empty, and nothing is
/// rewritten.
NormalizerRead read_normalizer(const io::Json* json, const std::string& where);

/// Reads Precompiled: SentencePiece's table of replacements, the base64 of a double-array trie and of the
/// texts that it points to. As in published tokenizers, a grapheme of at most five bytes is looked up as a
/// whole, longer ones character by character.
NormalizerRead read_precompiled(const std::string& base64, const std::string& where);

}  // namespace headlight::tokenizers
