#include "network/sampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "nn/random.h"

namespace headlight::nn {
namespace {

constexpr float none = -std::numeric_limits<float>::infinity();

TEST(Sampling, ProbabilitiesAreTheSoftmaxOfTheLogits) {
  const std::vector<float> logits{1, 3, 2, none};
  const auto p = probabilities_of(logits);
  const double sum = std::exp(1.) + std::exp(2.) + std::exp(3.);
  EXPECT_NEAR(p[0], std::exp(1.) / sum, 1e-15);
  EXPECT_NEAR(p[1], std::exp(3.) / sum, 1e-15);
  EXPECT_EQ(p[3], 0);
  const auto cold = probabilities_of(logits, 0.5);
  EXPECT_NEAR(cold[1] / cold[2], std::exp(2.), 1e-12);
  EXPECT_EQ(probabilities_of(logits, 0), (std::vector<double>{0, 1, 0, 0}));
  EXPECT_EQ(probabilities_of(std::vector<float>{none, none}), (std::vector<double>{0, 0}));
  // Large logits are no overflow.
  EXPECT_NEAR(probabilities_of(std::vector<float>{3e38f, 3e38f})[0], 0.5, 1e-15);
}

TEST(Sampling, AFollowerHasItsProbabilityRankAndLoss) {
  const std::vector<float> logits{1, 3, 2, none};
  const auto one = follower(logits, 4, 2);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->position, 4);
  EXPECT_EQ(one->next, 2);
  EXPECT_EQ(one->rank, 2);
  EXPECT_NEAR(one->probability, std::exp(2.) / (std::exp(1.) + std::exp(2.) + std::exp(3.)), 1e-15);
  EXPECT_NEAR(one->loss, -std::log(one->probability), 1e-15);
  // A temperature changes the probability, not the rank; at 0 all is the first one's.
  EXPECT_LT(follower(logits, 4, 2, 0.5)->probability, one->probability);
  EXPECT_EQ(follower(logits, 4, 0, 0)->rank, 3);
  EXPECT_EQ(follower(logits, 4, 0, 0)->probability, 0);
  EXPECT_TRUE(std::isinf(follower(logits, 4, 3)->loss));
  // Too improbable for a number, but not for a loss: 1 − 3 is 2,000 below at this temperature.
  EXPECT_EQ(follower(logits, 4, 0, 0.001)->probability, 0);
  EXPECT_NEAR(follower(logits, 4, 0, 0.001)->loss, 2000, 1e-9);
  EXPECT_FALSE(follower(std::vector<float>{none, none}, 0, 0));
}

TEST(Sampling, ARankingHasOnlyTokensWithAProbability) {
  const std::vector<float> logits{1, 3, 2, none};
  const auto all = ranking(logits, 7, 10);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->position, 7);
  ASSERT_EQ(all->top.size(), 3u);
  EXPECT_EQ(all->top[0].id, 1);
  EXPECT_EQ(all->top[2].id, 0);
  EXPECT_EQ(ranking(logits, 0, 2)->top.size(), 2u);
  EXPECT_EQ(ranking(logits, 0, 10, 0)->top.size(), 1u);
  EXPECT_FALSE(ranking(std::vector<float>{none}, 0, 1));
}

TEST(Sampling, RanksCountThoseThatHaveMore) {
  const std::vector<double> p{0.1, 0.4, 0.4, 0.1};
  EXPECT_EQ(rank_of(p, 1), 1);
  EXPECT_EQ(rank_of(p, 2), 1);
  EXPECT_EQ(rank_of(p, 0), 3);
  const auto top = most_probable(p, 3);
  ASSERT_EQ(top.size(), 3u);
  EXPECT_EQ(top[0].id, 1) << "of equals the smaller id";
  EXPECT_EQ(top[1].id, 2);
  EXPECT_EQ(top[2].id, 0);
}

TEST(Sampling, TopKAndTopPLeaveTheLargest) {
  // Probabilities 0.5, 0.25, 0.125, 0.125.
  const std::vector<float> logits{std::log(4.f), std::log(2.f), 0, 0};
  const auto ids = [&](const Sampling& s) {
    std::vector<int> out;
    double sum = 0;
    for (const auto& one : candidates(logits, s)) out.push_back(one.id), sum += one.probability;
    EXPECT_NEAR(sum, 1, 1e-12);
    return out;
  };
  EXPECT_EQ(ids({}), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(ids({.top_k = 2}), (std::vector<int>{0, 1}));
  EXPECT_EQ(ids({.top_p = 0.5}), (std::vector<int>{0}));
  EXPECT_EQ(ids({.top_p = 0.51}), (std::vector<int>{0, 1}));
  EXPECT_EQ(ids({.top_k = 2, .top_p = 0.6}), (std::vector<int>{0})) << "2/3 of what is left is enough";
  EXPECT_EQ(ids({.temperature = 0}), (std::vector<int>{0}));
  EXPECT_EQ(ids({.top_p = 0}), (std::vector<int>{0})) << "one is always left";
  EXPECT_TRUE(candidates(std::vector<float>{none, std::nanf("")}, {}).empty());
}

TEST(Sampling, DrawsHaveTheProbabilities) {
  const std::vector<float> logits{std::log(4.f), std::log(2.f), 0, 0};
  const auto from = candidates(logits, {});
  const Random random(7, 1);
  std::map<int, int> counts;
  constexpr int draws = 40'000;
  for (int i = 0; i < draws; ++i) ++counts[drawn(from, random.uniform(static_cast<std::uint64_t>(i)))];
  for (const TokenProbability& one : from) {
    // Within five standard deviations of a binomial distribution.
    const double sigma = std::sqrt(one.probability * (1 - one.probability) / draws);
    EXPECT_NEAR(counts[one.id] / double(draws), one.probability, 5 * sigma) << one.id;
  }
  EXPECT_EQ(drawn({}, 0.5), -1);
  EXPECT_EQ(drawn(from, 1), 3);
}

}  // namespace
}  // namespace headlight::nn
