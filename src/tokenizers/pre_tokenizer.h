// The second step of a tokenizer: cuts the normalised text into words. A token never spans two words.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/json_reader.h"
#include "tokenizers/aligned_text.h"
#include "tokenizers/split.h"

namespace headlight::tokenizers {

struct Words {
  AlignedText text;
  std::vector<Cut> cuts;  // in order; text outside all cuts is dropped
};

class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  /// Fails only where a regular expression takes too long.
  virtual base::Status apply(Words& words) const = 0;
};

using PreTokenizerRead = base::Result<std::shared_ptr<const PreTokenizer>>;

/// Reads ByteLevel, Split, Metaspace, Whitespace, WhitespaceSplit, Digits, Punctuation, BertPreTokenizer,
/// CharDelimiterSplit, FixedLength, and Sequence of these. `json` may be null: the whole text is one word.
PreTokenizerRead read_pre_tokenizer(const io::Json* json, const std::string& where);

}  // namespace headlight::tokenizers
