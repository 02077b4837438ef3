// Attention in tiles against attention with all its weights.
#include "nn/tiled.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/kernels.h"
#include "nn/random.h"
#include "nn/relative.h"
#include "small_random.h"

namespace headlight::nn {
namespace {

struct Case {
  int T, S, d_k, d_v, heads;
  float size = 1;
  bool causal = false;
  int window = -1, valid = -1;
  bool bias = false;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << "T" << c.T << "_S" << c.S << "_dk" << c.d_k << "_dv" << c.d_v << "_h" << c.heads
       << (c.causal ? "_causal" : "") << (c.window >= 0 ? "_window" : "") << (c.valid >= 0 ? "_valid" : "")
       << (c.bias ? "_bias" : "") << (c.size > 1 ? "_peaky" : "");
}

class Tiled : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const Case& c = GetParam();
    options.attention.heads = c.heads;
    options.attention.mask.causal = c.causal;
    if (c.window >= 0) options.attention.mask.window_left = options.attention.mask.window_right = c.window;
    if (c.valid >= 0) options.attention.mask.valid_length = c.valid;
    tiled.q = random_matrix(c.T, c.heads * c.d_k, 1, c.size);
    tiled.k = random_matrix(c.S, c.heads * c.d_k, 2, c.size);
    tiled.v = random_matrix(c.S, c.heads * c.d_v, 3);
    dense.q = tiled.q, dense.k = tiled.k, dense.v = tiled.v;
    AttentionOptions all = options.attention;
    if (c.bias) {
      by_distance = alibi_bias<float>(c.heads, c.T, c.S, c.S - c.T);
      options.by_distance = &by_distance;
      pairs.add = spread(by_distance, c.T, c.S);
      all.pairs = &pairs;
    }
    attention_from_qkv(all, threads(), dense);
    tiled_attention(options, threads(), tiled);
  }
  TiledOptions options;
  TiledTrace tiled;
  AttentionTrace dense;
  Matrix by_distance;
  PairMask pairs;
};

INSTANTIATE_TEST_SUITE_P(
    Sizes, Tiled,
    testing::Values(Case{1, 1, 1, 1, 1}, Case{1, 700, 8, 5, 2}, Case{3, 255, 7, 9, 1},
                    Case{49, 512, 16, 16, 2}, Case{50, 1025, 16, 40, 3}, Case{513, 513, 33, 17, 2, 1, true},
                    Case{300, 801, 8, 8, 1, 1, true}, Case{801, 300, 8, 8, 1, 1, true},
                    Case{777, 777, 16, 16, 2, 1, false, 40}, Case{600, 600, 16, 16, 2, 1, true, 300},
                    Case{400, 400, 8, 8, 2, 1, false, -1, 0}, Case{400, 900, 8, 8, 2, 1, false, -1, 511},
                    Case{520, 520, 16, 16, 8, 1, true, -1, -1, true},
                    Case{130, 610, 16, 16, 6, 1, false, -1, -1, true}, Case{530, 530, 64, 64, 1, 6},
                    Case{530, 530, 64, 64, 1, 6, true}),
    testing::PrintToStringParamName());

TEST_P(Tiled, EqualsTheDenseResult) {
  ASSERT_EQ(tiled.output.size(), dense.output.size());
  for (std::size_t i = 0; i < dense.output.size(); ++i) {
    ASSERT_NEAR(tiled.output.data()[i], dense.output.data()[i], 2e-5f) << i;
  }
  for (std::size_t i = 0; i < dense.row_max.size(); ++i) {
    const float scale = std::max(1.0f, std::fabs(dense.row_max.data()[i]));
    ASSERT_NEAR(tiled.row_max.data()[i], dense.row_max.data()[i], 1e-5f * scale) << i;
    // exp magnifies what rounding did to the largest score.
    ASSERT_NEAR(tiled.row_sum.data()[i], dense.row_sum.data()[i],
                3e-5f * scale * std::max(1.0f, dense.row_sum.data()[i]))
        << i;
  }
}

TEST_P(Tiled, DoesNotDependOnTheThreads) {
  base::Parallel alone(1), three(3);
  TiledTrace a = tiled, b = tiled;
  tiled_attention(options, alone, a);
  tiled_attention(options, three, b);
  for (std::size_t i = 0; i < a.output.size(); ++i) ASSERT_EQ(a.output.data()[i], b.output.data()[i]);
  for (std::size_t i = 0; i < a.row_sum.size(); ++i) ASSERT_EQ(a.row_sum.data()[i], b.row_sum.data()[i]);
}

TEST(TiledAttention, AgreesOnEveryInstructionSet) {
  TiledOptions options;
  options.attention.heads = 2, options.attention.mask.causal = true;
  TiledTrace best;
  best.q = random_matrix(301, 48, 1), best.k = random_matrix(301, 48, 2), best.v = random_matrix(301, 26, 3);
  tiled_attention(options, threads(), best);
  for (const char* level : {"v2", "v3", "v4", "generic"}) {
    const Kernels* found = kernels_of(level);
    if (found == nullptr) continue;
    TiledTrace other = best;
    use_kernels(*found);
    tiled_attention(options, threads(), other);
    use_kernels(choose_kernels(nullptr));
    for (std::size_t i = 0; i < best.output.size(); ++i) {
      ASSERT_NEAR(other.output.data()[i], best.output.data()[i], 1e-5f) << level;
    }
  }
}

TEST(TiledAttention, HoldsNothingThatGrowsWithTheSquare) {
  const std::size_t at_4096 = tiled_bytes(4096, 4096, 8, 64, 64, 2);
  const std::size_t at_32768 = tiled_bytes(32768, 32768, 8, 64, 64, 2);
  EXPECT_LT(static_cast<double>(at_32768), 8.01 * static_cast<double>(at_4096));
  EXPECT_EQ(dense_bytes(32768, 32768, 8), std::size_t(8) * 32768 * 32768 * 4);
}

}  // namespace
}  // namespace headlight::nn
