// Which keys may a query attend to? A mask is an interval of keys for each query, and optionally a byte for
// each pair or a number added to its score. Causal masks, windows, valid lengths and their combinations are
// all intervals.
#pragma once

#include <optional>
#include <vector>

#include "base/interval.h"
#include "kernels/tensor.h"

namespace headlight::nn {

/// All parts that are set apply together.
struct MaskSpec {
  bool causal =
      false;  // query i may attend to key j when j <= i + S − T (aligned to the end, as with a cache)
  std::optional<int> window_left, window_right;  // keys i − left … i + right
  std::optional<int> valid_length;               // keys 0 … valid_length − 1
  bool operator==(const MaskSpec&) const = default;
};

/// Returns [T] intervals within [0, S). An empty interval: the query may not attend to any key.
std::vector<base::Interval> allowed_keys(const MaskSpec& mask, int T, int S);

/// Masks that intervals cannot express. Both tensors may be empty. They have 1 plane (for all heads) or H.
struct PairMask {
  Tensor<std::uint8_t> allow;  // [1 or H, T, S], 1 = may attend
  Matrix add;                  // [1 or H, T, S], added to the scaled score; −inf blocks
};

}  // namespace headlight::nn
