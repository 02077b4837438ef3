// The colour scale of the maps of weights: which one the scene selects, and where it ends. Inline, as views
// need it and link nothing that computes; the counts are computed with the results. Tested in
// tests/scene/map_scale_test.cpp.
#pragma once

#include <algorithm>
#include <vector>

#include "nn/weight_counts.h"
#include "scene/results.h"

namespace headlight::scene {

/// Up to this many tokens the scale goes from 0 to 1 unless the scene says otherwise; with more tokens, 1 is
/// so far above most weights that a map of them would be black.
inline constexpr int unit_scale_tokens = 64;
/// A logarithmic scale covers this many powers of ten below 1.
inline constexpr float scale_decades = 4;

/// The scale for a number of tokens when the scene sets none.
constexpr MapScale scale_by_length(int tokens) {
  return tokens <= unit_scale_tokens ? MapScale::unit : MapScale::automatic;
}
/// The scale for a number of tokens: unit, automatic or log.
constexpr MapScale scale_of(const Scene& scene, int tokens) {
  return scene.map_scale == MapScale::by_length ? scale_by_length(tokens) : scene.map_scale;
}

/// The scale of a map, or of several together, whose weights `counts` counts.
struct WeightScale {
  MapScale kind = MapScale::unit;
  float end = 1;     // the weight of the last colour
  double above = 0;  // share of the weights that are larger and have the last colour too
  float decades() const { return kind == MapScale::log ? scale_decades : 0; }
};
inline WeightScale weight_scale(const Scene& scene, int tokens, const nn::WeightCounts& counts) {
  WeightScale out;
  out.kind = scale_of(scene, tokens);
  if (out.kind == MapScale::automatic) {
    const nn::ScaleEnd found = counts.end();
    out.end = found.end, out.above = found.above;
  }
  return out;
}

/// The scale of the maps that the Attention page shows: of one head, of the mean or maximum of all heads
/// (when no head is named), or of several heads beside each other. `heads` counts from 0.
inline WeightScale scale_on_show(const Scene& scene, const Results& results, const std::vector<int>& heads,
                                 bool all) {
  nn::WeightCounts counts;
  if (all && heads.size() > 1) {
    counts = scene.combine == Combine::mean ? results.mean_counts : results.max_counts;
  } else {
    for (const int head : heads) {
      if (head >= 0 && static_cast<std::size_t>(head) < results.head_counts.size())
        counts += results.head_counts[static_cast<std::size_t>(head)];
    }
  }
  return weight_scale(scene, std::max(results.attention.T, results.attention.S), counts);
}

}  // namespace headlight::scene
