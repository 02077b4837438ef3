// Relative positions and sparse patterns, whatever the numbers.
#include "nn/relative.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "nn/reference_variants.h"
#include "nn/rope.h"
#include "nn/small_random.h"
#include "nn/sparse.h"
#include "support/oracles.h"

namespace headlight::nn {
namespace {

TEST(Rope, ScoresDependOnTheDistanceAlone) {
  const MatrixF64 q = widened(random_matrix(1, 24, 1)), k = widened(random_matrix(1, 24, 2));
  for (const RopePairs pairs : {RopePairs::interleaved, RopePairs::half}) {
    RopeSpec spec;
    spec.pairs = pairs, spec.rotary_dim = 10;
    const auto score = [&](int i, int j) {
      MatrixF64 a = q, b = k;
      rotate(spec, 2, a, i);
      rotate(spec, 2, b, j);
      return std::inner_product(a.values().begin(), a.values().end(), b.values().begin(), 0.0);
    };
    for (const int distance : {0, 1, 5, -7}) {
      for (const int i : {7, 100, 5000, 100000}) {
        EXPECT_NEAR(score(i, i + distance), score(7, 7 + distance), 1e-9);
      }
    }
    EXPECT_GT(std::fabs(score(7, 8) - score(7, 9)), 1e-3);
  }
}

TEST(Rope, AnOffsetChangesNothingAndLengthsStay) {
  const Matrix x = random_matrix(11, 18, 3);
  const AttentionWeights weights = random_attention_weights(18, 18, 4);
  RopeSpec near, far;
  far.offset = 4000;
  AttentionTrace a, b;
  rope_attention_forward(x, x, weights, with_heads(2), near, threads(), a);  // heads of 9: the last stays
  rope_attention_forward(x, x, weights, with_heads(2), far, threads(), b);
  EXPECT_LT(largest_difference(a.weights, b.weights), 1e-5);
  AttentionTrace plain;
  attention_forward(x, x, weights, with_heads(2), threads(), plain);
  EXPECT_GT(largest_difference(a.weights, plain.weights), 1e-3);
  for (int t = 0; t < 11; ++t) {
    double turned = 0, straight = 0;
    for (int c = 0; c < 18; ++c) {
      turned += std::pow(static_cast<double>(a.q.at(t, c)), 2);
      straight += std::pow(static_cast<double>(plain.q.at(t, c)), 2);
    }
    EXPECT_NEAR(turned, straight, 1e-5 * straight);
    EXPECT_EQ(a.q.at(t, 8), plain.q.at(t, 8));
    EXPECT_EQ(a.q.at(t, 17), plain.q.at(t, 17));
  }
}

TEST(Rope, TheLastQueriesAloneAreTheLastRowsOfAll) {
  const Matrix x = random_matrix(9, 8, 5);
  Matrix last(2, 8);
  std::copy_n(x.row(7).data(), last.size(), last.data());
  const AttentionWeights weights = random_attention_weights(8, 8, 6);
  AttentionOptions options = with_heads(2);
  options.mask.causal = true;
  AttentionTrace all, some;
  rope_attention_forward(x, x, weights, options, {}, threads(), all);
  rope_attention_forward(last, x, weights, options, {}, threads(), some);
  for (int t = 0; t < 2; ++t) {
    for (int c = 0; c < 8; ++c) EXPECT_NEAR(some.output.at(t, c), all.output.at(7 + t, c), 1e-5f);
  }
}

template <class E>
void expect_toeplitz(const Tensor<E>& bias) {
  for (int head = 0; head < bias.depth(); ++head) {
    for (int i = 1; i < bias.rows(); ++i) {
      for (int j = 1; j < bias.cols(); ++j) EXPECT_EQ(bias.at(head, i, j), bias.at(head, i - 1, j - 1));
    }
  }
}

TEST(Bias, DependsOnTheDistanceAlone) {
  const Matrix table = random_matrix(32, 3, 7);
  for (const bool bidirectional : {false, true}) {
    T5Buckets buckets;
    buckets.bidirectional = bidirectional;
    const Matrix bias = spread(t5_bias(buckets, table, 150, 170), 150, 170);
    expect_toeplitz(bias);
    for (int j = 0; j < 170; ++j) {
      for (int head = 0; head < 3; ++head) {
        EXPECT_EQ(bias.at(head, 20, j), table.at(t5_bucket(buckets, j - 20), head));
      }
    }
  }
  const Matrix slope = spread(alibi_bias<float>(12, 40, 30), 40, 30);
  expect_toeplitz(slope);
  const std::vector<double> slopes = alibi_slopes(12);
  for (int i = 0; i < 40; ++i) {
    EXPECT_FLOAT_EQ(slope.at(11, i, 4), static_cast<float>(-slopes[11] * std::abs(i - 4)));
  }
  // With a cache the queries are the last rows.
  const MatrixF64 all = spread(alibi_bias<double>(2, 9, 9), 9, 9);
  const MatrixF64 last = spread(alibi_bias<double>(2, 3, 9, 6), 3, 9);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 9; ++j) EXPECT_EQ(last.at(1, i, j), all.at(1, 6 + i, j));
  }
}

TEST(T5, BucketsGrowWithDistanceAndEnd) {
  const T5Buckets buckets;
  for (int distance = 1; distance < 500; ++distance) {
    const int behind = t5_bucket(buckets, -distance), ahead = t5_bucket(buckets, distance);
    EXPECT_EQ(ahead, behind + 16);
    EXPECT_GE(behind, t5_bucket(buckets, -distance + 1));
    if (distance < 8) {
      EXPECT_EQ(behind, distance);
    }
    if (distance >= 128) {
      EXPECT_EQ(behind, 15);
    }
  }
}

TEST(Shaw, ZeroTablesChangeNothingAndTheFastPathAgreesWithTheTwin) {
  const Matrix x = random_matrix(35, 12, 8), x_kv = random_matrix(41, 12, 9);
  const AttentionWeights weights = random_attention_weights(12, 12, 10);
  AttentionOptions options = with_heads(3);
  options.mask.causal = true;
  options.temperature = 0.7f;
  PairMask pairs;
  AttentionTrace with, without;
  attention_forward(x, x_kv, weights, options, threads(), without);
  shaw_attention_forward(x, x_kv, weights, {Matrix(9, 4), Matrix(9, 4)}, options, threads(), pairs, with);
  EXPECT_LT(largest_difference(with.output, without.output), 1e-6);
  const ShawTables tables{random_matrix(9, 4, 11), random_matrix(9, 4, 12)};
  shaw_attention_forward(x, x_kv, weights, tables, options, threads(), pairs, with);
  const AttentionTraceF64 twin =
      shaw_attention_forward_f64(widened(x), widened(x_kv), weights, tables, options);
  EXPECT_LT(largest_difference(with.output, twin.output), 2e-5);
  EXPECT_LT(largest_difference(with.weights, twin.weights), 2e-5);
  EXPECT_GT(largest_difference(with.output, without.output), 0.01);
}

TEST(LearnedPositions, EndWithTheTable) {
  const Matrix table = random_matrix(10, 4, 13), x(3, 4);
  EXPECT_EQ((*add_learned_positions(x, table, 7)).at(2, 3), table.at(9, 3));
  for (const long offset : {-1L, 8L, 1000000000000L}) {
    const auto result = add_learned_positions(x, table, offset);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().find(std::to_string(offset)), std::string::npos);
    EXPECT_EQ(result.error().find('\n'), std::string::npos);
  }
}

TEST(Sparse, RandomBlocksAreWholeAndComeFromTheSeed) {
  SparseSpec spec;
  spec.kind = SparseKind::block_random;
  spec.block = 5, spec.density = 0.3, spec.seed = 42;
  constexpr int T = 63;
  const Tensor<std::uint8_t> allow = sparse_pattern(spec, T);
  int blocks = 0, on = 0;
  for (int i = 0; i < T; ++i) {
    for (int j = 0; j < T; ++j) {
      EXPECT_EQ(allow.at(0, i, j), allow.at(0, i / 5 * 5, j / 5 * 5));
      if (i / 5 == j / 5 || i < 5 || j < 5) {
        EXPECT_EQ(allow.at(0, i, j), 1);
      }
      if (i % 5 == 0 && j % 5 == 0 && i != j && i > 0 && j > 0) ++blocks, on += allow.at(0, i, j);
    }
  }
  EXPECT_NEAR(on, 0.3 * blocks, 4 * std::sqrt(0.21 * blocks));
  const auto again = sparse_pattern(spec, T);
  EXPECT_TRUE(std::equal(allow.values().begin(), allow.values().end(), again.values().begin()));
  spec.seed = 43;
  const auto other = sparse_pattern(spec, T);
  EXPECT_FALSE(std::equal(allow.values().begin(), allow.values().end(), other.values().begin()));
}

TEST(Sparse, EveryQueryReadsItselfAndCausalPatternsNothingAhead) {
  for (const SparseKind kind :
       {SparseKind::dilated_window, SparseKind::window_global, SparseKind::block_local,
        SparseKind::strided_causal, SparseKind::fixed_causal, SparseKind::block_random}) {
    SparseSpec spec;
    spec.kind = kind, spec.global_tokens = {2, 500, -1};
    const auto allow = sparse_pattern(spec, 30);
    const bool causal = kind == SparseKind::strided_causal || kind == SparseKind::fixed_causal;
    std::size_t ahead = 0;
    for (int i = 0; i < 30; ++i) {
      EXPECT_EQ(allow.at(0, i, i), 1);
      for (int j = i + 1; j < 30; ++j) ahead += allow.at(0, i, j);
    }
    EXPECT_EQ(ahead == 0, causal);
    const auto blocked = std::count(allow.values().begin(), allow.values().end(), std::uint8_t(0));
    EXPECT_GT(blocked, 0);
  }
}

}  // namespace
}  // namespace headlight::nn
