// Which tokens does a map leave out, and how much of a row's weight do they have? The scene filters tokens by
// their text and hides special ones (nn::Token::special); a hidden query has no row, a hidden key no column.
// Inline, as views need it. Tested in tests/scene/hidden_tokens_test.cpp.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "scene/results.h"

namespace headlight::scene {

struct HiddenTokens {
  std::vector<unsigned char> queries, keys;  // 1 = hidden; both empty: none are
  bool any() const { return !queries.empty(); }
  bool query(int i) const { return has(queries, i); }
  bool key(int i) const { return has(keys, i); }
  int hidden_queries() const { return static_cast<int>(std::count(queries.begin(), queries.end(), 1)); }
  int hidden_keys() const { return static_cast<int>(std::count(keys.begin(), keys.end(), 1)); }

 private:
  static bool has(const std::vector<unsigned char>& list, int i) {
    return i >= 0 && static_cast<std::size_t>(i) < list.size() && list[static_cast<std::size_t>(i)] != 0;
  }
};

/// The texts of the token filter; a token that contains one of them is drawn. Empty: every token is.
inline std::vector<std::string> filter_texts(const Scene& scene) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < scene.shown_tokens.size();) {
    const std::size_t end = std::min(scene.shown_tokens.find(' ', at), scene.shown_tokens.size());
    if (end > at) texts.push_back(scene.shown_tokens.substr(at, end - at));
    at = end + 1;
  }
  return texts;
}

inline HiddenTokens hidden_tokens(const Scene& scene, const Results& results) {
  HiddenTokens out;
  const std::vector<std::string> wanted = filter_texts(scene);
  if (wanted.empty() && !scene.hide_special) return out;
  const auto flags = [&](const std::vector<nn::Token>& tokens) {
    std::vector<unsigned char> list;
    for (const nn::Token& token : tokens) {
      const bool found =
          wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& one) {
            return token.text.find(one) != std::string::npos;
          });
      list.push_back(!found || (scene.hide_special && token.special) ? 1 : 0);
    }
    return list;
  };
  out.queries = flags(results.tokens), out.keys = flags(results.tokens_of_keys());
  const auto none = [](const std::vector<unsigned char>& list) {
    return std::none_of(list.begin(), list.end(), [](unsigned char one) { return one != 0; });
  };
  if (none(out.queries) && none(out.keys)) return {};
  return out;
}

/// The share of a query's row that is not drawn: the weight on hidden keys, and weights smaller than `least`.
/// 1 for a hidden query; 0 for a row of zeros.
inline double hidden_share(std::span<const float> row, int query, const HiddenTokens& hidden, double least) {
  double all = 0, gone = 0;
  const bool whole = hidden.query(query);
  for (std::size_t k = 0; k < row.size(); ++k) {
    const auto weight = static_cast<double>(row[k]);
    all += weight;
    if (whole || hidden.key(static_cast<int>(k)) || row[k] < static_cast<float>(least)) gone += weight;
  }
  return all > 0 ? gone / all : 0;
}

}  // namespace headlight::scene
