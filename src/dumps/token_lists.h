// The tokens of saved attention: from the file itself (tokens, input_ids, metadata), else from tokens.json,
// tokens.txt or meta.json next to it; without any, positions replace them.
//
//   ["the", "cat"]                        queries and keys
//   [["the", "cat"], ["a", "dog"]]        for each sequence of a batch
//   {"query": ["le"], "key": ["the"]}     cross-attention
//   [464, 3797]                           ids of a vocabulary
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "dumps/array_set.h"

namespace headlight::dumps {

struct TokenLists {
  /// One list for each sequence of the batch. If no tokens are known, positions are used: "0", "1", …
  std::vector<std::vector<std::string>> query, key;
  std::vector<std::vector<int>> ids;  // ids of the keys, if the file has them; else empty
  std::string from;                   // "tokens in the file", "tokens.json"; empty: unknown
  bool numbered = true;               // both are only positions
  bool paired = false;                // queries and keys have separate lists
  std::vector<std::string> remarks;

  /// Self-attention: queries and keys are the same tokens.
  bool same() const { return query == key; }
};

struct TokenPlace {
  std::size_t batch = 1, queries = 0, keys = 0;
  bool causal = false;  // the queries are the last of the keys' tokens
};

/// `chosen`: a file of tokens to use instead of the detected ones; "none": positions. `path` is the opened
/// file. Errors: lists whose length differs from the attention's, with the file they are from; a file that
/// holds no tokens.
base::Result<TokenLists> find_tokens(const ArraySet& set, const std::filesystem::path& path,
                                     const TokenPlace& place, const std::string& chosen);

/// Reads meta.json next to a file, if it exists: scale, causal, tokens. Null otherwise.
base::Result<io::Json> read_beside(const std::filesystem::path& path, const char* name);

}  // namespace headlight::dumps
