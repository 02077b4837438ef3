// Who may read whom? A mask is an interval of keys for each query (causal, window and valid length are all of
// that kind, and so is any combination) and, where that is not enough, a byte for each pair or a number added
// to it.
#pragma once

#include <optional>
#include <vector>

#include "base/interval.h"
#include "kernels/tensor.h"

namespace headlight::nn {

/// All parts that are set apply together.
struct MaskSpec {
  bool causal =
      false;  // key j is visible to query i when j <= i + S − T (aligned to the end, as with a cache)
  std::optional<int> window_left, window_right;  // keys i − left … i + right
  std::optional<int> valid_length;               // keys 0 … valid_length − 1
  bool operator==(const MaskSpec&) const = default;
};

/// [T] intervals within [0, S); an empty one is a query that may read nothing.
std::vector<base::Interval> allowed_keys(const MaskSpec& mask, int T, int S);

/// What intervals cannot say. Both may be empty. Planes: 1 (all heads) or H.
struct PairMask {
  Tensor<std::uint8_t> allow;  // [1 or H, T, S], 1 = may attend
  Matrix add;                  // [1 or H, T, S], added to the scaled score; −inf blocks
};

}  // namespace headlight::nn
