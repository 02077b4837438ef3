// Which tokens are the same for the roles of heads? "Same token elsewhere" and induction are about the
// words, so an unknown word is the same as that word alone, although a model encodes all unknown words as one
// token. Tested in tests/scene/compare_test.cpp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scene/results.h"

namespace headlight::scene {

/// An id for each of the first T tokens; equal tokens have equal ids, and different unknown words have
/// different ones.
inline std::vector<int> role_ids(const Results& results, int T) {
  std::vector<int> ids;
  std::map<std::string, int> unknown;  // the word -> its id, below 0
  for (int t = 0; t < T; ++t) {
    const nn::Token& token = results.tokens[static_cast<std::size_t>(t)];
    const int next = -1 - static_cast<int>(unknown.size());
    ids.push_back(results.unknown(t) ? unknown.try_emplace(token.text, next).first->second : token.id);
  }
  return ids;
}

}  // namespace headlight::scene
