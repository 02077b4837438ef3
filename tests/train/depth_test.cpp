// Similarity, spread and gradients in a stack, against pairs written out and differences.
#include "train/depth.h"

#include <gtest/gtest.h>

#include <cmath>

#include "nn/small_random.h"

namespace headlight::nn {
namespace {

TEST(Depth, SimilarityIsTheMeanCosineOfPairs) {
  const Matrix x = random_matrix(7, 5, 3);
  double sum = 0;
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) {
      if (i == j) continue;
      double dot = 0, a = 0, b = 0;
      for (int c = 0; c < 5; ++c) {
        const double p = static_cast<double>(x.at(i, c)), q = static_cast<double>(x.at(j, c));
        dot += p * q, a += p * p, b += q * q;
      }
      sum += dot / std::sqrt(a * b);
    }
  }
  EXPECT_NEAR(token_similarity(x), sum / 42, 1e-12);
  Matrix same(4, 3), opposite(2, 3);
  same.fill(2);
  EXPECT_NEAR(token_similarity(same), 1, 1e-12);
  EXPECT_NEAR(token_spread(same), 0, 1e-12);
  for (int c = 0; c < 3; ++c) opposite.at(0, c) = 1, opposite.at(1, c) = -1;
  EXPECT_NEAR(token_similarity(opposite), -1, 1e-12);
  EXPECT_NEAR(token_spread(opposite), 1, 1e-12);
  // Without a pair of directions there is no mean; a token of zeros takes no part in it.
  EXPECT_TRUE(std::isnan(token_similarity(Matrix(3, 2)))) << "zeros have no direction";
  EXPECT_TRUE(std::isnan(token_spread(Matrix(3, 2))));
  EXPECT_TRUE(std::isnan(token_similarity(random_matrix(1, 5, 3)))) << "one token, no pair";
  EXPECT_EQ(token_spread(random_matrix(1, 5, 3)), 0);
  for (int c = 0; c < 3; ++c) same.at(2, c) = 0;
  EXPECT_NEAR(token_similarity(same), 1, 1e-12);
}

/// Attention alone makes all tokens alike; residual connections keep them apart.
TEST(Depth, WithoutResidualsTokensBecomeOne) {
  BlockOptions options;
  options.attention.heads = 4;
  options.norm = NormPlace::none, options.feed_forward = false;
  const StackWeights weights = random_stack_weights(12, 32, 64, BlockInit::xavier_uniform, false, 7);
  const Matrix x = random_matrix(16, 32, 5);
  const auto statistics = [&](bool residual) {
    options.residual = residual;
    StackTrace<float> trace;
    encoder_stack(x, weights, options, threads(), trace);
    return depth_statistics(weights, options, trace, 7, threads());
  };
  const auto with = statistics(true), without = statistics(false);
  ASSERT_EQ(with.size(), 13u);
  EXPECT_EQ(with[0].similarity, without[0].similarity);
  EXPECT_GT(without[4].similarity, 0.999);
  EXPECT_LT(without[4].spread, 0.03);
  EXPECT_GT(with[12].spread, 0.1);
  EXPECT_NEAR(with[12].gradient, 1, 0.2);
  EXPECT_EQ(with[12].gradient, without[12].gradient);
}

/// The gradient of one layer by differences of the stack that follows.
TEST(Depth, TheGradientIsThatOfTheStack) {
  BlockOptions options;
  options.attention.heads = 2;
  const StackWeights weights = random_stack_weights(3, 8, 16, BlockInit::xavier_uniform, false, 7);
  const Matrix x = random_matrix(4, 8, 5);
  StackTrace<float> trace;
  encoder_stack(x, weights, options, threads(), trace);
  const auto statistics = depth_statistics(weights, options, trace, 9, threads());
  // ‖dL/dX_0‖² by differences, in double.
  Matrix g(4, 8);
  Random(9, 0x6465707468ull).normals(0, g.values());
  const auto loss = [&](const MatrixF64& input) {
    StackTrace<double> wide;
    encoder_stack(input, weights, options, threads(), wide);
    double sum = 0;
    for (std::size_t i = 0; i < g.size(); ++i)
      sum += static_cast<double>(g.data()[i]) * wide.output.data()[i] / std::sqrt(32.0);
    return sum;
  };
  MatrixF64 at(4, 8);
  std::copy(x.values().begin(), x.values().end(), at.data());
  double square = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double before = at.data()[i];
    at.data()[i] = before + 1e-4;
    const double up = loss(at);
    at.data()[i] = before - 1e-4;
    const double slope = (up - loss(at)) / 2e-4;
    at.data()[i] = before;
    square += slope * slope;
  }
  EXPECT_NEAR(statistics[0].gradient, std::sqrt(square), 1e-4 * std::sqrt(square));
}

}  // namespace
}  // namespace headlight::nn
