// What did a change of settings do to the weights? Two results of the same tokens, subtracted. Tested in
// tests/scene/map_change_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "scene/results.h"

namespace headlight::scene {

struct MapChange {
  std::string problem;  // why there is no difference, one line; then the rest is empty
  nn::Matrix map;       // [T, S] after − before, of the heads shown
  double moved = 0;  // mean over the queries of ½ Σ_j |after − before|: the part of a row that lies elsewhere
  float largest = 0;  // largest magnitude, and where
  int query = -1, key = -1;
  std::vector<base::Interval> before, after;  // [T] the keys that each side's mask allows
  std::vector<base::Interval> allowed;        // [T] from the first to the last key that either side allows
  /// Masked on both sides: there is no weight that could have changed.
  bool masked(int q, int k) const {
    const auto row = static_cast<std::size_t>(q);
    return row < before.size() && row < after.size() && !before[row].has(k) && !after[row].has(k);
  }
};

/// The heads that `scene` shows, as far as either has them, combined as it says.
MapChange map_change(const Scene& scene, const Results& before, const Results& after);

}  // namespace headlight::scene
