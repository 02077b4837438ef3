// Which query does a page show where it shows one, and which one beside it? Tested in
// tests/scene/offsets_test.cpp and pinned_test.cpp.
#pragma once

#include <algorithm>

#include "scene/pinned.h"

namespace headlight::scene {

/// The last pinned query, limited to T tokens; the first query when none is pinned.
inline int detail_query_of(const Scene& scene, int T) {
  return std::max(0, pinned(scene, T, T).detail_query);
}

/// The query that is compared with `detail_query`, among T: the scene's own, else the one pinned before it,
/// else the next; −1: there is no other query.
inline int other_query(const Scene& scene, int detail_query, int T) {
  if (detail_query < 0 || T < 2) return -1;
  if (scene.attention.other_query >= 0 && scene.attention.other_query < T &&
      scene.attention.other_query != detail_query)
    return scene.attention.other_query;
  const Pinned there = pinned(scene, T, T);
  for (auto one = there.queries.rbegin(); one != there.queries.rend(); ++one) {
    if (*one != detail_query) return *one;
  }
  return detail_query + 1 < T ? detail_query + 1 : detail_query - 1;
}

}  // namespace headlight::scene
