// The weights of every head as small pictures, so that an overview of a thousand heads needs only a few
// sheets. A pixel shows the largest weight of the cells under it, so that no large weight is lost. Tested
// in tests/scene/block_test.cpp and tests/scene/atlas_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "base/interval.h"
#include "base/parallel.h"
#include "kernels/tensor.h"
#include "nn/weight_counts.h"

namespace headlight::scene {

inline constexpr int heads_a_sheet = 32;

/// The largest side of a picture in pixels: the fewer heads there are, the larger each is drawn.
constexpr int most_tile_side(int heads) {
  return heads <= 16 ? 192 : heads <= 64 ? 96 : 48;
}

struct HeadTiles {
  int T = 0, S = 0;
  int side = 0, wide = 0;  // min(T, most_tile_side()), min(S, most_tile_side())
  /// Rows of a sheet from one head to the next: `side`, or a little more, padded with masked rows. So a
  /// sheet that is drawn smaller, in blocks of rows, never has two heads in one block.
  int pitch = 0;
  std::vector<std::vector<nn::Matrix>> sheets;  // [layers][⌈heads/32⌉], each [its heads · pitch, wide]
  /// [layers][32 · pitch]: for each row of such a sheet, the pixels that cover at least one allowed key.
  std::vector<std::vector<base::Interval>> allowed;

  /// Starts without layers, for maps of queries × keys and `heads` heads in all layers together.
  void begin(int queries, int keys, int heads);
  /// Adds a layer: its weights [H, T, S] and the keys of each query [T]. O(H · T · S).
  void add(const nn::Matrix& weights, std::span<const base::Interval> keys, base::Parallel& parallel);
  /// The picture [side, wide] of a head, row by row.
  const float* tile(int layer, int head) const;
  double bytes() const {
    double all = 0;
    for (const auto& layer : sheets)
      for (const nn::Matrix& sheet : layer) all += static_cast<double>(sheet.values().size_bytes());
    return all;
  }
  /// Counts the pixels of all pictures that are not masked.
  nn::WeightCounts counts() const;
};

}  // namespace headlight::scene
