// Tokens that are looked for in the text itself, before anything else cuts it: special ones and others.
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
  bool single_word = false;  // only where no word character is beside it
  bool left = false;         // takes the white space before it
  bool right = false;        // takes the white space behind it
  bool normalized = false;   // looked for in the normalised text
  bool special = false;
};

/// The member `added_tokens` of a tokenizer.json.
base::Result<std::vector<AddedToken>> read_added_tokens(const io::Json* json, const std::string& where);

/// Bytes [begin, end) of a text: a token, or what lies between tokens.
struct Stretch {
  std::size_t begin = 0, end = 0;
  std::optional<int> id;
};

class AddedTokens {
 public:
  AddedTokens() = default;
  /// The tokens under their contents.
  explicit AddedTokens(std::vector<AddedToken> tokens);

  bool empty() const { return tokens_.empty(); }
  /// The whole text in stretches, none of them empty: leftmost tokens first, the longest of those.
  std::vector<Stretch> cut(std::string_view text) const;

 private:
  std::vector<AddedToken> tokens_;
  ByteTrie trie_;
  std::array<bool, 256> begins_{};  // a token begins with this byte
};

}  // namespace headlight::tokenizers
