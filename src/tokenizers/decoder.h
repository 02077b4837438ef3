// The way back: entries become the text that was written with them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/json_reader.h"

namespace headlight::tokenizers {

struct Written {
  std::string text;
  bool literal = false;  // an added token: it stands for itself
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  /// Rewrites the entries; the text is what they are one behind the other.
  virtual void apply(std::vector<Written>& tokens) const = 0;
};

using DecoderRead = base::Result<std::shared_ptr<const Decoder>>;

/// ByteLevel, ByteFallback, Metaspace, Replace, Fuse, Strip, WordPiece, BPEDecoder, and Sequence of these.
/// `json` may be null: a space between any two entries.
DecoderRead read_decoder(const io::Json* json, const std::string& where);

}  // namespace headlight::tokenizers
