// Linear attention, fast weights and Hopfield networks, whatever the numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "nn/hopfield.h"
#include "nn/linear_attention.h"
#include "nn/reference_variants.h"
#include "nn/small_random.h"
#include "support/oracles.h"

namespace headlight::nn {
namespace {

TEST(LinearAttention, AsASumItIsTheFastWeightProgrammer) {
  for (const int T : {1, 2, 7, 64, 129}) {
    const Matrix q = random_matrix(T, 9, 14), k = random_matrix(T, 9, 15), v = random_matrix(T, 5, 16);
    for (const Feature feature : {Feature::identity, Feature::elu1, Feature::unit}) {
      EXPECT_LT(fast_weight_residual(widened(q), widened(k), widened(v), feature), 1e-11);
      EXPECT_LT(fast_weight_residual(q, k, v, feature), 2e-3);  // sums of up to 129 · 9 products of size 10
    }
  }
}

TEST(LinearAttention, RunningSumsAgreeWithAllPairs) {
  const MatrixF64 q = widened(random_matrix(23, 6, 17)), k = widened(random_matrix(23, 6, 18)),
                  v = widened(random_matrix(23, 4, 19));
  for (const bool causal : {false, true}) {
    for (const bool normalise : {false, true}) {
      LinearAttentionOptions options;
      options.causal = causal, options.normalise = normalise;
      const LinearAttentionMap<double> map = linear_attention_map(q, k, v, options);
      EXPECT_LT(largest_difference(linear_attention(q, k, v, options).output, map.output), 1e-12);
      for (int i = 0; i < 23; ++i) {
        double sum = 0;
        for (double weight : map.weights.row(i)) sum += weight;
        if (normalise) {
          EXPECT_NEAR(sum, 1, 1e-12);
        }
        for (int j = i + 1; causal && j < 23; ++j) EXPECT_EQ(map.weights.at(i, j), 0);
      }
    }
  }
}

TEST(FastWeights, TheDeltaRuleReplacesWhatStoodAtAKeyAndTheSumRulePilesUp) {
  // The same key twice, with two values.
  Matrix k(2, 3), v(2, 2);
  k.at(0, 1) = k.at(1, 1) = 2;
  v.at(0, 0) = 5, v.at(0, 1) = -1;
  v.at(1, 0) = 3, v.at(1, 1) = 4;
  FastWeightOptions options;
  options.feature = Feature::unit;
  options.rule = WriteRule::delta;
  const FastWeightTrace<float> delta = fast_weights(k, k, v, options);
  EXPECT_EQ(delta.found.at(0, 0), 0);
  EXPECT_EQ(delta.found.at(1, 0), 5);
  EXPECT_EQ(delta.y.at(1, 0), 3);
  EXPECT_EQ(delta.y.at(1, 1), 4);
  options.rule = WriteRule::sum;
  const FastWeightTrace<float> sum = fast_weights(k, k, v, options);
  EXPECT_EQ(sum.y.at(1, 0), 8);
  EXPECT_EQ(sum.y.at(1, 1), 3);
  options.rule = WriteRule::delta;
  options.beta = 0.5;  // half the way
  EXPECT_EQ(fast_weights(k, k, v, options).y.at(1, 0), 2.75f);
}

TEST(FastWeights, KeepingOnlyTheLastMatrixChangesNothingElse) {
  const Matrix q = random_matrix(12, 5, 20), k = random_matrix(12, 5, 21), v = random_matrix(12, 3, 22);
  FastWeightOptions options;
  options.rule = WriteRule::delta;
  options.feature = Feature::unit;
  options.beta = 0.8;
  const FastWeightTrace<float> all = fast_weights(q, k, v, options);
  options.keep_states = false;
  const FastWeightTrace<float> last = fast_weights(q, k, v, options);
  EXPECT_EQ(largest_difference(all.y, last.y), 0);
  ASSERT_EQ(all.states.depth(), 12);
  ASSERT_EQ(last.states.depth(), 1);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 5; ++c) EXPECT_EQ(last.states.at(0, r, c), all.states.at(11, r, c));
  }
}

TEST(Hopfield, OneStepIsAttention) {
  const Matrix patterns = random_matrix(17, 12, 23), probes = random_matrix(6, 12, 24);
  AttentionTrace trace;
  trace.q = probes, trace.k = patterns, trace.v = patterns;
  attention_from_qkv({}, threads(), trace);
  const double beta = 1 / std::sqrt(12.0);
  const HopfieldTrace<float> step = hopfield(patterns, probes, beta, 1);
  EXPECT_LT(largest_difference(step.weights, trace.weights), 1e-6);
  for (int m = 0; m < 6; ++m) {
    for (int c = 0; c < 12; ++c) EXPECT_NEAR(step.states.at(1, m, c), trace.output.at(m, c), 1e-5f);
  }
}

TEST(Hopfield, TheEnergyNeverRisesAndIsNeverNegative) {
  for (const double beta : {0.05, 1.0, 8.0, 200.0}) {
    const Matrix patterns = random_matrix(9, 7, 25), probes = random_matrix(20, 7, 26, 2);
    const HopfieldTrace<double> trace = hopfield(widened(patterns), widened(probes), beta, 12);
    for (int m = 0; m < 20; ++m) {
      for (int step = 0; step < 12; ++step) {
        EXPECT_LE(trace.energy.at(step + 1, m), trace.energy.at(step, m) + 1e-12);
      }
      EXPECT_GE(trace.energy.at(12, m), -1e-12);
      EXPECT_NEAR(trace.energy.at(3, m), hopfield_energy(patterns, beta, trace.states.row(3, m).data()),
                  1e-12);
      EXPECT_NEAR(trace.energy_without_constants.at(3, m),
                  hopfield_energy(patterns, beta, trace.states.row(3, m).data(), false), 1e-12);
    }
  }
}

TEST(Hopfield, ASharpNetworkFindsTheNearestPatternAgain) {
  const Matrix patterns = random_matrix(12, 40, 27);
  Matrix probes = patterns;
  const Matrix noise = random_matrix(12, 40, 28, 0.3f);
  for (std::size_t i = 0; i < probes.size(); ++i) probes.data()[i] += noise.data()[i];
  const HopfieldTrace<float> trace = hopfield(patterns, probes, 4, 3);
  for (int m = 0; m < 12; ++m) {
    for (int c = 0; c < 40; ++c) EXPECT_NEAR(trace.states.at(3, m, c), patterns.at(m, c), 1e-3f);
  }
}

// The theorem's own examples: c for (β, K, d, p) as the paper prints it, and where it says nothing.
TEST(Hopfield, TheBoundOf2020IsThatOfItsTheorem) {
  EXPECT_NEAR(hopfield_growth_2020(20, {1, 3, 0.001}), 3.1546, 5e-5);
  EXPECT_NEAR(hopfield_growth_2020(75, {1, 1, 0.001}), 1.3718, 1e-4);  // the paper cuts it off
  const double c = hopfield_growth_2020(20, {1, 3, 0.001});
  EXPECT_NEAR(hopfield_capacity_2020(20, {1, 3, 0.001}), std::sqrt(0.001) * std::pow(c, 19.0 / 4), 1e-9);
  EXPECT_TRUE(std::isnan(hopfield_capacity_2020(10, {1, 3, 0.001})))
      << "c is too small for so few dimensions";
  EXPECT_TRUE(std::isnan(hopfield_capacity_2020(1, {})));
  // c solves b / c · exp(b / c) = exp(a + ln b).
  const double d = 50, b = 0.4 * 9, a = 2 / (d - 1) * (1 + std::log(2 * 9 * 0.001 * (d - 1)));
  const double w = b / hopfield_growth_2020(50, {1, 3, 0.001});
  EXPECT_NEAR(w * std::exp(w), b * std::exp(a), 1e-10);
  EXPECT_EQ(hopfield_capacity_2017(20), 1024);
}

TEST(Hopfield, TheLandscapeIsTheEnergyOfItsPoints) {
  const Matrix patterns = random_matrix(3, 2, 29);
  const PlaneBox box{-2, 3, -1, 4};
  const MatrixF64 grid = hopfield_landscape(patterns, 2.5, box, 6, 11);
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 11; ++c) {
      const double point[] = {-2 + 0.5 * c, 4 - 1.0 * r};
      EXPECT_NEAR(grid.at(r, c), hopfield_energy(patterns, 2.5, point), 1e-12);
    }
  }
}

}  // namespace
}  // namespace headlight::nn
