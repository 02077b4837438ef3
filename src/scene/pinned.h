// Which of the pinned queries, keys and heads exist? A scene may pin more than its sentence has tokens,
// because the sentence became shorter or a file says so. The window, the description, the tables and the
// numbers of lessons all use these functions, so that they show the same. Inline, so that views need not link
// the core. Tested in tests/scene/pinned_test.cpp.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace headlight::scene {

struct Pinned {
  std::vector<int> queries;  // 0-based, in the order of pinning, each once
  int detail_query = -1;     // the last of them; −1: none is pinned, or there are no tokens
  int key = -1;              // −1: none is pinned
};

/// The query that is shown where none was chosen: the second one of up to 40 queries. Of more, the last one
/// before the padding, since every causal mask allows it the most keys and the second one only two; so also
/// on the Model page, which shows what follows the sentence. The weights do not count, so that the query
/// stays while a setting, a layer or a head changes. −1: there are no queries.
inline int automatic_query(const Scene& scene, int queries) {
  constexpr int short_sentence = 40;
  if (queries <= short_sentence && !has_trait(scene.page, page_traits::predicts))
    return std::min(1, queries - 1);
  return (scene.mask.valid_length ? std::clamp(scene.valid_length, 1, queries) : queries) - 1;
}

/// The pins that exist among `queries` queries and `keys` keys. A query that does not exist is left out; when
/// none is left, the last query takes its place. The same holds for the key.
inline Pinned pinned(const Scene& scene, int queries, int keys) {
  Pinned out;
  if (is_automatic(scene.query) && queries > 0) out.queries.push_back(automatic_query(scene, queries));
  for (const int query : scene.query) {
    if (query < 0 || query >= queries) continue;
    out.queries.erase(std::remove(out.queries.begin(), out.queries.end(), query), out.queries.end());
    out.queries.push_back(query);
  }
  if (out.queries.empty() && !scene.query.empty() && queries > 0) out.queries.push_back(queries - 1);
  if (!out.queries.empty()) out.detail_query = out.queries.back();
  if (scene.key >= 0 && keys > 0) out.key = std::min(scene.key, keys - 1);
  return out;
}

/// Turns the query that is shown automatically into a chosen one, before a gesture changes the choice.
inline void choose_shown_query(Scene& scene, int queries) {
  if (is_automatic(scene.query) && queries > 0) scene.query = {automatic_query(scene, queries)};
}

/// The heads, 0-based, that the scene names and that exist among `heads`, each once and in the scene's order.
inline std::vector<int> named_heads(const Scene& scene, int heads) {
  std::vector<int> named;
  for (const int head : scene.head) {
    if (head >= 1 && head <= heads && std::find(named.begin(), named.end(), head - 1) == named.end())
      named.push_back(head - 1);
  }
  return named;
}

/// The heads, 0-based, that the Attention page shows: those that the scene names, or all `heads`.
inline std::vector<int> heads_on_show(const Scene& scene, int heads) {
  std::vector<int> shown = named_heads(scene, heads);
  if (shown.empty()) {
    shown.resize(static_cast<std::size_t>(std::max(0, heads)));
    std::iota(shown.begin(), shown.end(), 0);
  }
  return shown;
}

/// The row of several heads as the shown map has it: their mean or maximum; for one head its own row.
/// row(head) returns a head's weights; `room` holds the weights of a combination.
template <class Row>
std::span<const float> combined_row(const std::vector<int>& heads, Combine combine, const Row& row,
                                    std::vector<float>& room) {
  if (heads.empty()) return {};
  const std::span<const float> first = row(heads.front());
  if (heads.size() == 1) return first;
  room.assign(first.begin(), first.end());
  for (std::size_t h = 1; h < heads.size(); ++h) {
    const std::span<const float> next = row(heads[h]);
    for (std::size_t k = 0; k < room.size(); ++k)
      room[k] = combine == Combine::mean ? room[k] + next[k] : std::max(room[k], next[k]);
  }
  if (combine == Combine::mean) {
    for (float& weight : room) weight /= static_cast<float>(heads.size());
  }
  return room;
}

/// The head, 0-based, to use where only one is used: the first that the scene names and that exists, else
/// head 0; −1 without heads.
inline int first_head(const Scene& scene, int heads) {
  for (const int head : scene.head) {
    if (head >= 1 && head <= heads) return head - 1;
  }
  return heads > 0 ? 0 : -1;
}

}  // namespace headlight::scene
