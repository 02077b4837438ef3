// Cost by formula against cost by counting, and the ways of information through three architectures.
#include "nn/cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "nn/random.h"

namespace headlight::nn {
namespace {

constexpr Architecture every_architecture[] = {Architecture::self_attention, Architecture::recurrence,
                                               Architecture::convolution, Architecture::dilated_convolution,
                                               Architecture::linear_attention};

TEST(Cost, TheLoopsMultiplyAsOftenAsTheFormulaSays) {
  for (const LayerSize size :
       {LayerSize{1, 1, 1}, LayerSize{7, 5, 3}, LayerSize{13, 8, 4}, LayerSize{40, 3, 7}}) {
    for (const Architecture architecture : every_architecture) {
      const CountedCost counted = count_by_running(architecture, size);
      const LayerCost formula = cost_of(architecture, size);
      EXPECT_EQ(counted.total(), formula.multiplications) << size.n << " " << size.d << " " << size.k;
      EXPECT_EQ(counted.whole(), formula.whole());
    }
    EXPECT_EQ(cost_of(Architecture::linear_attention, size).multiplications,
              linear_attention_multiplications(size));
    // As many multiplications in any number of heads, those that do not divide d among them.
    for (const int heads : {1, 2, 3, size.d, size.d + 5}) {
      const HeadsCost cost = heads_cost(size, heads);
      EXPECT_EQ(count_heads_by_running(size, heads), cost.multiplications) << heads;
      EXPECT_EQ(cost.multiplications, cost_of(Architecture::self_attention, size).whole());
      EXPECT_EQ(cost.exponentials, static_cast<std::uint64_t>(std::min(heads, size.d)) *
                                       static_cast<std::uint64_t>(size.n) *
                                       static_cast<std::uint64_t>(size.n));
      EXPECT_LE(cost.widest - cost.narrowest, 1);
    }
  }
}

/// By hand: n = 10, d = 64.
TEST(Cost, TheWholeLayerHasItsProjections) {
  const LayerSize size{10, 64, 3};
  EXPECT_EQ(cost_of(Architecture::self_attention, size).whole(), 2u * 100 * 64 + 4u * 10 * 4096);
  EXPECT_EQ(cost_of(Architecture::linear_attention, size).whole(), 6u * 10 * 4096);
  EXPECT_EQ(cost_of(Architecture::recurrence, size).whole(), 2u * 10 * 4096);
  EXPECT_EQ(cost_of(Architecture::convolution, size).whole(), 3u * 10 * 4096);
}

/// Steps until the information of `from` is at `to`, by what each output is computed from; −1: never.
int layers_by_search(Architecture architecture, const LayerSize& size, int from, int to) {
  std::vector<char> has(static_cast<std::size_t>(size.n), 0);
  has[static_cast<std::size_t>(from)] = 1;
  long long gap = 1;
  for (int layer = 0; layer <= 2 * size.n; ++layer) {
    if (has[static_cast<std::size_t>(to)]) return layer;
    std::vector<char> next(has.size(), 0);
    for (int t = 0; t < size.n; ++t) {
      const int left = size.side == KernelSide::one_sided ? size.k - 1 : size.k / 2;
      for (int tap = 0; tap < size.k; ++tap) {
        const long long input = t + (tap - left) * gap;
        if (input >= 0 && input < size.n && has[static_cast<std::size_t>(input)])
          next[static_cast<std::size_t>(t)] = 1;
      }
    }
    has = next;
    gap = std::min(gap * gap_base(architecture, size.k, size.side), 1000000LL);
  }
  return -1;
}

TEST(Cost, EveryPathIsAShortestOneAndTheLongestIsTheLargest) {
  for (const KernelSide side : {KernelSide::centred, KernelSide::one_sided}) {
    for (const Architecture a : {Architecture::convolution, Architecture::dilated_convolution}) {
      for (const int k : {1, 2, 3, 4, 5, 6, 7, 11}) {
        for (const int n : {1, 2, 3, 9, 10, 17, 31}) {
          const LayerSize size{n, 1, k, side};
          int longest = 0;
          for (int from = 0; from < n; ++from) {
            for (int to = 0; to < n; ++to) {
              const int want = std::max(0, layers_by_search(a, size, from, to));
              const std::vector<Hop> hops = hop_chain(a, size, from, to);
              ASSERT_EQ(static_cast<int>(hops.size()), want) << k << ' ' << n << ' ' << from << ' ' << to;
              longest = std::max(longest, want);
              // Each hop is a connection of its layer.
              long long gap = 1;
              int before = from;
              for (std::size_t i = 0; i < hops.size(); ++i) {
                ASSERT_EQ(hops[i].layer, static_cast<int>(i));
                const long long step = (hops[i].position - before) / gap;
                ASSERT_EQ(before + step * gap, hops[i].position);
                ASSERT_LE(step, kernel_reach(k, side).left);
                ASSERT_GE(step, -kernel_reach(k, side).right);
                before = hops[i].position, gap *= gap_base(a, k, side);
              }
              // Both sides are connected wherever the kernel has both: also with gaps.
              if (k > 2 && side == KernelSide::centred && from != to) {
                ASSERT_GT(want, 0);
              }
            }
          }
          EXPECT_EQ(cost_of(a, size).longest_path, longest) << k << ' ' << n << ' ' << int(side);
        }
      }
    }
  }
}

/// The example of the page: from 1 to 8 among 10 positions, kernel 3.
TEST(Cost, OneGeometryForStackedAndDilatedKernels) {
  const auto layers = [](Architecture a, KernelSide side) {
    return hop_chain(a, {10, 1, 3, side}, 1, 8).size();
  };
  EXPECT_EQ(layers(Architecture::convolution, KernelSide::centred), 7u);
  EXPECT_EQ(layers(Architecture::dilated_convolution, KernelSide::centred), 3u);
  EXPECT_EQ(layers(Architecture::convolution, KernelSide::one_sided), 4u);
  EXPECT_EQ(layers(Architecture::dilated_convolution, KernelSide::one_sided), 2u);
  // With gaps of 1, 3, 9 a centred kernel has no path from 1 to 8 that stays among the 10 positions.
  std::vector<char> has(10, 0);
  has[1] = 1;
  for (const int gap : {1, 3, 9}) {
    std::vector<char> next(10, 0);
    for (int t = 0; t < 10; ++t) {
      for (const int from : {t - gap, t, t + gap})
        next[static_cast<std::size_t>(t)] |= from >= 0 && from < 10 && has[static_cast<std::size_t>(from)];
    }
    has = next;
  }
  EXPECT_EQ(has[8], 0);
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
  const LayerSize size{30, 4, 3}, one_sided{30, 4, 3, KernelSide::one_sided};
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
        EXPECT_TRUE(hop_chain(Architecture::dilated_convolution, one_sided, from, to).empty());
        continue;
      }
      expect_chain(chain(Architecture::recurrence), size.n, to);
      EXPECT_EQ(chain(Architecture::recurrence).size(), distance);
      const std::vector<Hop> dilated = hop_chain(Architecture::dilated_convolution, one_sided, from, to);
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
  EXPECT_EQ(cost_of(Architecture::convolution, {131072, 1, 3}).longest_path, 131071);
  EXPECT_EQ(cost_of(Architecture::dilated_convolution, {131072, 1, 3}).longest_path, 17);
  EXPECT_EQ(cost_of(Architecture::convolution, {1, 1, 3}).longest_path, 0);
  EXPECT_EQ(cost_of(Architecture::convolution, {5, 1, 1}).longest_path, 0);
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
