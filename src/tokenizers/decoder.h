// Decoding: turns entries back into the text that was encoded.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/json_reader.h"

namespace headlight::tokenizers {

struct Written {
  std::string text;
  bool literal = false;  // an added token: its text is not changed
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  /// Rewrites the entries; the decoded text is their concatenation.
  virtual void apply(std::vector<Written>& tokens) const = 0;
};

using DecoderRead = base::Result<std::shared_ptr<const Decoder>>;

/// Reads ByteLevel, ByteFallback, Metaspace, Replace, Fuse, Strip, WordPiece, BPEDecoder, and Sequence of
/// these. `json` may be null: the decoder puts a space between any two entries.
DecoderRead read_decoder(const io::Json* json, const std::string& where);

}  // namespace headlight::tokenizers
