// The Memory page's random features, decay, projected keys and the network of 1982, each by another way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "memory_scene.h"
#include "nn/random_features.h"
#include "pages/compute.h"
#include "pages/memory/binary.h"
#include "pages/memory/experiments.h"
#include "pages/memory/memory.h"
#include "pages/memory/sizes.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/results.h"
#include "scene/settings.h"

namespace headlight::scene::memory_further_test {
namespace {

using tests::at;
using tests::memory_scene;

std::shared_ptr<const Results> results_of(const Scene& scene) {
  static base::Parallel threads(1);
  auto results = compute_now(scene, threads, nullptr);
  EXPECT_TRUE(results && results->own_as<MemoryResults>());
  return results;
}

TEST(MemoryRandomFeatures, WeightsAreTheFeaturesAndComeCloserToTheSoftmax) {
  double last = 1e9;
  for (const char* m : {"4", "32", "256"}) {
    double off = 0;
    for (int seed = 1; seed <= 6; ++seed) {
      const auto results = results_of(memory_scene(
          {"memory_feature=random", std::string("memory_features=") + m, "seed=" + std::to_string(seed)}));
      const SentenceMemory& s = *results->own_as<MemoryResults>()->sentence;
      EXPECT_EQ(std::to_string(s.phi_k.cols()), m);
      EXPECT_EQ(s.sum.states.cols(), s.phi_k.cols());
      EXPECT_EQ(s.sum.states.rows(), 4);
      for (int i = 0; i < s.q.rows(); ++i) {
        double sum = 0, similar = 0;
        for (int j = 0; j <= i; ++j) {
          similar = 0;
          for (int c = 0; c < s.phi_k.cols(); ++c) similar += at(s.phi_q, i, c) * at(s.phi_k, j, c);
          sum += similar;
        }
        EXPECT_NEAR(at(s.linear, i, i), similar / sum, 1e-4);
        for (int j = 0; j <= i; ++j) {
          EXPECT_GE(s.linear.at(i, j), 0);
          off += std::abs(at(s.weight_difference, i, j));
        }
      }
      EXPECT_LT(s.fast_residual, 1e-3);
    }
    EXPECT_LT(off, 0.75 * last) << m;
    last = off;
  }
}

TEST(MemoryDecay, FadesTheFastWeightsAndNotLinearAttention) {
  const auto plain = results_of(memory_scene({"memory_step=6"})),
             fading = results_of(memory_scene({"memory_step=6", "memory_decay=0.8"}));
  const SentenceMemory &a = *plain->own_as<MemoryResults>()->sentence,
                       &b = *fading->own_as<MemoryResults>()->sentence;
  EXPECT_TRUE(plain->own_as<MemoryResults>()->kept.empty());
  for (std::size_t i = 0; i < a.linear.size(); ++i) EXPECT_EQ(a.linear.data()[i], b.linear.data()[i]);
  EXPECT_GT(b.fast_residual, 0);
  EXPECT_LT(b.fast_residual, 1e-4);
  // y as the sum of what each token adds, from the table of it.
  const auto& terms = fading->own_as<MemoryResults>()->recurrence;
  ASSERT_EQ(terms.size(), 6u);
  EXPECT_NEAR(terms.front().kept, std::pow(0.8, 5), 1e-12);
  EXPECT_EQ(terms.back().kept, 1);
  for (int c = 0; c < b.v.cols(); ++c) {
    double y = 0;
    for (int s = 0; s < 6; ++s) {
      const auto n = static_cast<std::size_t>(s);
      y += terms[n].kept * terms[n].similarity * at(b.v, s, c);
    }
    EXPECT_NEAR(at(b.sum.y, 5, c), y, 1e-4);
    for (int f = 0; f < b.phi_k.cols(); ++f)
      EXPECT_NEAR(
          b.sum.states.at(5, c, f),
          fading->own_as<MemoryResults>()->kept.at(c, f) + fading->own_as<MemoryResults>()->written.at(c, f),
          1e-5);
  }
  const QuantitySource from{fading->scene, *fading};
  EXPECT_NEAR(quantity_value(*parse_quantity("decay_kept distance=2"), from), 0.64, 1e-12);
  EXPECT_NEAR(quantity_value(*parse_quantity("decay_kept"), from), std::pow(0.8, 5), 1e-12);
  // The errors of reading back are of matrices that fade alike.
  double unit = 0;
  for (int s = 0; s < 6; ++s)
    unit += terms[static_cast<std::size_t>(s)].kept * at(b.v, s, 1) * at(b.unit_k, s, 2);
  EXPECT_NEAR(static_cast<double>(b.unit_sum.states.at(5, 1, 2)), unit, 1e-5);
}

TEST(MemorySizes, RandomFeaturesComeCloserAndProjectedKeysAreExactAtTheEnd) {
  const auto results = results_of(memory_scene({"memory_features=100", "memory_keys=20"}));
  const SizeErrors& s = *results->own_as<MemoryResults>()->sizes;
  ASSERT_EQ(s.sizes.size(), 9u);
  EXPECT_EQ(s.sizes.front().size, 1);
  EXPECT_EQ(s.sizes.back().size, 256);
  double few = 0, many = 0;
  for (int seed = 1; seed <= 4; ++seed) {
    const SizeErrors one = memory_sizes(memory_scene({"seed=" + std::to_string(seed)}));
    few += one.sizes[2].features, many += one.sizes[8].features;
  }
  EXPECT_LT(many, 0.7 * few) << "256 features against 4";
  for (const SizeError& one : s.sizes) {
    EXPECT_EQ(std::isnan(one.keys), one.size > size_tokens);
    if (one.size == size_tokens) {
      EXPECT_LT(one.keys, 1e-12);
    } else if (one.size < size_tokens) {
      EXPECT_GT(one.keys, 0.05);
    }
  }
  EXPECT_EQ(s.m, 100);
  EXPECT_EQ(s.r, 20);
  EXPECT_GT(s.at_m, s.sizes[8].features * 0.8);
  EXPECT_GT(s.at_r, 0.05);
  // The same draw as in the error over the length.
  for (const LinearError& one : results->own_as<MemoryResults>()->experiments->errors) {
    if (one.T == size_tokens) {
      EXPECT_NEAR(one.elu1, s.elu1, 1e-12);
    }
  }
  const QuantitySource from{results->scene, *results};
  EXPECT_EQ(quantity_value(*parse_quantity("random_feature_error"), from), s.at_m);
  EXPECT_EQ(quantity_value(*parse_quantity("random_feature_error m=64"), from), s.sizes[6].features);
  EXPECT_EQ(quantity_value(*parse_quantity("projected_error r=4"), from), s.sizes[2].keys);
  EXPECT_TRUE(std::isnan(quantity_value(*parse_quantity("projected_error r=128"), from)));
  const auto at_power = results_of(memory_scene({"memory_features=16", "memory_keys=4"}));
  EXPECT_NEAR(at_power->own_as<MemoryResults>()->sizes->at_m, s.sizes[4].features, 1e-12);
  EXPECT_NEAR(at_power->own_as<MemoryResults>()->sizes->at_r, s.sizes[2].keys, 1e-12);
}

TEST(MemoryBits, AFewPatternsAreRecoveredAndTooManyAreNot) {
  const auto few = results_of(memory_scene({"memory_network=binary"}));
  const BinaryRetrieval& b = *few->own_as<MemoryResults>()->binary;
  EXPECT_EQ(b.bits, 100);
  EXPECT_EQ(b.patterns, 6);
  EXPECT_NEAR(b.trace.overlap.front(), 0.7, 1e-12) << "15 of 100 bits are flipped";
  EXPECT_TRUE(b.ok());
  EXPECT_EQ(b.nearest, 0);
  EXPECT_GE(b.recovered, 90);
  int differ = 0;
  for (int c = 0; c < b.bits; ++c) {
    EXPECT_EQ(std::abs(b.states.at(0, c)), 1);
    differ += b.states.at(0, c) != b.states.at(1, c) ? 1 : 0;
  }
  EXPECT_EQ(differ, 15);
  for (std::size_t n = 1; n < b.trace.energy.size(); ++n) EXPECT_LE(b.trace.energy[n], b.trace.energy[n - 1]);
  const QuantitySource from{few->scene, *few};
  EXPECT_EQ(quantity_value(*parse_quantity("binary_overlap update=0"), from), b.trace.overlap.front());
  EXPECT_EQ(quantity_value(*parse_quantity("binary_overlap"), from), b.trace.overlap.back());
  EXPECT_EQ(quantity_value(*parse_quantity("binary_energy"), from), b.trace.energy.back());
  EXPECT_EQ(quantity_value(*parse_quantity("binary_load"), from), 0.06);
  EXPECT_EQ(quantity_value(*parse_quantity("binary_recovered"), from), b.recovered);

  const auto many = results_of(memory_scene({"memory_patterns=40"}));
  EXPECT_LE(many->own_as<MemoryResults>()->binary->recovered, 10) << "0.4 D";
  // The inverse, and no more flips than bits.
  const auto inverse = results_of(memory_scene({"memory_flips=95"}));
  EXPECT_LE(inverse->own_as<MemoryResults>()->binary->trace.overlap.back(), -0.9);
  EXPECT_EQ(results_of(memory_scene({"memory_flips=256", "memory_bits=20"}))
                ->own_as<MemoryResults>()
                ->binary->flips,
            20);
  // The other network does not know of it.
  EXPECT_EQ(few->own_as<MemoryResults>()->retrieval.recovered_at,
            inverse->own_as<MemoryResults>()->retrieval.recovered_at);
}

}  // namespace
}  // namespace headlight::scene::memory_further_test
