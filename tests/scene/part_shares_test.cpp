// The share of each part in what the scores distinguish, against its definition; what the offset explains,
// against parts that are made of it; and shuffled projections.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "nn/random.h"
#include "pages/compute.h"
#include "pages/order/order.h"
#include "scene/settings.h"

namespace headlight::scene::part_shares_test {
namespace {

using nn::MatrixF64;

nn::AttentionTrace trace_of(int n, bool causal) {
  nn::AttentionTrace trace;
  trace.T = trace.S = n;
  for (int i = 0; i < n; ++i) trace.allowed.push_back({0, causal ? i + 1 : n});
  return trace;
}

std::vector<MatrixF64> random_parts(int count, int heads, int n) {
  std::vector<MatrixF64> parts;
  for (int which = 0; which < count; ++which) {
    MatrixF64& part = parts.emplace_back(heads, n, n);
    const nn::Random random(5, static_cast<std::uint64_t>(which));
    for (std::size_t i = 0; i < part.size(); ++i)
      part.data()[i] = (which + 1) * static_cast<double>(random.normal(i));
  }
  return parts;
}

/// Every row less its mean over the keys that are allowed; 0 elsewhere.
std::vector<double> centred(const MatrixF64& part, int head, const nn::AttentionTrace& trace) {
  std::vector<double> out;
  for (int i = 0; i < trace.T; ++i) {
    const base::Interval keys = trace.allowed[static_cast<std::size_t>(i)];
    double mean = 0;
    for (int j = keys.begin; j < keys.end; ++j) mean += part.at(head, i, j) / keys.size();
    for (int j = 0; j < trace.T; ++j) out.push_back(keys.has(j) ? part.at(head, i, j) - mean : 0);
  }
  return out;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(PartShares, AreThoseOfTheDefinition) {
  for (const bool causal : {false, true}) {
    const nn::AttentionTrace trace = trace_of(7, causal);
    const std::vector<MatrixF64> parts = random_parts(5, 2, 7);
    const auto shares = part_shares(parts, trace);
    ASSERT_EQ(shares.size(), 2u);
    for (int head = 0; head < 2; ++head) {
      std::vector<double> scores(49, 0);
      for (const MatrixF64& part : parts) {
        const auto one = centred(part, head, trace);
        for (std::size_t i = 0; i < one.size(); ++i) scores[i] += one[i];
      }
      const PartShares& found = shares[static_cast<std::size_t>(head)];
      double sum = 0;
      for (std::size_t which = 0; which < parts.size(); ++which) {
        EXPECT_NEAR(found.part[which],
                    product(centred(parts[which], head, trace), scores) / product(scores, scores), 1e-12);
        sum += found.part[which];
      }
      EXPECT_NEAR(sum, 1, 1e-12);
      EXPECT_NEAR(found.variance, product(scores, scores) / (causal ? 28 : 49), 1e-12);
    }
  }
}

TEST(PartShares, WhatIsTheSameForAllKeysChangesNone) {
  const nn::AttentionTrace trace = trace_of(6, false);
  std::vector<MatrixF64> parts = random_parts(4, 1, 6);
  const PartShares before = part_shares(parts, trace).front();
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) parts[1].at(0, i, j) += 10.0 * i, parts[3].at(0, i, j) -= 3.0 * i * i;
  const PartShares after = part_shares(parts, trace).front();
  for (int which = 0; which < 4; ++which) EXPECT_NEAR(before.part[which], after.part[which], 1e-9);
  EXPECT_NEAR(before.variance, after.variance, 1e-9);
  EXPECT_NEAR(before.by_offset, after.by_offset, 1e-7);
}

/// A part that turns with the offset is explained by it wholly; noise that is added is not.
TEST(PartShares, TheOffsetExplainsWhatIsMadeOfIt) {
  for (const bool causal : {false, true}) {
    const int n = 24;
    const nn::AttentionTrace trace = trace_of(n, causal);
    std::vector<MatrixF64> parts(4, MatrixF64(1, n, n));
    MatrixF64 noise(1, n, n);
    const nn::Random random(3, 1);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        parts[3].at(0, i, j) = std::sin(0.7 * (j - i)) + 0.2 * std::cos(2.1 * (j - i)) + 0.3 * i;
        noise.at(0, i, j) = static_cast<double>(random.normal(static_cast<std::uint64_t>(i * n + j)));
      }
    }
    EXPECT_NEAR(part_shares(parts, trace).front().by_offset, 1, 1e-7);
    const auto made_of_offset = centred(parts[3], 0, trace);
    double last = 1;
    for (const double much : {0.1, 0.3, 1.0}) {
      std::vector<MatrixF64> mixed = parts;
      for (std::size_t i = 0; i < noise.size(); ++i) mixed[3].data()[i] += much * noise.data()[i];
      const double share = part_shares(mixed, trace).front().by_offset;
      EXPECT_LT(share, last);
      // At least as much as that function itself explains: the fit is the best one.
      const auto whole = centred(mixed[3], 0, trace);
      std::vector<double> rest = whole;
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= made_of_offset[i];
      EXPECT_GE(share, 1 - product(rest, rest) / product(whole, whole) - 1e-9);
      last = share;
    }
    EXPECT_LT(last, 0.6);
  }
}

TEST(PartShares, WhereNothingDiffersThereIsNone) {
  const nn::AttentionTrace trace = trace_of(4, false);
  std::vector<MatrixF64> parts(4, MatrixF64(1, 4, 4));
  PartShares none = part_shares(parts, trace).front();
  EXPECT_TRUE(std::isnan(none.part[0]) && std::isnan(none.by_offset));
  EXPECT_EQ(none.variance, 0);
  parts[0].at(0, 1, 2) = 1;
  none = part_shares(parts, trace).front();
  EXPECT_NEAR(none.part[0], 1, 1e-12);
  EXPECT_EQ(none.part[3], 0);
  EXPECT_TRUE(std::isnan(none.by_offset));
  parts[3].at(0, 0, 0) = std::nan("");
  EXPECT_TRUE(std::isnan(part_shares(parts, trace).front().by_offset));
  EXPECT_TRUE(part_shares({}, trace).empty());
}

/// The same numbers in each head, at other places, and always at the same ones.
TEST(PartShares, ShufflingKeepsTheNumbersOfEachHead) {
  nn::AttentionWeights weights;
  weights.w_q = nn::Matrix(12, 8), weights.w_k = nn::Matrix(12, 8), weights.b_q = nn::Matrix(1, 8);
  float next = 0;
  for (nn::Matrix* one : {&weights.w_q, &weights.w_k, &weights.b_q})
    for (float& value : one->values()) value = ++next;
  nn::AttentionWeights shuffled = weights, again = weights;
  ASSERT_TRUE(shuffle_projections(2, shuffled));
  ASSERT_TRUE(shuffle_projections(2, again));
  EXPECT_TRUE(shuffled.b_k.empty());
  const auto of_head = [](const nn::Matrix& m, int head) {
    std::vector<float> out;
    for (int r = 0; r < m.rows(); ++r)
      for (int c = 4 * head; c < 4 * head + 4; ++c) out.push_back(m.at(r, c));
    return out;
  };
  const auto sorted = [](std::vector<float> values) {
    std::sort(values.begin(), values.end());
    return values;
  };
  for (int head = 0; head < 2; ++head) {
    for (const auto member :
         {&nn::AttentionWeights::w_q, &nn::AttentionWeights::w_k, &nn::AttentionWeights::b_q}) {
      const auto before = of_head(weights.*member, head), after = of_head(shuffled.*member, head);
      EXPECT_EQ(sorted(before), sorted(after));
      if (before.size() > 4) {  // four can come back by chance
        EXPECT_NE(before, after);
      }
      EXPECT_EQ(after, of_head(again.*member, head));
    }
    EXPECT_NE(of_head(shuffled.w_q, head), of_head(shuffled.w_k, head));
  }
  nn::AttentionWeights large;
  large.w_q = nn::Matrix(2048, 2048), large.w_k = nn::Matrix(2048, 2048);
  EXPECT_FALSE(shuffle_projections(2, large));
}

/// Of a layer of random weights: every first layer has both, a deeper one has none.
TEST(PartShares, ThePageHasThemOfTheFirstLayer) {
  base::Parallel parallel(1);
  Scene scene;
  scene.page = Page::order;
  const auto results = compute_now(scene, parallel, nullptr);
  const OrderParts& parts = results->own_as<scene::OrderResults>()->parts;
  ASSERT_EQ(parts.shares.size(), static_cast<std::size_t>(scene.heads));
  ASSERT_EQ(parts.shuffled.size(), parts.shares.size());
  for (const auto* all : {&parts.shares, &parts.shuffled}) {
    for (const PartShares& one : *all) {
      EXPECT_NEAR(one.part[0] + one.part[1] + one.part[2] + one.part[3], 1, 1e-9);
      EXPECT_GT(one.by_offset, 0);
      EXPECT_LE(one.by_offset, 1);
    }
  }
  // The maps with shuffled entries are those that the shuffled shares are of: the shares follow from them.
  ASSERT_EQ(parts.shuffled_span.size(), parts.shuffled.size());
  nn::MatrixF64 again[4];
  for (int which = 0; which < 4; ++which) {
    const nn::Matrix& map = parts.shuffled_map[which];
    ASSERT_EQ(map.rows(), parts.tokens);
    again[which].resize(scene.heads, parts.tokens, parts.tokens);
    bool differs = false;
    for (std::size_t i = 0; i < map.size(); ++i) {
      again[which].data()[i] = static_cast<double>(map.data()[i]);
      differs |= map.data()[i] != parts.map[which].data()[i];
    }
    EXPECT_TRUE(differs);
  }
  const std::vector<PartShares> of_maps = part_shares(again, results->attention);
  for (std::size_t head = 0; head < of_maps.size(); ++head)
    EXPECT_NEAR(of_maps[head].part[3], parts.shuffled[head].part[3], 1e-5);
  ASSERT_TRUE(set_field(scene, "model=dictionary"));
  scene.weights_layer = 4;
  repair(scene);
  const auto deeper = compute_now(scene, parallel, nullptr);
  EXPECT_TRUE(deeper->own_as<scene::OrderResults>()->parts.shares.empty() &&
              deeper->own_as<scene::OrderResults>()->parts.shuffled.empty());
}

}  // namespace
}  // namespace headlight::scene::part_shares_test
