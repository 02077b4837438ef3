// Tokens that are searched in the text itself, before anything else cuts it: special ones and others.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json_reader.h"
#include "tokenizers/byte_trie.h"

namespace headlight::tokenizers {

struct AddedToken {
  int id = 0;
  std::string content;
  bool single_word = false;  // matches only without a word character beside it
  bool left = false;         // includes the white space before it
  bool right = false;        // includes the white space after it
  bool normalized = false;   // searched in the normalised text
  bool special = false;
};

/// Reads the member `added_tokens` of a tokenizer.json.
base::Result<std::vector<AddedToken>> read_added_tokens(const io::Json* json, const std::string& where);

/// Bytes [begin, end) of a text: a token, or the text between tokens.
struct Stretch {
  std::size_t begin = 0, end = 0;
  std::optional<int> id;
};

class AddedTokens {
 public:
  AddedTokens() = default;
  /// The tokens are searched by their contents.
  explicit AddedTokens(std::vector<AddedToken> tokens);

  bool empty() const { return tokens_.empty(); }
  /// Cuts the whole text into stretches, none of them empty. The leftmost token wins, and the longest at one
  /// place.
  std::vector<Stretch> cut(std::string_view text) const;

 private:
  std::vector<AddedToken> tokens_;
  ByteTrie trie_;
  std::array<bool, 256> begins_{};  // a token begins with this byte
};

}  // namespace headlight::tokenizers
