// Which query does a page show where it shows one, and which one beside it? Tested in
// tests/scene/offsets_test.cpp and pinned_test.cpp.
#pragma once

#include <algorithm>

#include "scene/pinned.h"

namespace headlight::scene {

/// The last pinned query, limited to T tokens; the first query when none is pinned.
inline int asked_query(const Scene& scene, int T) {
  return std::max(0, pinned(scene, T, T).asked);
}

/// The query that is compared with `asked`, among T: the scene's own, else the one pinned before it, else the
/// next; −1: there is no other query.
inline int other_query(const Scene& scene, int asked, int T) {
  if (asked < 0 || T < 2) return -1;
  if (scene.other_query >= 0 && scene.other_query < T && scene.other_query != asked) return scene.other_query;
  const Pinned there = pinned(scene, T, T);
  for (auto one = there.queries.rbegin(); one != there.queries.rend(); ++one) {
    if (*one != asked) return *one;
  }
  return asked + 1 < T ? asked + 1 : asked - 1;
}

}  // namespace headlight::scene
