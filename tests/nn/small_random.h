// What the tests of this folder compute with: seeded numbers, two threads, the largest difference.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/parallel.h"
#include "kernels/tensor.h"
#include "nn/attention.h"
#include "nn/random.h"

namespace headlight::nn {

inline base::Parallel& threads() {
  static base::Parallel parallel(2);
  return parallel;
}

inline Matrix random_matrix(int rows, int cols, std::uint64_t stream, float size = 1,
                            std::uint64_t seed = 911) {
  Matrix m(rows, cols);
  Random(seed, stream).normals(0, m.values());
  for (float& value : m.values()) value *= size;
  return m;
}

template <class A, class B>
double largest_difference(const Tensor<A>& a, const Tensor<B>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    largest =
        std::max(largest, std::fabs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i])));
  }
  return largest;
}

inline AttentionOptions with_heads(int heads) {
  AttentionOptions options;
  options.heads = heads;
  return options;
}

}  // namespace headlight::nn
