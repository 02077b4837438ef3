// The experiments of the Memory page against plain loops, and against differences instead of derivatives.
#include <gtest/gtest.h>

#include <cmath>

#include "nn/cost.h"
#include "nn/random.h"
#include "pages/memory/experiments.h"
#include "scene/scene.h"

namespace headlight::scene {
namespace {

TEST(MemoryExperiments, TheErrorIsTheFormulaByAllPairs) {
  Scene scene;
  const MemoryExperiments e = memory_experiments(scene);
  const int d = scene.memory.width;
  EXPECT_EQ(e.errors.front().T, 4);
  EXPECT_EQ(e.errors.back().T, longest_error);
  for (const LinearError& one : e.errors) {
    const int T = one.T;
    EXPECT_EQ(one.softmax_cost, 2ull * T * T * d);
    EXPECT_EQ(one.linear_cost, 2ull * T * d * d);
    if (T > 32) continue;
    std::vector<nn::Matrix> qkv;
    for (std::uint64_t which = 0; which < 3; ++which) {
      qkv.emplace_back(T, d);
      nn::Random(7, 0x4C494E + which).normals(0, qkv.back().values());
    }
    const auto feature = [](double x) { return x > 0 ? x + 1 : std::exp(x); };
    double mean = 0;
    for (int i = 0; i < T; ++i) {
      std::vector<double> soft(static_cast<std::size_t>(d)), linear(soft.size());
      double soft_sum = 0, linear_sum = 0;
      for (int j = 0; j < T; ++j) {
        double dot = 0, similar = 0;
        for (int c = 0; c < d; ++c) {
          const double q = static_cast<double>(qkv[0].at(i, c)), k = static_cast<double>(qkv[1].at(j, c));
          dot += q * k, similar += feature(q) * feature(k);
        }
        const double weight = std::exp(dot / std::sqrt(static_cast<double>(d)));
        soft_sum += weight, linear_sum += similar;
        for (int c = 0; c < d; ++c) {
          soft[static_cast<std::size_t>(c)] += weight * static_cast<double>(qkv[2].at(j, c));
          linear[static_cast<std::size_t>(c)] += similar * static_cast<double>(qkv[2].at(j, c));
        }
      }
      double off = 0, length = 0;
      for (std::size_t c = 0; c < soft.size(); ++c) {
        const double y = soft[c] / soft_sum;
        off += (linear[c] / linear_sum - y) * (linear[c] / linear_sum - y), length += y * y;
      }
      mean += std::sqrt(off / length) / T;
    }
    EXPECT_NEAR(one.elu1, mean, 1e-9) << T;
  }
}

/// The same recurrence, each state moved a little, in double precision.
TEST(MemoryExperiments, TheInfluenceIsTheDifferenceThatAChangedStateMakes) {
  Scene scene;
  const int d = scene.memory.width;
  const MemoryExperiments e = memory_experiments(scene);
  constexpr int T = influence_tokens;
  for (const int distance : {0, 1, 4, 9}) {
    double mean = 0;
    for (int draw = 0; draw < influence_draws; ++draw) {
      const std::uint64_t seed = 7u * influence_draws + static_cast<std::uint64_t>(draw);
      const nn::RecurrenceWeights w = nn::random_recurrence_weights(d, d, seed);
      nn::Matrix x(T, d);
      nn::Random(seed, 0x464F52).normals(0, x.values());
      // h_T when component `moved` of h_(T−distance) is moved by `by`.
      const auto last = [&](int moved, double by) {
        std::vector<double> h(static_cast<std::size_t>(d), 0.0);
        for (int t = 0; t < T; ++t) {
          std::vector<double> next(h.size());
          for (int c = 0; c < d; ++c) {
            double sum = static_cast<double>(w.b.at(0, c));
            for (int r = 0; r < d; ++r)
              sum += static_cast<double>(x.at(t, r)) * static_cast<double>(w.w_x.at(r, c)) +
                     h[static_cast<std::size_t>(r)] * static_cast<double>(w.w_h.at(r, c));
            next[static_cast<std::size_t>(c)] = std::tanh(sum);
          }
          h = next;
          if (t == T - 1 - distance && moved >= 0) h[static_cast<std::size_t>(moved)] += by;
        }
        return h;
      };
      double square = 0;
      for (int moved = 0; moved < d; ++moved) {
        constexpr double by = 1e-5;
        const std::vector<double> up = last(moved, by), down = last(moved, -by);
        for (std::size_t c = 0; c < up.size(); ++c) square += std::pow((up[c] - down[c]) / (2 * by), 2);
      }
      mean += std::sqrt(square / d) / influence_draws;
    }
    EXPECT_NEAR(e.influence[static_cast<std::size_t>(distance)].recurrence, mean, 1e-5 + 1e-4 * mean)
        << distance;
  }
}

TEST(MemoryExperiments, ARecurrenceForgetsAndAttentionDoesNot) {
  const MemoryExperiments e = memory_experiments(Scene{});
  double weights = 0, near = 0, far = 0;
  for (const Influence& one : e.influence) {
    weights += one.attention;
    (one.distance < influence_tokens / 2 ? near : far) += one.attention;
  }
  EXPECT_NEAR(weights, 1, 1e-12);
  EXPECT_NEAR(near, 0.5, 0.15) << "no half of the sequence is preferred";
  EXPECT_NEAR(far, 0.5, 0.15);
  EXPECT_NEAR(e.influence[0].recurrence, 1, 1e-12);
  EXPECT_LT(e.influence[10].recurrence, 0.02);
  EXPECT_LT(e.influence[24].recurrence, e.influence[8].recurrence / 10);
}

}  // namespace
}  // namespace headlight::scene
