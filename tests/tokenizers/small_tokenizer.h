// A tokenizer.json that a test writes itself.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/scratch_folder.h"
#include "tokenizers/open.h"

namespace headlight::tests {

inline tokenizers::OpenedTokenizer open_json(const nlohmann::json& json) {
  const ScratchFolder scratch;
  std::ofstream(scratch / "tokenizer.json", std::ios::binary) << json.dump();
  return tokenizers::open_tokenizer(scratch.path());
}

/// With this model and nothing else.
inline nlohmann::json plain(nlohmann::json model) {
  return {{"added_tokens", nlohmann::json::array()},
          {"normalizer", nullptr},
          {"pre_tokenizer", nullptr},
          {"post_processor", nullptr},
          {"decoder", nullptr},
          {"model", std::move(model)}};
}

/// Every word is unknown, and so one token.
inline nlohmann::json whole_words() {
  return plain({{"type", "WordLevel"}, {"vocab", {{"<unk>", 0}}}, {"unk_token", "<unk>"}});
}

inline std::vector<std::string> texts_of(const tokenizers::Tokenizer& tokenizer, const std::string& text,
                                         const tokenizers::EncodeOptions& options = {}) {
  const auto pieces = tokenizer.encode(text, options);
  if (!pieces) return {"error: " + pieces.error()};
  std::vector<std::string> out;
  for (const auto& piece : *pieces) out.push_back(piece.text);
  return out;
}

/// What was typed for each token.
inline std::vector<std::string> typed(const tokenizers::Tokenizer& tokenizer, const std::string& text) {
  const auto pieces = tokenizer.encode(text);
  if (!pieces) return {"error: " + pieces.error()};
  std::vector<std::string> out;
  for (const auto& piece : *pieces)
    out.push_back(piece.bytes ? text.substr(piece.bytes->first, piece.bytes->second - piece.bytes->first)
                              : "(added)");
  return out;
}

}  // namespace headlight::tests
