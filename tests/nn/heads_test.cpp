// What order and heads do, whatever the numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "nn/head_roles.h"
#include "nn/order.h"
#include "nn/reference.h"
#include "nn/reference_variants.h"
#include "nn/small_random.h"

namespace headlight::nn {
namespace {

struct PermutationResidual {
  double output = 0;   // max |A(πX) − π A(X)| over the output
  double weights = 0;  // the same over the maps, rows and columns permuted
};

Matrix sum(const Matrix& x, const Matrix& p) {
  Matrix out = x;
  if (p.empty()) return out;
  HEADLIGHT_CHECK_OP(x.rows(), ==, p.rows());
  HEADLIGHT_CHECK_OP(x.cols(), ==, p.cols());
  for (std::size_t i = 0; i < out.size(); ++i) out.data()[i] += p.data()[i];
  return out;
}

double difference(float a, float b) {
  return std::fabs(static_cast<double>(a) - static_cast<double>(b));
}

/// Runs attention_forward() twice. `positions` [T, D], or empty, is added after the tokens are permuted, so
/// it is not permuted itself. The residual is zero up to rounding without positions and without a mask.
PermutationResidual permutation_residual(const Matrix& x, const Matrix& positions, std::span<const int> order,
                                         const AttentionWeights& weights, const AttentionOptions& options,
                                         base::Parallel& parallel) {
  const Matrix straight = sum(x, positions), moved = sum(permuted_rows(x, order), positions);
  AttentionTrace a, b;
  attention_forward(straight, straight, weights, options, parallel, a);
  attention_forward(moved, moved, weights, options, parallel, b);
  PermutationResidual residual;
  for (int t = 0; t < x.rows(); ++t) {
    const int from = order[static_cast<std::size_t>(t)];
    for (int c = 0; c < a.output.cols(); ++c) {
      residual.output = std::max(residual.output, difference(b.output.at(t, c), a.output.at(from, c)));
    }
    for (int head = 0; head < a.heads; ++head) {
      const std::span<const float> got = b.weights.row(head, t), want = a.weights.row(head, from);
      for (std::size_t s = 0; s < got.size(); ++s) {
        residual.weights =
            std::max(residual.weights, difference(got[s], want[static_cast<std::size_t>(order[s])]));
      }
    }
  }
  return residual;
}

TEST(Order, WithoutPositionsAttentionKnowsNone) {
  const Matrix x = random_matrix(20, 12, 36), p = random_matrix(20, 12, 37), none;
  const AttentionWeights weights = random_attention_weights(12, 12, 38);
  std::vector<int> order(20);
  std::iota(order.begin(), order.end(), 0);
  std::rotate(order.begin(), order.begin() + 7, order.end());
  std::swap(order[2], order[11]);
  AttentionOptions options = with_heads(3);
  const PermutationResidual bare = permutation_residual(x, none, order, weights, options, threads());
  EXPECT_LT(bare.output, 1e-5);
  EXPECT_LT(bare.weights, 1e-6);
  EXPECT_GT(permutation_residual(x, p, order, weights, options, threads()).output, 0.05);
  options.mask.causal = true;
  EXPECT_GT(permutation_residual(x, none, order, weights, options, threads()).output, 0.05);
}

TEST(Order, TheFourPartsAddUpToTheScore) {
  const Matrix x = random_matrix(14, 10, 39), p = random_matrix(14, 10, 40);
  AttentionWeights weights = random_attention_weights(10, 10, 41);
  weights.b_q = random_matrix(1, 10, 42), weights.b_k = random_matrix(1, 10, 43);
  AttentionOptions options = with_heads(2);
  options.temperature = 1.5f;
  MatrixF64 sum = widened(x);
  for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += static_cast<double>(p.data()[i]);
  const AttentionTraceF64 whole = attention_forward_f64(sum, sum, weights, options);
  const ScoreParts parts = split_scores(x, p, weights, options);
  for (std::size_t i = 0; i < whole.scores.size(); ++i) {
    const double content = parts.content_content.data()[i] + parts.content_position.data()[i];
    const double position = parts.position_content.data()[i] + parts.position_position.data()[i];
    EXPECT_NEAR(content + position, whole.scores.data()[i], 1e-12);
  }
  // The part of the positions is the same whatever stands there.
  const ScoreParts other = split_scores(random_matrix(14, 10, 44), p, weights, options);
  EXPECT_EQ(largest_difference(parts.position_position, other.position_position), 0);
  EXPECT_GT(largest_difference(parts.content_content, other.content_content), 0.1);
}

TEST(Order, ARotationIsAPartOfItsOwn) {
  // Tokens 2 and 9 are the same; nothing is added for positions.
  Matrix x = random_matrix(14, 12, 39);
  std::copy(x.row(2).begin(), x.row(2).end(), x.row(9).begin());
  const Matrix none(14, 12);
  const AttentionWeights weights = random_attention_weights(12, 12, 41);
  for (const RopePairs pairs : {RopePairs::half, RopePairs::interleaved}) {
    AttentionOptions options = with_heads(2);
    const AttentionTraceF64 straight = attention_forward_f64(x, x, weights, options);
    options.rope.emplace().pairs = pairs;
    const AttentionTraceF64 turned = attention_forward_f64(x, x, weights, options);
    const ScoreParts parts = split_scores(x, none, weights, options);
    for (int head = 0; head < 2; ++head) {
      for (int i = 0; i < 14; ++i) {
        // Content alone does not know where a token stands; the rotation does.
        EXPECT_NEAR(parts.content_content.at(head, i, 2), parts.content_content.at(head, i, 9), 1e-12);
        for (int j = 0; j < 14; ++j) {
          EXPECT_NEAR(parts.content_content.at(head, i, j), straight.scores.at(head, i, j), 1e-12);
          EXPECT_NEAR(parts.rotation.at(head, i, j),
                      turned.scores.at(head, i, j) - straight.scores.at(head, i, j), 1e-12);
        }
        EXPECT_NEAR(parts.rotation.at(head, i, i), 0, 1e-12) << "j − i is 0";
      }
    }
    double apart = 0;
    for (int i = 0; i < 14; ++i)
      apart = std::max(apart, std::abs(parts.rotation.at(0, i, 2) - parts.rotation.at(0, i, 9)));
    EXPECT_GT(apart, 0.05);
  }
  EXPECT_TRUE(split_scores(x, none, weights, with_heads(2)).rotation.empty());
}

/// A trace whose three heads look back by one, at the first token, and everywhere alike.
AttentionTrace three_plain_heads(int T) {
  AttentionTrace trace;
  trace.T = trace.S = T, trace.heads = 3, trace.d_k = trace.d_v = 2;
  trace.weights = Matrix(3, T, T);
  trace.row_sum = Matrix(3, T);
  trace.row_sum.fill(1);
  for (int i = 0; i < T; ++i) {
    trace.weights.at(0, i, std::max(0, i - 1)) = 1;
    trace.weights.at(1, i, 0) = 1;
    for (int j = 0; j < T; ++j) trace.weights.at(2, i, j) = 1.0f / static_cast<float>(T);
  }
  return trace;
}

TEST(HeadRoles, NameWhatSimpleHeadsDo) {
  const AttentionTrace trace = three_plain_heads(5);
  const std::vector<int> tokens = {4, 7, 4, 4, 9};
  const std::vector<HeadRoles> roles = head_roles(trace, tokens);
  ASSERT_EQ(roles.size(), 3u);
  EXPECT_EQ(roles[0].previous, 1);
  EXPECT_EQ(roles[0].next, 0);
  EXPECT_EQ(roles[0].first, 0.25);
  EXPECT_EQ(roles[0].diagonal, 0.2);
  EXPECT_NEAR(roles[0].same_token, 1.0 / 3, 1e-12);  // of queries 0, 2, 3 the last one
  EXPECT_EQ(roles[1].first, 1);
  EXPECT_EQ(roles[1].previous, 0.25);
  EXPECT_NEAR(roles[1].same_token, 2.0 / 3, 1e-12);
  EXPECT_NEAR(roles[2].same_token, 0.4, 1e-6);
  EXPECT_NEAR(roles[2].diagonal, 0.2, 1e-6);
  EXPECT_TRUE(std::isnan(head_roles(trace, std::vector<int>{1, 2, 3, 4, 5})[0].same_token));
}

/// Tokens 4 7 4 4 9 7: query 2 follows the copy at 0 (key 1), query 3 that at 2 (which is its own place:
/// none), query 5 that at 1 (key 2).
TEST(HeadRoles, InductionIsTheWeightAfterTheLastEarlierCopy) {
  AttentionTrace trace = three_plain_heads(6);
  trace.weights.at(0, 2, 0) = 0.25f, trace.weights.at(0, 2, 1) = 0.75f;
  trace.weights.at(0, 5, 2) = 0.5f;
  const std::vector<int> tokens = {4, 7, 4, 4, 9, 7};
  const std::vector<HeadRoles> roles = head_roles(trace, tokens);
  EXPECT_NEAR(roles[0].induction, (0.75 + 0.5) / 2, 1e-12);
  EXPECT_EQ(roles[1].induction, 0);
  EXPECT_NEAR(roles[2].induction, 1.0 / 6, 1e-6);
  EXPECT_TRUE(std::isnan(head_roles(trace, std::vector<int>{1, 2, 3, 4, 5, 6})[0].induction));
  EXPECT_TRUE(std::isnan(head_roles(trace, std::vector<int>{1, 1, 3, 4, 5, 6})[0].induction))
      << "the key after the copy would be the query itself";
}

/// Weights alone, and a map in double, say what the trace says.
TEST(HeadRoles, AreTheSameFromWeightsAlone) {
  AttentionTrace trace = three_plain_heads(5);
  for (int j = 0; j < 5; ++j) trace.weights.at(0, 2, j) = 0;
  trace.row_sum.at(0, 2) = 0;
  const std::vector<int> tokens = {4, 7, 4, 4, 9};
  const std::vector<HeadRoles> of_trace = head_roles(trace, tokens),
                               of_weights = head_roles(trace.weights, tokens, threads());
  ASSERT_EQ(of_weights.size(), 3u);
  for (int head = 0; head < 3; ++head) {
    const float* plane = trace.weights.plane(head);
    const HeadRoles map = head_roles(std::vector<double>(plane, plane + 25), tokens);
    const HeadRoles &a = of_trace[static_cast<std::size_t>(head)],
                    &b = of_weights[static_cast<std::size_t>(head)];
    for (const double HeadRoles::*role :
         {&HeadRoles::previous, &HeadRoles::next, &HeadRoles::first, &HeadRoles::diagonal,
          &HeadRoles::same_token, &HeadRoles::induction}) {
      EXPECT_EQ(std::isnan(a.*role), std::isnan(b.*role));
      EXPECT_EQ(std::isnan(a.*role), std::isnan(map.*role));
      if (std::isnan(a.*role)) continue;
      EXPECT_EQ(a.*role, b.*role);
      EXPECT_EQ(a.*role, map.*role);
    }
  }
}

/// Uniform attention is what head_roles() finds in a map whose rows are even over their intervals.
TEST(HeadRolesTest, OfUniformAttention) {
  const std::vector<int> tokens{1, 2, 1, 3, 2};
  const std::vector<base::Interval> causal{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}},
      masked{{0, 0}, {0, 2}, {1, 3}, {2, 5}, {0, 5}};
  for (const auto& allowed : {std::vector<base::Interval>{}, causal, masked}) {
    std::vector<double> map(25, 0);
    for (int i = 0; i < 5; ++i) {
      const base::Interval may =
          allowed.empty() ? base::Interval{0, 5} : allowed[static_cast<std::size_t>(i)];
      for (int j = may.begin; j < may.end; ++j) map[static_cast<std::size_t>(5 * i + j)] = 1.0 / may.size();
    }
    const HeadRoles expected = head_roles(map, tokens), found = uniform_roles(allowed, tokens);
    for (const auto member : {&HeadRoles::previous, &HeadRoles::next, &HeadRoles::first, &HeadRoles::diagonal,
                              &HeadRoles::same_token, &HeadRoles::induction})
      EXPECT_DOUBLE_EQ(found.*member, expected.*member);
  }
  const HeadRoles all = uniform_roles({}, tokens);
  EXPECT_DOUBLE_EQ(all.previous, 0.2);
  EXPECT_DOUBLE_EQ(all.same_token, 0.2) << "each of the four has one other";
  EXPECT_DOUBLE_EQ(uniform_roles(causal, tokens).next, 0) << "the mask forbids it";
}

TEST(HeadRoles, LeaveOutQueriesThatReadNothing) {
  AttentionTrace trace = three_plain_heads(5);
  for (int j = 0; j < 5; ++j) trace.weights.at(0, 2, j) = 0;
  trace.row_sum.at(0, 2) = 0;
  EXPECT_EQ(head_roles(trace, std::vector<int>{1, 2, 3, 4, 5})[0].previous, 1);
}

TEST(HeadSimilarity, IsTheCosineOfTheMaps) {
  const MatrixF64 cosine = head_similarity(three_plain_heads(5), threads());
  for (int head = 0; head < 3; ++head) EXPECT_NEAR(cosine.at(head, head), 1, 1e-12);
  EXPECT_NEAR(cosine.at(0, 1), 0.4, 1e-12);  // two rows of five in common
  EXPECT_EQ(cosine.at(0, 1), cosine.at(1, 0));
  EXPECT_NEAR(cosine.at(0, 2), 1 / std::sqrt(5.0), 1e-6);
  AttentionTrace masked = three_plain_heads(5);
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) masked.weights.at(1, i, j) = 0;
  }
  for (const MatrixF64& of :
       {head_similarity(masked, threads()), head_similarity(masked, masked, threads())}) {
    EXPECT_TRUE(std::isnan(of.at(1, 1)) && std::isnan(of.at(0, 1))) << "a map of zeros has no direction";
    EXPECT_NEAR(of.at(0, 2), 1 / std::sqrt(5.0), 1e-6);
  }
}

TEST(HeadEffects, AreTheChangeOfTheOutput) {
  const Matrix x = random_matrix(19, 12, 45);
  for (const bool joined : {false, true}) {
    AttentionWeights weights = random_attention_weights(12, 12, 46);
    weights.b_o = random_matrix(1, 12, 47);
    if (joined) weights.w_o = {}, weights.b_o = {};
    AttentionTrace trace;
    attention_forward(x, x, weights, with_heads(3), threads(), trace);
    const std::vector<HeadEffect> effects = head_effects(trace, weights);
    const std::vector<unsigned char> all = {1, 1, 1};
    EXPECT_LT(largest_difference(output_with_heads(trace, weights, all, threads()), trace.output), 1e-6);
    const Matrix none = output_with_heads(trace, weights, std::vector<unsigned char>{0, 0, 0}, threads());
    const auto distance = [](const Matrix& a, const Matrix& b) {
      double square = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        square += std::pow(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i]), 2);
      }
      return std::sqrt(square);
    };
    for (std::size_t head = 0; head < 3; ++head) {
      std::vector<unsigned char> on = all;
      on[head] = 0;
      const Matrix without = output_with_heads(trace, weights, on, threads());
      EXPECT_NEAR(effects[head].change, distance(trace.output, without), 1e-5);
      // Of the whole output: the bias W_O adds is part of it.
      Matrix zero = none;
      zero.fill(0);
      EXPECT_NEAR(effects[head].share, distance(trace.output, without) / distance(trace.output, zero), 1e-5);
      EXPECT_GT(effects[head].share, 0.05);
    }
  }
}

}  // namespace
}  // namespace headlight::nn
