// How much did a change of settings change the weights? Subtracts two results for the same tokens. Tested in
// tests/scene/map_change_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "scene/results.h"

namespace headlight::scene {

struct MapChange {
  std::string problem;  // why there is no difference, one line; then the other members are empty
  nn::Matrix map;       // [T, S] after − before, for the heads shown
  double moved = 0;     // mean over the queries of ½ Σ_j |after − before|: the part of a row that moves
  float largest = 0;    // largest magnitude, and where it is
  int query = -1, key = -1;
  std::vector<base::Interval> before, after;  // [T] the keys that the mask of each side allows
  std::vector<base::Interval> allowed;        // [T] from the first to the last key that either side allows
  /// Masked on both sides: there is no weight that could change.
  bool masked(int q, int k) const {
    const auto row = static_cast<std::size_t>(q);
    return row < before.size() && row < after.size() && !before[row].has(k) && !after[row].has(k);
  }
};

/// Combines, as `scene` says, the heads that it shows, as far as both results have them.
MapChange map_change(const Scene& scene, const Results& before, const Results& after);

}  // namespace headlight::scene
