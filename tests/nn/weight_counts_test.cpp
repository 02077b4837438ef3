#include "nn/weight_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace headlight::nn::weight_counts_test {
namespace {

/// Rows of a hundred weights, or one row of fewer.
WeightCounts count(const std::vector<float>& values) {
  const int size = static_cast<int>(values.size()), rows = size % 100 == 0 ? std::max(1, size / 100) : 1;
  return count_weights(values.data(), rows, size / rows, {});
}

TEST(WeightCounts, TheEndIsTheNinetyNinthPercentileRoundedUp) {
  // 0.0001 … 0.0500: the 99th percentile is 0.0495, the next step 0.05.
  std::vector<float> values;
  for (int i = 1; i <= 500; ++i) values.push_back(static_cast<float>(i) * 1e-4f);
  EXPECT_FLOAT_EQ(count(values).end().end, 0.05f);
  EXPECT_EQ(count(values).end().above, 0);
  // Of 500 weights, five may be larger: of six, the smallest has its step.
  values.assign(500, 0.015f);
  for (int i = 0; i < 5; ++i) values[static_cast<std::size_t>(i) * 7] = 0.9f;
  EXPECT_FLOAT_EQ(count(values).end().end, 0.02f);
  EXPECT_DOUBLE_EQ(count(values).end().above, 0.01);
  values[400] = 0.03f;
  EXPECT_FLOAT_EQ(count(values).end().end, 0.05f);
  EXPECT_DOUBLE_EQ(count(values).end().above, 0.01);
  values[401] = 0.9f;
  EXPECT_FLOAT_EQ(count(values).end().end, 1.f);
  EXPECT_EQ(count(values).end().above, 0);
}

TEST(WeightCounts, OfFewWeightsNoneIsAbove) {
  EXPECT_FLOAT_EQ(count({0.2f, 0.3f, 0.5f}).end().end, 0.5f);
  EXPECT_FLOAT_EQ(count({0.2f, 0.3f, 0.51f}).end().end, 1.f);
  EXPECT_FLOAT_EQ(count({1, 1, 1}).end().end, 1.f);
  EXPECT_FLOAT_EQ(count({}).end().end, 1.f);
  EXPECT_FLOAT_EQ(count({0, 0, 0}).end().end, 1.f);
  EXPECT_FLOAT_EQ(count({1e-9f, 0, 0}).end().end, 1.f);
  EXPECT_FLOAT_EQ(count({3, -7, 0.1f}).end().end, 1.f) << "never above 1";
}

TEST(WeightCounts, AStepItselfIsNotAboveIt) {
  for (const float step : WeightCounts::steps) {
    if (step == WeightCounts::steps.front()) continue;  // nothing is larger than the smallest: see above
    const std::vector<float> same(200, step);
    EXPECT_EQ(count(same).end().end, step);
    if (step == 1) continue;
    EXPECT_GT(count(std::vector<float>(200, std::nextafterf(step, 2))).end().end, step);
  }
}

TEST(WeightCounts, SignsDoNotMatterAndWhatIsNotFiniteIsLeftOut) {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(count({0.03f, -0.03f, 0.2f}), count({-0.03f, 0.03f, -0.2f}));
  EXPECT_EQ(count({0.03f, inf, nan, -inf}), count({0.03f}));
}

TEST(WeightCounts, MaskedCellsAreNotCountedAndMapsAddUp) {
  const std::vector<float> map{0.5f, 0, 0, 0.3f, 0.7f, 0, 0.1f, 0.2f, 0.7f};
  const std::vector<base::Interval> causal{{0, 1}, {0, 2}, {0, 3}};
  const WeightCounts below = count_weights(map.data(), 3, 3, causal);
  EXPECT_EQ(below, count({0.5f, 0.3f, 0.7f, 0.1f, 0.2f, 0.7f}));
  WeightCounts twice = below;
  twice += below;
  EXPECT_EQ(twice, count({0.5f, 0.3f, 0.7f, 0.1f, 0.2f, 0.7f, 0.5f, 0.3f, 0.7f, 0.1f, 0.2f, 0.7f}));
}

TEST(WeightCounts, OfALongMapTheLargestOfEachSquareCounts) {
  constexpr int n = 350;  // squares of 3 × 3: 117 × 117
  ASSERT_EQ(cells_in_count(n), 3);
  EXPECT_EQ(cells_in_count(128), 1);
  EXPECT_EQ(cells_in_count(129), 2);
  std::vector<float> map(static_cast<std::size_t>(n) * n, 0.001f);
  for (int i = 0; i < n; ++i)  // one of each square on a diagonal, and both ends of it
    map[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(i)] = 0.3f;
  base::Parallel threads(3);
  const WeightCounts all = count_weights(map.data(), n, n, {}, &threads);
  EXPECT_EQ(all, count_weights(map.data(), n, n, {}));
  std::uint64_t total = 0;
  for (const std::uint64_t one : all.in) total += one;
  EXPECT_EQ(total, 117u * 117u);
  EXPECT_EQ(all.in[17], 117u);  // 0.2 < 0.3 ≤ 0.5
  // Squares of which nothing is allowed are no part of it.
  std::vector<base::Interval> causal;
  for (int i = 0; i < n; ++i) causal.push_back({0, i + 1});
  total = 0;
  for (const std::uint64_t one : count_weights(map.data(), n, n, causal, &threads).in) total += one;
  EXPECT_EQ(total, 117u * 118u / 2);
}

}  // namespace
}  // namespace headlight::nn::weight_counts_test
