// The weights of every head as small pictures, so that an overview of a thousand heads is a few sheets. A
// pixel is the largest weight of the square of cells under it, so that no strong weight is lost. Tested in
// tests/scene/block_test.cpp and tests/scene/atlas_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "base/interval.h"
#include "base/parallel.h"
#include "kernels/tensor.h"
#include "nn/weight_counts.h"

namespace headlight::scene {

inline constexpr int heads_a_sheet = 32;

/// Pixels along a picture at most: the fewer heads there are, the larger each is drawn.
constexpr int most_tile_side(int heads) {
  return heads <= 16 ? 192 : heads <= 64 ? 96 : 48;
}

struct HeadTiles {
  int T = 0, S = 0;
  int side = 0, wide = 0;  // min(T, most_tile_side()), min(S, most_tile_side())
  /// Rows of a sheet from one head to the next: side, or a little more with rows that are masked, so that a
  /// sheet that is shown smaller, in blocks of rows, never has two heads in one block.
  int pitch = 0;
  std::vector<std::vector<nn::Matrix>> sheets;  // [layers][⌈heads/32⌉], each [its heads · pitch, wide]
  /// [layers][32 · pitch]: the pixels of every row of such a sheet under which some key may be attended to.
  std::vector<std::vector<base::Interval>> allowed;

  /// No layers yet, of maps of queries × keys, `heads` in all layers together.
  void begin(int queries, int keys, int heads);
  /// One more layer: weights [H, T, S], and the keys of each query [T]. O(H · T · S).
  void add(const nn::Matrix& weights, std::span<const base::Interval> keys, base::Parallel& parallel);
  /// The picture [side, wide] of a head, its rows one after the other.
  const float* tile(int layer, int head) const;
  double bytes() const {
    double all = 0;
    for (const auto& layer : sheets)
      for (const nn::Matrix& sheet : layer) all += static_cast<double>(sheet.values().size_bytes());
    return all;
  }
  /// Of the pixels of all of them that are not masked.
  nn::WeightCounts counts() const;
};

}  // namespace headlight::scene
