#include "nn/weights.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "nn/random.h"

namespace headlight::nn {
namespace {

std::uint64_t hash_bits(const Matrix& m) {
  return hash_text(reinterpret_cast<const char*>(m.data()), m.size() * sizeof(float));
}

std::vector<float> row(const Matrix& m, int r) {
  return {m.row(r).begin(), m.row(r).end()};
}

TEST(Embed, TheSameTextHasTheSameVectorEverywhere) {
  const Matrix a = embed(split_words("the cat sat on the mat"), 16, 7);
  const Matrix b = embed(split_words("a mat for the dog"), 16, 7);
  ASSERT_EQ(a.rows(), 6);
  ASSERT_EQ(a.cols(), 16);
  EXPECT_EQ(row(a, 0), row(a, 4));
  EXPECT_EQ(row(a, 5), row(b, 1));
  EXPECT_EQ(row(a, 0), row(b, 3));
  EXPECT_NE(row(a, 0), row(a, 1));
  EXPECT_NE(row(a, 0), row(embed(split_words("the"), 16, 8), 0));
  EXPECT_NE(row(a, 0), row(embed(split_words("The"), 16, 7), 0));
}

TEST(Embed, ComponentsDoNotDependOnTheWidth) {
  const std::vector<Token> tokens = split_chars("attention");
  const Matrix wide = embed(tokens, 33, 3);
  for (int d : {1, 2, 7, 32}) {
    const Matrix narrow = embed(tokens, d, 3);
    for (int t = 0; t < narrow.rows(); ++t) {
      for (int c = 0; c < d; ++c) ASSERT_EQ(narrow.at(t, c), wide.at(t, c));
    }
  }
}

TEST(Embed, NoTokensNoRows) {
  EXPECT_EQ(embed({}, 8, 1).rows(), 0);
}

TEST(AttentionWeights, AreXavierUniform) {
  const AttentionWeights w = random_attention_weights(48, 32, 1);
  EXPECT_EQ(w.w_q.rows(), 48);
  EXPECT_EQ(w.w_q.cols(), 32);
  EXPECT_EQ(w.w_o.rows(), 32);
  EXPECT_EQ(w.w_o.cols(), 32);
  EXPECT_TRUE(w.b_q.empty() && w.b_k.empty() && w.b_v.empty() && w.b_o.empty());
  tensors(w, [](const char* name, const Matrix& m) {
    if (m.empty()) return;
    const double a = std::sqrt(6.0 / (m.rows() + m.cols())), n = static_cast<double>(m.size());
    double sum = 0, squares = 0, largest = 0;
    for (float value : m.values()) {
      const double x = static_cast<double>(value);
      sum += x, squares += x * x, largest = std::max(largest, std::fabs(x));
    }
    EXPECT_LE(largest, a) << name;
    EXPECT_GT(largest, 0.98 * a) << name;
    EXPECT_NEAR(sum / n, 0, 4 * a / std::sqrt(3 * n)) << name;
    EXPECT_NEAR(squares / n, a * a / 3, 4 * a * a * std::sqrt(4.0 / 45 / n)) << name;
  });
}

TEST(AttentionWeights, AnElementDependsOnItsPlaceAloneUpToTheFactor) {
  const Matrix small = random_attention_weights(4, 6, 5).w_k, large = random_attention_weights(9, 13, 5).w_k;
  const double ratio = std::sqrt((9.0 + 13) / (4 + 6));  // of the two factors a
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 6; ++c)
      EXPECT_NEAR(small.at(r, c), ratio * static_cast<double>(large.at(r, c)), 1e-7);
  }
}

// A seed names the same numbers on every machine and in every version.
TEST(AttentionWeights, TheSeedGivesTheExactBits) {
  const AttentionWeights w = random_attention_weights(32, 32, 7);
  EXPECT_EQ(hash_bits(w.w_q), 0xc338b6a4ab3491e4ull);
  EXPECT_EQ(hash_bits(w.w_k), 0x1a06968bc89fc1feull);
  EXPECT_EQ(hash_bits(w.w_v), 0x333938e5f3e486dfull);
  EXPECT_EQ(hash_bits(w.w_o), 0x68a49c8a137faeffull);
  EXPECT_EQ(hash_bits(embed(split_words("the cat sat on the mat"), 32, 7)), 0x5e3f9b2f621b5766ull);
}

TEST(AttentionWeights, MatricesDiffer) {
  const AttentionWeights w = random_attention_weights(8, 8, 5);
  EXPECT_NE(hash_bits(w.w_q), hash_bits(w.w_k));
  EXPECT_NE(hash_bits(w.w_k), hash_bits(w.w_v));
  EXPECT_NE(hash_bits(w.w_v), hash_bits(w.w_o));
  EXPECT_NE(hash_bits(w.w_q), hash_bits(random_attention_weights(8, 8, 6).w_q));
}

}  // namespace
}  // namespace headlight::nn
