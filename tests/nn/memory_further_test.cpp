// Random features, projected keys, fast weights that fade, and the network of 1982: laws, whatever the
// numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "nn/binary_hopfield.h"
#include "nn/linear_attention.h"
#include "nn/projected_attention.h"
#include "nn/random_features.h"
#include "nn/reference_variants.h"
#include "nn/small_random.h"

namespace headlight::nn {
namespace {

/// Of many seeds: the mean of the estimates of exp(q·k/√d) for a few pairs, and their mean squared error,
/// both relative to it.
struct Estimates {
  std::vector<double> mean;
  double squared = 0;
};
Estimates estimates(int m, int seeds, const MatrixF64& q, const MatrixF64& k) {
  const int d = q.cols();
  Estimates out;
  out.mean.assign(static_cast<std::size_t>(q.rows()), 0.0);
  for (int seed = 0; seed < seeds; ++seed) {
    const Matrix directions = random_directions(m, d, static_cast<std::uint64_t>(seed), 77);
    const MatrixF64 phi_q = random_features(q, directions), phi_k = random_features(k, directions);
    for (int t = 0; t < q.rows(); ++t) {
      double exact = 0, estimate = 0;
      for (int c = 0; c < d; ++c) exact += q.at(t, c) * k.at(t, c);
      for (int i = 0; i < m; ++i) estimate += phi_q.at(t, i) * phi_k.at(t, i);
      const double ratio = estimate / std::exp(exact / std::sqrt(static_cast<double>(d)));
      out.mean[static_cast<std::size_t>(t)] += ratio / seeds;
      out.squared += (ratio - 1) * (ratio - 1) / seeds / q.rows();
    }
  }
  return out;
}

TEST(RandomFeatures, EstimateTheExponentialWithoutBias) {
  const MatrixF64 q = widened(random_matrix(6, 4, 30, 0.8f)), k = widened(random_matrix(6, 4, 31, 0.8f));
  for (const int m : {1, 16}) {
    const int seeds = 40000 / m;
    const Estimates found = estimates(m, seeds, q, k);
    for (int t = 0; t < q.rows(); ++t) {
      // The relative variance of one feature is exp(‖q' + k'‖²) − 1.
      double square = 0;
      for (int c = 0; c < 4; ++c) square += std::pow(q.at(t, c) + k.at(t, c), 2) / 2;
      const double deviation = std::sqrt((std::exp(square) - 1) / m / seeds);
      EXPECT_NEAR(found.mean[static_cast<std::size_t>(t)], 1, 5 * deviation + 1e-6) << m << ", pair " << t;
    }
  }
}

TEST(RandomFeatures, FourTimesAsManyHalveTheError) {
  const MatrixF64 q = widened(random_matrix(6, 4, 32, 0.5f)), k = widened(random_matrix(6, 4, 33, 0.5f));
  for (const int m : {4, 16, 64}) {
    const double few = std::sqrt(estimates(m, 2000, q, k).squared),
                 many = std::sqrt(estimates(4 * m, 2000, q, k).squared);
    EXPECT_NEAR(many / few, 0.5, 0.08) << m;
  }
}

TEST(RandomFeatures, ArePositiveAndFewerAreTheFirstOfMore) {
  const Matrix x = random_matrix(40, 16, 34, 30);  // far too long vectors: nothing overflows
  const Matrix few = random_directions(3, 16, 5, 6), many = random_directions(256, 16, 5, 6);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 16; ++c) EXPECT_EQ(few.at(r, c), many.at(r, c));
  }
  const Matrix phi = random_features(x, many);
  for (const float value : phi.values()) {
    EXPECT_TRUE(std::isfinite(value));
    EXPECT_GE(value, 0);
  }
}

TEST(ProjectedAttention, WithAsManyKeysAsTokensItIsSoftmaxAttention) {
  const Matrix q = random_matrix(9, 5, 35), k = random_matrix(13, 5, 36), v = random_matrix(13, 4, 37);
  AttentionTrace trace;
  trace.q = q, trace.k = k, trace.v = v;
  attention_from_qkv({}, threads(), trace);
  const MatrixF64 whole = projected_attention(widened(q), widened(k), widened(v), mean_projection(13, 13));
  EXPECT_LT(largest_difference(whole, trace.output), 1e-5);
}

TEST(ProjectedAttention, OneKeyIsTheMeanOfTheValuesAndRowsAreMeansOfNeighbours) {
  const MatrixF64 q = widened(random_matrix(3, 5, 38)), k = widened(random_matrix(10, 5, 39)),
                  v = widened(random_matrix(10, 4, 40));
  const MatrixF64 one = projected_attention(q, k, v, mean_projection(1, 10));
  for (int c = 0; c < 4; ++c) {
    double mean = 0;
    for (int t = 0; t < 10; ++t) mean += v.at(t, c) / 10;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(one.at(i, c), mean, 1e-14);
  }
  for (int r = 1; r <= 10; ++r) {
    const MatrixF64 projection = mean_projection(r, 10);
    int last = -1;
    for (int j = 0; j < r; ++j) {
      double sum = 0;
      for (int t = 0; t < 10; ++t) {
        sum += projection.at(j, t);
        if (projection.at(j, t) == 0) continue;
        EXPECT_EQ(t, last + 1) << "each token once, in order";
        last = t;
      }
      EXPECT_NEAR(sum, 1, 1e-14);
    }
    EXPECT_EQ(last, 9);
  }
}

TEST(FadingFastWeights, TheRecurrenceIsTheMaskedMatrix) {
  const MatrixF64 q = widened(random_matrix(31, 6, 41)), k = widened(random_matrix(31, 6, 42)),
                  v = widened(random_matrix(31, 4, 43));
  for (const double decay : {1.0, 0.9, 0.5, 0.0}) {
    FastWeightOptions options;
    options.feature = Feature::elu1;
    options.decay = decay;
    const FastWeightTrace<double> trace = fast_weights(q, k, v, options);
    MatrixF64 y(31, 4);
    for (int t = 0; t < 31; ++t) {
      for (int s = 0; s <= t; ++s) {
        double weight = std::pow(decay, t - s), similar = 0;
        for (int c = 0; c < 6; ++c) similar += trace.phi_q.at(t, c) * trace.phi_k.at(s, c);
        for (int c = 0; c < 4; ++c) y.at(t, c) += weight * similar * v.at(s, c);
      }
    }
    EXPECT_LT(largest_difference(trace.y, y), 1e-11) << decay;
    EXPECT_LT(fast_weight_residual(q, k, v, Feature::elu1, decay), 1e-11) << decay;
    LinearAttentionOptions linear;
    linear.causal = true, linear.decay = decay;
    const LinearAttentionMap<double> map = linear_attention_map(q, k, v, linear);
    EXPECT_LT(largest_difference(linear_attention(q, k, v, linear).output, map.output), 1e-11) << decay;
  }
}

TEST(FadingFastWeights, TheDeltaRuleStillReplacesExactly) {
  const MatrixF64 k = widened(random_matrix(12, 6, 44)), v = widened(random_matrix(12, 4, 45));
  FastWeightOptions options;
  options.feature = Feature::unit, options.rule = WriteRule::delta, options.decay = 0.7;
  EXPECT_LT(largest_difference(fast_weights(k, k, v, options).y, v), 1e-12);
}

TEST(BinaryHopfield, NoUpdateRaisesTheEnergyAndItComesToRest) {
  for (const int N : {1, 5, 20, 64}) {
    const MatrixF64 patterns = binary_patterns(N, 60, 3, 4), weights = hebbian_weights(patterns);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<double> own(patterns.row(0).begin(), patterns.row(0).end());
      const BinaryTrace trace = binary_retrieval(weights, with_flips(own, 20, seed, 1), own, seed);
      EXPECT_TRUE(trace.settled);
      for (std::size_t n = 1; n < trace.energy.size(); ++n) EXPECT_LE(trace.energy[n], trace.energy[n - 1]);
      EXPECT_NEAR(trace.energy.back(), binary_energy(weights, trace.state), 1e-9);
      double agree = 0;
      for (std::size_t i = 0; i < own.size(); ++i) agree += own[i] * trace.state[i] / 60;
      EXPECT_NEAR(trace.overlap.back(), agree, 1e-12);
      for (int i = 0; i < 60; ++i) {  // every neuron has the sign of its sum
        double field = 0;
        for (int j = 0; j < 60; ++j) field += weights.at(i, j) * trace.state[static_cast<std::size_t>(j)];
        EXPECT_GE(field * trace.state[static_cast<std::size_t>(i)], 0);
      }
    }
  }
}

/// Share of patterns that are recovered from one bit in ten flipped, with overlap 0.9 or more.
double recovered(int N, int D) {
  const MatrixF64 patterns = binary_patterns(N, D, 8, 9), weights = hebbian_weights(patterns);
  int found = 0;
  const int tries = std::min(N, 12);
  for (int n = 0; n < tries; ++n) {
    const std::vector<double> own(patterns.row(n).begin(), patterns.row(n).end());
    const auto seed = static_cast<std::uint64_t>(n);
    const BinaryTrace trace = binary_retrieval(weights, with_flips(own, D / 10, seed, 2), own, seed);
    found += trace.overlap.back() >= 0.9 ? 1 : 0;
  }
  return static_cast<double>(found) / tries;
}

TEST(BinaryHopfield, RecoversBelowTheLimitAndNotAboveIt) {
  constexpr int D = 600;
  EXPECT_EQ(recovered(D / 20, D), 1) << "0.05 D";
  EXPECT_GE(recovered(D / 10, D), 0.9) << "0.1 D";
  EXPECT_LE(recovered(D / 5, D), 0.1) << "0.2 D";
}

TEST(BinaryHopfield, TheInverseHasTheSameEnergyAndTheDiagonalIsZero) {
  const MatrixF64 patterns = binary_patterns(4, 50, 1, 2), weights = hebbian_weights(patterns);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(weights.at(i, i), 0);
  EXPECT_EQ(weights.at(3, 8), weights.at(8, 3));
  const std::vector<double> own(patterns.row(0).begin(), patterns.row(0).end());
  const std::vector<double> inverse = with_flips(own, 50, 1, 1);
  EXPECT_NEAR(binary_energy(weights, own), binary_energy(weights, inverse), 1e-12);
  EXPECT_EQ(binary_retrieval(weights, with_flips(own, 45, 1, 1), own, 1).overlap.back(), -1);
  int changed = 0;
  const std::vector<double> flipped = with_flips(own, 17, 3, 3);
  for (std::size_t i = 0; i < own.size(); ++i) changed += flipped[i] != own[i] ? 1 : 0;
  EXPECT_EQ(changed, 17);
}

}  // namespace
}  // namespace headlight::nn
