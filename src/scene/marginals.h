// What the edges of the shown map display: the entropy of its rows and the sums of its columns, computed with
// the results. Inline, as views need it. Tested in tests/scene/map_scale_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "scene/results.h"

namespace headlight::scene {

struct Marginals {
  std::span<const double> entropy_bits;  // [T] of each query's row; NaN: it attends to no key
  std::span<const double> received;      // [S] the weight that each key receives from all queries
};

/// The marginals of one head, or of the mean or maximum of all heads (when no head is named). The maximum is
/// not a distribution and has no entropy; several heads beside each other have neither. `heads` counts from
/// 0.
inline Marginals marginals_on_show(const Scene& scene, const Results& results, const std::vector<int>& heads,
                                   bool all) {
  if (heads.size() == 1) {
    const auto head = static_cast<std::size_t>(heads.front());
    if (head >= results.heads.size() || head >= results.head_received.size()) return {};
    return {results.heads[head].row_entropy_bits, results.head_received[head]};
  }
  if (!all) return {};
  if (scene.combine == Combine::max) return {{}, results.max_received};
  return {results.mean_entropy_bits, results.mean_received};
}

}  // namespace headlight::scene
