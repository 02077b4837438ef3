// Which heads of a model have similar maps: the cosine of the angle between two maps as vectors of T·S
// weights, as on the page Compare (nn/head_roles.h), for every two heads of all layers.
//
// A pass holds the weights of one layer at a time, so the maps are copied while it runs. Where that would
// take too much memory or time, only every second, third … query of each map is compared. Tested in
// tests/scene/alike_test.cpp.
#pragma once

#include <vector>

#include "base/parallel.h"
#include "kernels/tensor.h"
#include "pages/model/head_place.h"

namespace headlight::scene {

struct AlikeHead {
  HeadPlace at;
  double cosine = 0;
};
/// How many are kept for each head.
inline constexpr std::size_t most_alike = 6;

struct AlikeHeads {
  /// [layers][H of the layer] the other heads with the largest cosine, the largest first; of equal ones the
  /// earlier layer, then head. A head without weights is similar to none.
  std::vector<std::vector<std::vector<AlikeHead>>> of;
  int step = 1;  // the cosines are over every step-th query
  /// Null: there is no such head.
  const std::vector<AlikeHead>* heads(HeadPlace at) const {
    const auto layer = static_cast<std::size_t>(at.layer), head = static_cast<std::size_t>(at.head);
    return at.layer >= 0 && layer < of.size() && at.head >= 0 && head < of[layer].size() ? &of[layer][head]
                                                                                         : nullptr;
  }
};

class AlikeMaps {
 public:
  /// For maps [T, S] of `heads` heads in all layers together. More than 4,096 heads are not compared.
  void begin(int heads, int T, int S);
  /// Adds the weights [H, T, S] of the next layer. O(H · T · S).
  void add(const nn::Matrix& weights);
  /// O(heads² · T · S / step).
  AlikeHeads finish(base::Parallel& parallel) const;

 private:
  int step_ = 1;
  bool compares_ = true;
  std::vector<float> maps_;    // [heads, queries that are compared, S]
  std::vector<int> of_layer_;  // heads of each layer
};

/// The multiplications of finish().
double alike_work(double heads, double T, double S);

}  // namespace headlight::scene
