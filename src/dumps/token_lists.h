// The tokens that belong to saved attention: from the file itself (tokens, input_ids, metadata), else from
// tokens.json or tokens.txt or meta.json beside it, else none: positions stand in.
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
  /// One list for each sequence of the batch. Where none are known they are counted: "0", "1", …
  std::vector<std::vector<std::string>> query, key;
  std::vector<std::vector<int>> ids;  // of the keys, where the file has them; else empty
  std::string from;                   // "tokens in the file", "tokens.json"; empty: none are known
  bool numbered = true;               // both are positions only
  bool paired = false;                // queries and keys have lists of their own
  std::vector<std::string> remarks;

  /// Self-attention: the same tokens ask and answer.
  bool same() const { return query == key; }
};

struct TokenPlace {
  std::size_t batch = 1, queries = 0, keys = 0;
  bool causal = false;  // queries are the last ones of the keys' tokens
};

/// `chosen`: a file of tokens in place of what is found; "none": positions. `path` is the opened file. Error:
/// lists of another length than the attention has, with the file that they are from; a file of tokens that is
/// not one.
base::Result<TokenLists> find_tokens(const ArraySet& set, const std::filesystem::path& path,
                                     const TokenPlace& place, const std::string& chosen);

/// meta.json beside a file, where there is one: scale, causal, tokens. Null otherwise.
base::Result<io::Json> read_beside(const std::filesystem::path& path, const char* name);

}  // namespace headlight::dumps
