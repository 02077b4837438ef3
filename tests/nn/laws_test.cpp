// What holds for attention whatever the numbers: for both the float32 path and its double twin.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "nn/attention.h"
#include "nn/positional.h"
#include "nn/random.h"
#include "nn/reference.h"
#include "small_random.h"
#include "support/oracles.h"

namespace headlight::nn::laws_test {
namespace {

AttentionTrace forward(const Matrix& x, const AttentionWeights& weights, const AttentionOptions& options) {
  AttentionTrace trace;
  attention_forward(x, x, weights, options, threads(), trace);
  return trace;
}

AttentionTrace from_qkv(const Matrix& q, const Matrix& k, const Matrix& v, const AttentionOptions& options) {
  AttentionTrace trace;
  trace.q = q, trace.k = k, trace.v = v;
  attention_from_qkv(options, threads(), trace);
  return trace;
}

struct Shape {
  int T, d, heads;
};
void PrintTo(const Shape& s, std::ostream* out) {
  *out << "T" << s.T << "_d" << s.d << "_h" << s.heads;
}

/// Sizes on both sides of what kernels cut by: one token, one column, odd widths, one head and as many as
/// columns.
class Laws : public testing::TestWithParam<Shape> {
 protected:
  int T = GetParam().T, d = GetParam().d, heads = GetParam().heads;
  Matrix x = random_matrix(T, d, 1);
  AttentionWeights weights = random_attention_weights(d, d, 3);
  AttentionOptions options = [this] {
    AttentionOptions o;
    o.heads = heads;
    o.keep_scores = true;
    return o;
  }();
};

INSTANTIATE_TEST_SUITE_P(Shapes, Laws,
                         testing::Values(Shape{1, 1, 1}, Shape{1, 8, 2}, Shape{2, 3, 3}, Shape{3, 5, 1},
                                         Shape{7, 6, 6}, Shape{16, 15, 3}, Shape{22, 32, 4}, Shape{33, 21, 7},
                                         Shape{65, 64, 64}, Shape{130, 24, 2}, Shape{257, 16, 1}),
                         testing::PrintToStringParamName());

TEST_P(Laws, TheFastPathAgreesWithTheTwin) {
  for (const bool causal : {false, true}) {
    for (const bool divide : {false, true}) {
      options.mask.causal = causal;
      options.divide_by_sqrt_d_k = divide;
      const AttentionTrace trace = forward(x, weights, options);
      const AttentionTraceF64 twin = attention_forward_f64(x, x, weights, options);
      EXPECT_LT(weights_residual(trace, twin), 2e-5);
      for (std::size_t i = 0; i < trace.output.size(); ++i) {
        ASSERT_NEAR(static_cast<double>(trace.output.data()[i]), twin.output.data()[i], 5e-5);
      }
      for (std::size_t i = 0; i < trace.scores.size(); ++i) {
        const double want = twin.scores.data()[i];
        ASSERT_NEAR(static_cast<double>(trace.scores.data()[i]), want, 2e-5 * (1 + std::fabs(want)));
      }
    }
  }
}

TEST_P(Laws, RowsSumToOneAndNoWeightIsNegative) {
  const AttentionTrace trace = forward(x, weights, options);
  for (int head = 0; head < heads; ++head) {
    for (int t = 0; t < T; ++t) {
      double sum = 0;
      for (float a : trace.weights.row(head, t)) {
        ASSERT_GE(a, 0);
        ASSERT_LE(a, 1.000001f);
        sum += static_cast<double>(a);
      }
      ASSERT_NEAR(sum, 1, 2e-6);
    }
  }
}

TEST_P(Laws, MaskedWeightsAreExactlyZeroAndTheRestSumsToOne) {
  options.mask.causal = true;
  options.mask.window_left = 3;
  options.mask.valid_length = std::max(1, T - 2);
  const AttentionTrace trace = forward(x, weights, options);
  const AttentionTraceF64 twin = attention_forward_f64(x, x, weights, options);
  for (int head = 0; head < heads; ++head) {
    for (int i = 0; i < T; ++i) {
      double sum = 0;
      bool any = false;
      for (int j = 0; j < T; ++j) {
        const bool may = j <= i && j >= i - 3 && j < std::max(1, T - 2);
        any = any || may;
        sum += static_cast<double>(trace.weights.at(head, i, j));
        if (may) {
          ASSERT_GT(trace.weights.at(head, i, j), 0);
        } else {
          ASSERT_EQ(trace.weights.at(head, i, j), 0);
          ASSERT_EQ(twin.weights.at(head, i, j), 0);
        }
      }
      ASSERT_NEAR(sum, any ? 1 : 0, 2e-6);
    }
  }
}

TEST_P(Laws, WithoutPositionsTokensMayBePermuted) {
  std::vector<int> order(static_cast<std::size_t>(T));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [](int a, int b) { return a * 7919 % 263 < b * 7919 % 263; });
  Matrix moved(T, d);
  for (int t = 0; t < T; ++t) {
    const auto from = x.row(order[static_cast<std::size_t>(t)]);
    std::copy(from.begin(), from.end(), moved.row(t).begin());
  }
  const AttentionTrace a = forward(x, weights, options), b = forward(moved, weights, options);
  for (int i = 0; i < T; ++i) {
    const int from = order[static_cast<std::size_t>(i)];
    for (int c = 0; c < d; ++c) ASSERT_NEAR(b.output.at(i, c), a.output.at(from, c), 2e-5);
    for (int j = 0; j < T; ++j) {
      ASSERT_NEAR(b.weights.at(0, i, j), a.weights.at(0, from, order[static_cast<std::size_t>(j)]), 2e-6);
    }
  }
}

TEST_P(Laws, AddingTheSameToAllScoresOfARowChangesNothing) {
  PairMask pairs;
  pairs.add = Matrix(1, T, T);
  for (int i = 0; i < T; ++i) {
    for (int j = 0; j < T; ++j) pairs.add.at(0, i, j) = static_cast<float>(i % 5 * 8 - 16);
  }
  const AttentionTrace plain = forward(x, weights, options);
  options.pairs = &pairs;
  const AttentionTrace shifted = forward(x, weights, options);
  for (std::size_t i = 0; i < plain.weights.size(); ++i) {
    ASSERT_NEAR(shifted.weights.data()[i], plain.weights.data()[i], 1e-5);
  }
}

TEST_P(Laws, TheTemperatureSharpensAndFlattens) {
  options.temperature = 1e6f;
  const AttentionTrace flat = forward(x, weights, options);
  for (float a : flat.weights.values()) ASSERT_NEAR(a, 1.0f / static_cast<float>(T), 1e-5);

  options.temperature = 1;
  const AttentionTraceF64 twin = attention_forward_f64(x, x, weights, options);
  options.temperature = 1e-6f;
  const AttentionTrace sharp = forward(x, weights, options);
  for (int head = 0; head < heads; ++head) {
    for (int t = 0; t < T; ++t) {
      const auto scores = twin.scores.row(head, t);
      const auto best = std::max_element(scores.begin(), scores.end());
      double gap = 1e9;
      for (auto s = scores.begin(); s != scores.end(); ++s) {
        if (s != best) gap = std::min(gap, *best - *s);
      }
      if (gap < 1e-4) continue;  // a tie as far as float32 can tell
      const auto row = sharp.weights.row(head, t);
      for (std::size_t j = 0; j < row.size(); ++j) {
        ASSERT_NEAR(row[j], static_cast<std::ptrdiff_t>(j) == best - scores.begin() ? 1 : 0, 1e-6);
      }
    }
  }
}

TEST_P(Laws, TheTraceHangsTogether) {
  const AttentionTrace trace = forward(x, weights, options);
  EXPECT_EQ(trace.T, T);
  EXPECT_EQ(trace.S, T);
  EXPECT_EQ(trace.heads, heads);
  EXPECT_EQ(trace.d_k, d / heads);
  for (int head = 0; head < heads; ++head) {
    for (int i = 0; i < T; ++i) {
      float largest = -std::numeric_limits<float>::infinity();
      for (float s : trace.scores.row(head, i)) largest = std::max(largest, s);
      double sum = 0;
      for (float s : trace.scores.row(head, i))
        sum += std::exp(static_cast<double>(s - trace.row_max.at(head, i)));
      ASSERT_NEAR(trace.row_max.at(head, i), largest, 1e-5);
      ASSERT_NEAR(static_cast<double>(trace.row_sum.at(head, i)), sum, 2e-5 * sum);
      for (int c = 0; c < trace.d_v; ++c) {
        double value = 0;
        for (int j = 0; j < T; ++j) {
          value += static_cast<double>(trace.weights.at(head, i, j)) *
                   static_cast<double>(trace.value(head, j)[c]);
        }
        ASSERT_NEAR(static_cast<double>(trace.context.at(i, head * trace.d_v + c)), value, 2e-5);
      }
    }
  }
  options.keep_scores = false;
  const AttentionTrace without = forward(x, weights, options);
  EXPECT_TRUE(without.scores.empty());
  const Matrix scores = attention_scores(without, nullptr, threads());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    ASSERT_NEAR(scores.data()[i], trace.scores.data()[i], 1e-5f * (1 + std::fabs(trace.scores.data()[i])));
  }
}

TEST_P(Laws, TheResultDoesNotDependOnTheThreads) {
  AttentionTrace one, three;
  base::Parallel single(1), several(3);
  attention_forward(x, x, weights, options, single, one);
  attention_forward(x, x, weights, options, several, three);
  EXPECT_EQ(0, std::memcmp(one.weights.data(), three.weights.data(), one.weights.size() * sizeof(float)));
  EXPECT_EQ(0, std::memcmp(one.output.data(), three.output.data(), one.output.size() * sizeof(float)));
}

TEST_P(Laws, ReusedBuffersGiveTheSame) {
  AttentionTrace used;
  const Matrix other = random_matrix(T + 9, d, 5);
  AttentionOptions causal = options;
  causal.mask.causal = true;
  attention_forward(other, other, weights, causal, threads(), used);
  attention_forward(x, x, weights, options, threads(), used);
  const AttentionTrace fresh = forward(x, weights, options);
  EXPECT_EQ(0, std::memcmp(used.weights.data(), fresh.weights.data(), fresh.weights.size() * sizeof(float)));
  EXPECT_EQ(0, std::memcmp(used.output.data(), fresh.output.data(), fresh.output.size() * sizeof(float)));
}

TEST_P(Laws, WeightsPackedBeforeGiveTheSameToTheBit) {
  Random(7, 0).normals(0, (weights.b_q = Matrix(1, d)).values());
  const AttentionTrace plain = forward(x, weights, options);
  const PackedWeights kept = packed(weights, heads, threads());
  options.packed = &kept;
  const AttentionTrace a = forward(x, weights, options);
  const auto same = [](const Matrix& one, const Matrix& two) {
    return one.size() == two.size() && std::memcmp(one.data(), two.data(), one.size() * sizeof(float)) == 0;
  };
  EXPECT_TRUE(same(a.output, plain.output));
  EXPECT_TRUE(same(a.weights, plain.weights));
  // The same panels serve another sentence, and one that attends to other rows.
  const Matrix other = random_matrix(T + 3, d, 9);
  AttentionTrace b, c;
  attention_forward(other, x, weights, options, threads(), b);
  options.packed = nullptr;
  attention_forward(other, x, weights, options, threads(), c);
  EXPECT_TRUE(same(b.output, c.output));
}

TEST(Attention, WithPositionsOrderMatters) {
  Matrix x = random_matrix(5, 8, 1), moved = x, p;
  std::swap_ranges(moved.row(0).begin(), moved.row(0).end(), moved.row(3).begin());
  PositionalSpec spec;
  spec.length = 5, spec.width = 8;
  sinusoidal(spec, threads(), p);
  for (Matrix* m : {&x, &moved}) {
    for (std::size_t i = 0; i < p.size(); ++i) m->data()[i] += p.data()[i];
  }
  AttentionOptions options;
  const AttentionWeights weights = random_attention_weights(8, 8, 1);
  const AttentionTrace a = forward(x, weights, options), b = forward(moved, weights, options);
  double largest = 0;
  for (int c = 0; c < 8; ++c)
    largest = std::max(largest, std::fabs(static_cast<double>(a.output.at(0, c) - b.output.at(3, c))));
  EXPECT_GT(largest, 1e-2);
}

TEST(Attention, OneTokenAttendsToItself) {
  const AttentionTrace trace = forward(random_matrix(1, 6, 1), random_attention_weights(6, 6, 1), {});
  EXPECT_EQ(trace.weights.at(0, 0, 0), 1);
  for (int c = 0; c < 6; ++c) EXPECT_EQ(trace.context.at(0, c), trace.v.at(0, c));
}

TEST(Attention, NothingToAttendToIsZeroNotNaN) {
  AttentionOptions options;
  options.mask.valid_length = 0;
  options.heads = 2;
  const AttentionTrace trace = forward(random_matrix(5, 6, 1), random_attention_weights(6, 6, 1), options);
  for (float a : trace.weights.values()) EXPECT_EQ(a, 0);
  for (float c : trace.context.values()) EXPECT_EQ(c, 0);
  for (float o : trace.output.values()) EXPECT_EQ(o, 0);
  for (float s : trace.row_sum.values()) EXPECT_EQ(s, 0);
  for (float m : trace.row_max.values()) EXPECT_EQ(m, 0);
}

TEST(Attention, ScoresFarBelowZeroAndFarApart) {
  for (const float size : {1.0f, 30.0f, 1000.0f}) {
    Matrix q = random_matrix(20, 4, 1, size), k = random_matrix(50, 4, 2, 1), v = random_matrix(50, 3, 3, 1);
    for (int j = 0; j < 50; ++j) k.at(j, 0) = -800;
    for (int i = 0; i < 20; ++i) q.at(i, 0) = 2 * std::fabs(q.at(i, 0));
    AttentionOptions options;
    const AttentionTrace trace = from_qkv(q, k, v, options);
    const AttentionTraceF64 twin = attention_from_qkv_f64(q, k, v, options);
    // Float32 scores are good to 2^-24 of their size, and a weight moves by at most a quarter of its score's
    // error … twice.
    double score = 0;
    for (double s : twin.scores.values()) score = std::max(score, std::fabs(s));
    EXPECT_LT(weights_residual(trace, twin), 1e-6 + 4 * score * 0x1p-24);
    for (int t = 0; t < 20; ++t) {
      double sum = 0;
      for (float a : trace.weights.row(0, t)) sum += static_cast<double>(a);
      EXPECT_NEAR(sum, 1, 2e-6);
    }
  }
}

TEST(Attention, EqualKeysShareEqually) {
  Matrix k(12, 4);
  k.fill(0.3f);
  const AttentionTrace trace = from_qkv(random_matrix(3, 4, 1), k, random_matrix(12, 2, 2), {});
  for (float a : trace.weights.values()) EXPECT_NEAR(a, 1.0f / 12, 1e-7);
}

TEST(Attention, NaNInOneQueryStaysInItsRow) {
  Matrix q = random_matrix(9, 8, 1);
  q.at(4, 2) = std::numeric_limits<float>::quiet_NaN();
  const AttentionTrace trace = from_qkv(q, random_matrix(9, 8, 2), random_matrix(9, 8, 3), {});
  for (int t = 0; t < 9; ++t) {
    for (float a : trace.weights.row(0, t)) EXPECT_EQ(std::isnan(a), t == 4) << t;
  }
}

TEST(Attention, PairMasksOfOneOrOfAllHeads) {
  const Matrix x = random_matrix(6, 8, 1);
  const AttentionWeights weights = random_attention_weights(8, 8, 1);
  AttentionOptions options;
  options.heads = 2;
  for (const int depth : {1, 2}) {
    PairMask pairs;
    pairs.allow = Tensor<std::uint8_t>(depth, 6, 6);
    pairs.add = Matrix(depth, 6, 6);
    for (int n = 0; n < depth; ++n) {
      for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
          pairs.allow.at(n, i, j) = (i + j + n) % 3 != 0 && i != 2;
          pairs.add.at(n, i, j) =
              j == 5 ? -std::numeric_limits<float>::infinity() : 0.25f * static_cast<float>(i - j + n);
        }
      }
    }
    options.pairs = &pairs;
    const AttentionTrace trace = forward(x, weights, options);
    EXPECT_LT(weights_residual(trace, attention_forward_f64(x, x, weights, options)), 2e-6);
    for (int head = 0; head < 2; ++head) {
      const int n = depth == 1 ? 0 : head;
      for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
          EXPECT_EQ(trace.weights.at(head, i, j) > 0, pairs.allow.at(n, i, j) != 0 && j != 5);
        }
      }
      EXPECT_EQ(trace.row_sum.at(head, 2), 0);
    }
  }
}

TEST(Attention, IsToldHowFarItIsAndStopsWhenNobodyWantsIt) {
  constexpr int T = 700, d = 32;
  const Matrix x = random_matrix(T, d, 5);
  const AttentionWeights weights = random_attention_weights(d, d, 5);
  AttentionOptions options;
  options.heads = 4;
  std::vector<float> reported;
  AttentionTrace whole;
  attention_forward(x, x, weights, options, threads(), whole, [&](float done) {
    reported.push_back(done);
    return true;
  });
  EXPECT_LE(reported.size(), 101u);  // how often depends on what the other threads leave to this one
  EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
  const AttentionTrace plain = forward(x, weights, options);
  EXPECT_TRUE(std::equal(plain.weights.values().begin(), plain.weights.values().end(),
                         whole.weights.values().begin()));
  // Alone, so that it is known what is left out: everything behind the first block.
  base::Parallel alone(1);
  reported.clear();
  AttentionTrace stopped;
  attention_forward(x, x, weights, options, alone, stopped, [&](float done) {
    reported.push_back(done);
    return true;
  });
  EXPECT_GT(reported.size(), 1u);
  int calls = 0;
  stopped.row_sum.fill(-1);  // what is not computed keeps what the memory had
  attention_forward(x, x, weights, options, alone, stopped, [&](float) {
    ++calls;
    return false;
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(stopped.row_sum.at(3, T - 1), -1);
  EXPECT_GT(plain.row_sum.at(3, T - 1), 0);
}

TEST(Softmax, ExtremeRows) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  Matrix x(5, 3);
  const float rows[5][3] = {{-800, -801, -802},
                            {-inf, -inf, -inf},
                            {1000, -1000, -inf},
                            {3e38f, 3e38f, 0},
                            {-3e38f, -3e38f, -3e38f}};
  for (int r = 0; r < 5; ++r) std::copy(rows[r], rows[r] + 3, x.row(r).begin());
  Matrix y(5, 3);
  softmax_rows(x.data(), y.data(), 5, 3, threads());
  const MatrixF64 twin = softmax_rows_f64(x);
  EXPECT_NEAR(y.at(0, 0), 0.66524096, 1e-6);
  for (int c = 0; c < 3; ++c) EXPECT_EQ(y.at(1, c), 0);
  for (std::size_t i = 0; i < y.size(); ++i)
    EXPECT_NEAR(static_cast<double>(y.data()[i]), twin.data()[i], 1e-6);
  softmax_rows(x.data(), x.data(), 5, 3, threads());  // in place
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(x.data()[i], y.data()[i]);
}

}  // namespace
}  // namespace headlight::nn::laws_test
