// Layer norm, blocks, stacks and the linear map, whatever the numbers.
#include "nn/block.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "nn/reference_variants.h"
#include "nn/small_random.h"

namespace headlight::nn {
namespace {

TEST(LayerNorm, HasMeanZeroAndVarianceOne) {
  Matrix gamma(1, 50), beta(1, 50);
  gamma.fill(1);
  MatrixF64 x = widened(random_matrix(8, 50, 30, 7));
  for (double& value : x.row(3)) value += 1000;
  MatrixF64 y;
  layer_norm(x, gamma, beta, 1e-12, y);
  for (int t = 0; t < 8; ++t) {
    double mean = 0, square = 0;
    for (double value : y.row(t)) mean += value / 50, square += value * value / 50;
    EXPECT_NEAR(mean, 0, 1e-10);
    EXPECT_NEAR(square - mean * mean, 1, 1e-10);
  }
}

TEST(Blocks, TheFastPathAgreesWithTheTwinAndStatisticsFollowTheStages) {
  for (const NormPlace norm : {NormPlace::pre, NormPlace::post}) {
    for (const BlockInit init : {BlockInit::xavier_uniform, BlockInit::normal_0_02}) {
      const StackWeights weights = random_stack_weights(3, 24, 96, init, norm == NormPlace::pre, 5);
      const Matrix x = random_matrix(31, 24, 31);
      BlockOptions options;
      options.attention.heads = 4, options.norm = norm;
      StackTrace<float> trace;
      StackTrace<double> twin;
      encoder_stack(x, weights, options, threads(), trace);
      encoder_stack(widened(x), weights, options, threads(), twin);
      EXPECT_LT(largest_difference(trace.output, twin.output), 5e-5);
      const auto stages = residual_statistics(twin, norm == NormPlace::pre);
      ASSERT_EQ(stages.size(), norm == NormPlace::pre ? 8u : 7u);
      EXPECT_EQ(stages[0].stage, "input");
      EXPECT_EQ(stages[3].stage, "layer 2 attention");
      // γ = 1 and β = 0: behind a norm a token has variance 1, mean 0 and length √D.
      const StageStatistics& last = stages.back();
      EXPECT_NEAR(last.variance, 1, 1e-3);
      EXPECT_NEAR(last.norm, std::sqrt(24.0), 1e-2);
      EXPECT_NEAR(last.mean, 0, 1e-9);
      if (norm == NormPlace::pre) {
        EXPECT_EQ(stages.back().stage, "final norm");
      }
    }
  }
}

TEST(Blocks, PreNormLeavesAWayPastTheSublayers) {
  // With W_O and W_2 at 0 a pre-norm stack is the identity.
  StackWeights weights = random_stack_weights(2, 8, 16, BlockInit::xavier_uniform, false, 6);
  for (BlockWeights& layer : weights.layers) layer.attention.w_o.fill(0), layer.w_2.fill(0);
  const Matrix x = random_matrix(5, 8, 32);
  StackTrace<float> trace;
  encoder_stack(x, weights, {}, threads(), trace);
  EXPECT_EQ(largest_difference(trace.output, x), 0);
}

TEST(Blocks, RandomWeightsFollowTheirInit) {
  const StackWeights xavier = random_stack_weights(2, 64, 256, BlockInit::xavier_uniform, true, 7);
  const StackWeights normal = random_stack_weights(2, 64, 256, BlockInit::normal_0_02, true, 7);
  const auto deviation = [](const Matrix& m) {
    double square = 0;
    for (float value : m.values()) square += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(square / static_cast<double>(m.size()));
  };
  EXPECT_NEAR(deviation(xavier.layers[1].w_1), std::sqrt(2.0 / 320), 0.002);
  EXPECT_NEAR(deviation(normal.layers[1].w_1), 0.02, 0.0005);
  EXPECT_NEAR(deviation(normal.layers[1].w_2), 0.02 / std::sqrt(4.0), 0.0005);
  EXPECT_NEAR(deviation(normal.layers[0].attention.w_o), 0.02 / std::sqrt(4.0), 0.0005);
  EXPECT_GT(largest_difference(normal.layers[0].w_1, normal.layers[1].w_1), 0.01);
  EXPECT_EQ(xavier.lnf_g.at(0, 63), 1);
  std::size_t count = 0;
  tensors(xavier.layers[0], [&](const char*, const Matrix& m) { count += m.size(); });
  EXPECT_EQ(count, 4u * 64 * 64 + 4 * 64 + 2 * 64 * 256 + 256 + 64 + 4 * 64);
}

TEST(Linear, AgreesWithTheTwinOnBothSidesOfEveryCut) {
  for (const auto& [T, in, out] :
       {std::array{1, 1, 1}, std::array{5, 7, 33}, std::array{385, 40, 65}, std::array{800, 64, 130}}) {
    const Matrix x = random_matrix(T, in, 33), w = random_matrix(in, out, 34), b = random_matrix(1, out, 35);
    Matrix y;
    MatrixF64 twin;
    linear(x, w, b, threads(), y);
    linear(widened(x), w, b, threads(), twin);
    EXPECT_LT(largest_difference(y, twin), 5e-5);
    linear(x, w, {}, threads(), y);
    linear(widened(x), w, {}, threads(), twin);
    EXPECT_LT(largest_difference(y, twin), 5e-5);
  }
}

}  // namespace
}  // namespace headlight::nn
