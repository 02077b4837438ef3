// The definition of attention as a plain double loop, and what kernels are held against it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "kernels/kernels.h"
#include "nn/attention.h"

namespace headlight::nn {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

inline Matrix random_matrix(int rows, int cols, unsigned seed, float sigma = 1) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0, sigma);
  Matrix m(rows, cols);
  for (float& v : m.values()) v = normal(generator);
  return m;
}

inline bool allowed_pair(const AttentionOptions& options, int T, int S, int head, int t, int s) {
  const MaskSpec& mask = options.mask;
  if (mask.causal && s > t + S - T) return false;
  if (mask.window_left && s < t - *mask.window_left) return false;
  if (mask.window_right && s > t + *mask.window_right) return false;
  if (mask.valid_length && s >= *mask.valid_length) return false;
  if (options.pairs == nullptr || options.pairs->allow.empty()) return true;
  return options.pairs->allow.at(options.pairs->allow.depth() == 1 ? 0 : head, t, s) != 0;
}

inline double added(const AttentionOptions& options, int head, int t, int s) {
  if (options.pairs == nullptr || options.pairs->add.empty()) return 0;
  return static_cast<double>(options.pairs->add.at(options.pairs->add.depth() == 1 ? 0 : head, t, s));
}

/// Largest error that the rounding of the scores explains, and a little more.
struct Tolerance {
  double weight = 3e-6;
  double context = 1e-5;
};

/// Compares one query of one head with the definition, in double from the trace's own q, k and v.
inline void expect_row(const AttentionTrace& trace, const AttentionOptions& options, int head, int t,
                       Tolerance tolerance) {
  std::vector<double> score(static_cast<std::size_t>(trace.S));
  double max = -std::numeric_limits<double>::infinity(), sum = 0;
  for (int s = 0; s < trace.S; ++s) {
    double dot = 0;
    for (int c = 0; c < trace.d_k; ++c) {
      dot += static_cast<double>(trace.query(head, t)[c]) * static_cast<double>(trace.key(head, s)[c]);
    }
    double& here = score[static_cast<std::size_t>(s)];
    here = dot * static_cast<double>(trace.scale) + added(options, head, t, s);
    if (!trace.scores.empty()) {
      if (std::isinf(here)) {
        EXPECT_EQ(static_cast<double>(trace.scores.at(head, t, s)), here);
      } else {
        EXPECT_NEAR(static_cast<double>(trace.scores.at(head, t, s)), here, 1e-5 + 1e-6 * std::fabs(here));
      }
    }
    if (!allowed_pair(options, trace.T, trace.S, head, t, s)) here = -std::numeric_limits<double>::infinity();
    max = std::max(max, here);
  }
  const bool nothing = max == -std::numeric_limits<double>::infinity();
  for (double s : score) sum += nothing ? 0 : std::exp(s - max);
  std::vector<double> context(static_cast<std::size_t>(trace.d_v));
  for (int s = 0; s < trace.S; ++s) {
    const double here = score[static_cast<std::size_t>(s)];
    const double weight = std::isinf(here) ? 0 : std::exp(here - max) / sum;
    const float got = trace.weights.at(head, t, s);
    if (std::isinf(here)) {
      ASSERT_EQ(got, 0.0f) << "head " << head << " query " << t << " key " << s;
    }
    ASSERT_NEAR(static_cast<double>(got), weight, tolerance.weight)
        << "head " << head << " query " << t << " key " << s;
    for (int c = 0; c < trace.d_v; ++c) {
      context[static_cast<std::size_t>(c)] += weight * static_cast<double>(trace.value(head, s)[c]);
    }
  }
  for (int c = 0; c < trace.d_v; ++c) {
    ASSERT_NEAR(static_cast<double>(trace.context.at(t, head * trace.d_v + c)),
                context[static_cast<std::size_t>(c)], tolerance.context)
        << "head " << head << " query " << t << " column " << c;
  }
  if (nothing) {
    EXPECT_EQ(trace.row_max.at(head, t), 0.0f);
    EXPECT_EQ(trace.row_sum.at(head, t), 0.0f);
  } else {
    EXPECT_NEAR(static_cast<double>(trace.row_max.at(head, t)), max, 1e-5 + 2e-6 * std::fabs(max));
    EXPECT_NEAR(static_cast<double>(trace.row_sum.at(head, t)) / sum, 1, 1e-5 + 10 * tolerance.weight);
  }
}

inline void expect_trace(const AttentionTrace& trace, const AttentionOptions& options,
                         Tolerance tolerance = {}) {
  ASSERT_EQ(trace.weights.depth(), trace.heads);
  ASSERT_EQ(trace.weights.rows(), trace.T);
  ASSERT_EQ(trace.weights.cols(), trace.S);
  for (int head = 0; head < trace.heads; ++head) {
    for (int t = 0; t < trace.T; ++t) {
      expect_row(trace, options, head, t, tolerance);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

struct Shape {
  int T, S, heads, d_k, d_v;
};

inline AttentionTrace random_trace(const Shape& shape, unsigned seed) {
  AttentionTrace trace;
  trace.q = random_matrix(shape.T, shape.heads * shape.d_k, seed);
  trace.k = random_matrix(shape.S, shape.heads * shape.d_k, seed + 1);
  trace.v = random_matrix(shape.S, shape.heads * shape.d_v, seed + 2);
  return trace;
}

template <class E>
inline bool same_bits(const Tensor<E>& a, const Tensor<E>& b) {
  return std::equal(a.values().begin(), a.values().end(), b.values().begin(), b.values().end(),
                    [](E x, E y) { return std::memcmp(&x, &y, sizeof(E)) == 0; });
}

inline const std::vector<Shape> odd_shapes = {
    {1, 1, 1, 1, 1},      {1, 5, 1, 1, 3},       {3, 2, 2, 2, 1},       {7, 7, 1, 7, 7},
    {13, 29, 3, 5, 9},    {22, 22, 4, 8, 8},     {33, 65, 2, 16, 24},   {48, 128, 1, 64, 64},
    {49, 129, 2, 17, 33}, {100, 257, 2, 32, 32}, {130, 300, 1, 40, 72}, {5, 1000, 1, 3, 2},
    {97, 31, 3, 12, 20}};

class KernelsTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const Kernels* kernels = kernels_of(GetParam());
    if (kernels == nullptr) GTEST_SKIP() << "not on this processor";
    use_kernels(*kernels);
  }
  void TearDown() override { use_kernels(choose_kernels(nullptr)); }

  base::Parallel parallel_{2};
};

}  // namespace headlight::nn
