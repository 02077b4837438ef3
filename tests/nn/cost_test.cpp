// Cost by formula against cost by counting, and the ways of information through three architectures.
#include "nn/cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "nn/random.h"

namespace headlight::nn {
namespace {

constexpr Architecture every_architecture[] = {Architecture::self_attention, Architecture::recurrence,
                                               Architecture::convolution, Architecture::dilated_convolution};

TEST(Cost, TheLoopsMultiplyAsOftenAsTheFormulaSays) {
  for (const LayerSize size :
       {LayerSize{1, 1, 1}, LayerSize{7, 5, 3}, LayerSize{13, 8, 4}, LayerSize{40, 3, 7}}) {
    for (const Architecture architecture : every_architecture) {
      EXPECT_EQ(count_by_running(architecture, size).total(), cost_of(architecture, size).multiplications)
          << size.n << " " << size.d << " " << size.k;
    }
    EXPECT_EQ(count_linear_attention_by_running(size).total(), linear_attention_multiplications(size));
  }
}

TEST(Cost, AttentionIsCheaperThanARecurrenceWhenTheTextIsShorterThanWide) {
  EXPECT_LT(cost_of(Architecture::self_attention, {63, 64}).multiplications,
            cost_of(Architecture::recurrence, {63, 64}).multiplications);
  EXPECT_EQ(cost_of(Architecture::self_attention, {64, 64}).multiplications,
            cost_of(Architecture::recurrence, {64, 64}).multiplications);
}

/// What a chain has to fulfil besides its length: it ends at `to` and stays in the text.
void expect_chain(const std::vector<Hop>& hops, int n, int to) {
  ASSERT_FALSE(hops.empty());
  EXPECT_EQ(hops.back().position, to);
  for (const Hop& hop : hops) {
    EXPECT_GE(hop.position, 0);
    EXPECT_LT(hop.position, n);
  }
}

TEST(Cost, ChainsFromTokenToToken) {
  const LayerSize size{30, 4, 3};
  for (int from = 0; from < size.n; ++from) {
    for (int to = 0; to < size.n; ++to) {
      const auto chain = [&](Architecture a) { return hop_chain(a, size, from, to); };
      const std::size_t distance = static_cast<std::size_t>(std::abs(to - from));
      if (distance == 0) {
        for (const Architecture a : every_architecture) EXPECT_TRUE(chain(a).empty());
        continue;
      }
      expect_chain(chain(Architecture::self_attention), size.n, to);
      EXPECT_EQ(chain(Architecture::self_attention).size(), 1u);
      expect_chain(chain(Architecture::convolution), size.n, to);
      EXPECT_EQ(chain(Architecture::convolution).size(), distance);  // k = 3 reaches one position a layer
      if (to < from) {
        EXPECT_TRUE(chain(Architecture::recurrence).empty());
        EXPECT_TRUE(chain(Architecture::dilated_convolution).empty());
        continue;
      }
      expect_chain(chain(Architecture::recurrence), size.n, to);
      EXPECT_EQ(chain(Architecture::recurrence).size(), distance);
      const std::vector<Hop> dilated = chain(Architecture::dilated_convolution);
      expect_chain(dilated, size.n, to);
      EXPECT_EQ(dilated.size(), distance < 3 ? 1u : distance < 9 ? 2u : distance < 27 ? 3u : 4u);
      int before = from, step = 1;
      for (const Hop& hop : dilated) {
        EXPECT_EQ((hop.position - before) % step, 0);
        EXPECT_LE((hop.position - before) / step, size.k - 1);
        before = hop.position, step *= size.k;
      }
    }
  }
}

TEST(Cost, ChainsOfOtherKernels) {
  EXPECT_EQ(hop_chain(Architecture::convolution, {100, 1, 11}, 0, 99).size(), 20u);  // reach 5
  EXPECT_EQ(hop_chain(Architecture::convolution, {100, 1, 2}, 0, 99).size(), 99u);
  EXPECT_TRUE(hop_chain(Architecture::convolution, {100, 1, 2}, 99, 0).empty());  // reads to the left only
  EXPECT_TRUE(hop_chain(Architecture::convolution, {100, 1, 1}, 0, 1).empty());
  EXPECT_TRUE(hop_chain(Architecture::dilated_convolution, {100, 1, 1}, 0, 1).empty());
  EXPECT_EQ(hop_chain(Architecture::dilated_convolution, {1024, 1, 2}, 0, 1023).size(), 10u);
}

TEST(Cost, BytesOfTheMaps) {
  EXPECT_EQ(attention_map_bytes(512), 524288u);
  EXPECT_EQ(attention_map_bytes(131072, 1, 16, 32, 2), std::uint64_t(1) << 44);
  EXPECT_EQ(attention_map_bytes(100, 2, 3, 4, 4), 2u * 3u * 4u * 4u * 10000u);
}

TEST(Cost, TheRecurrenceFollowsItsEquation) {
  constexpr int T = 9, D = 5, d = 7;
  Matrix x(T, D), h;
  Random(3, 1).normals(0, x.values());
  const RecurrenceWeights w = random_recurrence_weights(D, d, 4);
  for (const Matrix* m : {&w.w_x, &w.w_h, &w.b}) {
    for (float value : m->values()) EXPECT_LE(std::fabs(value), 1 / std::sqrt(static_cast<float>(d)));
  }
  recurrence(x, w, h);
  std::vector<double> before(d, 0.0);
  for (int t = 0; t < T; ++t) {
    std::vector<double> now(d, 0.0);
    for (int c = 0; c < d; ++c) {
      double sum = static_cast<double>(w.b.at(0, c));
      for (int r = 0; r < D; ++r)
        sum += static_cast<double>(x.at(t, r)) * static_cast<double>(w.w_x.at(r, c));
      for (int r = 0; r < d; ++r)
        sum += before[static_cast<std::size_t>(r)] * static_cast<double>(w.w_h.at(r, c));
      now[static_cast<std::size_t>(c)] = std::tanh(sum);
      EXPECT_NEAR(static_cast<double>(h.at(t, c)), now[static_cast<std::size_t>(c)], 1e-6);
    }
    before = now;
  }
}

}  // namespace
}  // namespace headlight::nn
