// Attention as a convolution whose kernel depends on the content: the weights of a query, indexed by the
// offset j − i of the key, are the kernel that is applied to the values. A convolution has one kernel for all
// positions; in attention every query has its own (Kamper, Self-attention and transformers: each head is
// similar to a kernel). Small enough to be inline. Tested in tests/scene/offsets_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "pages/attention/offset_words.h"

namespace headlight::scene {

/// The offset at which two kernels differ most, among those for which the sentence has a key for both
/// queries. NaN when there is nothing to compare: a query without weights, or weights that are not finite.
struct KernelDifference {
  int offset = 0;
  double difference = 0;  // |weight of query i − weight of query j|
};

/// Compares the weights `a` [S] of query i with the weights `b` of query j. For a convolution the difference
/// is 0.
inline KernelDifference kernel_difference(std::span<const float> a, int i, std::span<const float> b, int j) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (!has_weights(a) || !has_weights(b)) return {0, none};
  KernelDifference found;
  const int S = static_cast<int>(std::min(a.size(), b.size()));
  for (int offset = -std::min(i, j); offset < S - std::max(i, j); ++offset) {
    const double difference = std::abs(static_cast<double>(a[static_cast<std::size_t>(i + offset)]) -
                                       static_cast<double>(b[static_cast<std::size_t>(j + offset)]));
    if (!std::isfinite(difference)) return {0, none};
    if (difference > found.difference) found = {offset, difference};
  }
  return found;
}

}  // namespace headlight::scene
