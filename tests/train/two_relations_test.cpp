// The toy of two relations: its data, its gradient by differences, and how far one head and two get.
#include "train/two_relations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace headlight::nn {
namespace {

using WeightsF64 = TwoRelationsWeightsOf<double>;

MatrixF64 wide(const Matrix& m) {
  MatrixF64 out(m.rows(), m.cols());
  for (std::size_t i = 0; i < m.size(); ++i) out.data()[i] = static_cast<double>(m.data()[i]);
  return out;
}
WeightsF64 wide(const TwoRelationsWeights& w) {
  return {wide(w.w_q), wide(w.w_k), wide(w.b_q)};
}

TwoRelationsSetup setup_of(int heads, TwoRelationsRepairs repairs, std::uint64_t seed = 7, int batch = 32) {
  TwoRelationsSetup setup;
  setup.heads = heads, setup.repairs = repairs, setup.seed = seed, setup.batch = batch;
  return setup;
}
TwoRelationsSetup setup_of(int heads, bool repaired, std::uint64_t seed = 7, int batch = 32) {
  return setup_of(heads, repaired ? all_repairs : TwoRelationsRepairs{}, seed, batch);
}

TwoRelationsRun trained(const TwoRelationsSetup& setup, int steps) {
  TwoRelationsRun run = two_relations_run(setup);
  while (run.step < steps) two_relations_step(run);
  return run;
}

TEST(TwoRelations, TokensAreContentAndPlace) {
  std::set<int> planted;
  for (const bool repaired : {false, true}) {
    TwoRelationsBatch batch;
    two_relations_batch(setup_of(1, repaired), 3, batch);
    ASSERT_EQ(batch.x.rows(), 32 * 4);
    ASSERT_EQ(batch.x.cols(), repaired ? 6 : 4);
    for (int b = 0; b < batch.B; ++b) {
      std::set<std::pair<float, float>> contents;
      for (int t = 0; t < 4; ++t) {
        const std::span<const float> x = batch.x.row(b * 4 + t);
        contents.insert({x[0], x[1]});
        for (int c = 2; c < batch.x.cols(); ++c)
          EXPECT_EQ(x[static_cast<std::size_t>(c)], c - 2 == t ? 1 : 0);
        if (t == batch.planted[static_cast<std::size_t>(b)]) {
          EXPECT_TRUE(x[0] == 1 && x[1] == 0);
        }
      }
      EXPECT_EQ(contents.size(), 4u);
      if (repaired) {
        const std::set<std::pair<float, float>> around = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
        EXPECT_EQ(contents, around);
      }
      planted.insert(batch.planted[static_cast<std::size_t>(b)]);
    }
  }
  EXPECT_EQ(planted.size(), 4u);
}

TEST(TwoRelations, ABatchDependsOnSeedAndStepAlone) {
  TwoRelationsBatch a, b;
  two_relations_batch(setup_of(1, false), 5, a), two_relations_batch(setup_of(2, false), 5, b);
  EXPECT_TRUE(std::equal(a.x.values().begin(), a.x.values().end(), b.x.values().begin()));
  two_relations_batch(setup_of(1, false, 7, 8), 5, b);  // the first sequences of a larger batch
  EXPECT_TRUE(std::equal(b.x.values().begin(), b.x.values().end(), a.x.values().begin()));
  for (const int other : {4, 6, -5}) {
    two_relations_batch(setup_of(1, false), other, b);
    EXPECT_FALSE(std::equal(a.x.values().begin(), a.x.values().end(), b.x.values().begin()));
  }
  two_relations_batch(setup_of(1, false, 8), 5, b);
  EXPECT_FALSE(std::equal(a.x.values().begin(), a.x.values().end(), b.x.values().begin()));
  const TwoRelationsRun once = trained(setup_of(2, true), 20), again = trained(setup_of(2, true), 20);
  EXPECT_TRUE(std::equal(once.weights.w_q.values().begin(), once.weights.w_q.values().end(),
                         again.weights.w_q.values().begin()));
}

TEST(TwoRelations, MapsAreDistributionsAndTheLossIsTheirDistance) {
  for (const int heads : {1, 2}) {
    const TwoRelationsSetup setup = setup_of(heads, true);
    TwoRelationsBatch batch;
    two_relations_batch(setup, 1, batch);
    MatrixF64 maps;
    const double loss = two_relations_loss(setup, wide(two_relations_start(setup)), batch, maps, nullptr);
    ASSERT_EQ(maps.depth(), 32 * heads);
    double distance = 0;
    for (int b = 0; b < 32; ++b) {
      for (int t = 0; t < 4; ++t) {
        double sum = 0;
        for (int u = 0; u < 4; ++u) {
          const double first = maps.at(b * heads, t, u), last = maps.at(b * heads + heads - 1, t, u);
          sum += first;
          distance += std::pow(first - (u == 2), 2);
          distance += std::pow(last - (u == batch.planted[static_cast<std::size_t>(b)]), 2);
        }
        EXPECT_NEAR(sum, 1, 1e-12);
      }
    }
    EXPECT_NEAR(loss, distance / (32 * 16), 1e-12);
  }
}

TEST(TwoRelations, GradientIsTheSlope) {
  for (int which = 0; which < 16; ++which) {
    const TwoRelationsRepairs repairs{(which & 1) != 0, (which & 2) != 0, (which & 4) != 0, (which & 8) != 0};
    for (const int heads : {1, 2}) {
      const TwoRelationsSetup setup = setup_of(heads, repairs, 11, 6);
      TwoRelationsBatch batch;
      two_relations_batch(setup, 2, batch);
      WeightsF64 weights = wide(two_relations_start(setup)), gradients;
      MatrixF64 maps;
      two_relations_loss(setup, weights, batch, maps, &gradients);
      const auto check = [&](MatrixF64& w, const MatrixF64& gradient) {
        ASSERT_EQ(w.size(), gradient.size());
        for (std::size_t i = 0; i < w.size(); ++i) {
          constexpr double h = 1e-5;
          const double at = w.data()[i];
          w.data()[i] = at + h;
          const double above = two_relations_loss(setup, weights, batch, maps, nullptr);
          w.data()[i] = at - h;
          const double below = two_relations_loss(setup, weights, batch, maps, nullptr);
          w.data()[i] = at;
          EXPECT_NEAR(gradient.data()[i], (above - below) / (2 * h), 1e-9);
        }
      };
      check(weights.w_q, gradients.w_q), check(weights.w_k, gradients.w_k);
      check(weights.b_q, gradients.b_q);
      EXPECT_EQ(weights.b_q.empty(), !repairs.bias);
      EXPECT_EQ(weights.w_q.rows(), repairs.places ? 6 : 4);
      EXPECT_EQ(weights.w_q.cols(), repairs.width ? 8 : 4);
    }
  }
}

/// Seeds differ in their weights, their training and their held-out sequences: 2048 of them leave ±0.0008.
TEST(TwoRelations, TheToyOfTheSourcesReachesWhatItCan) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const double one = two_relations_held_out(trained(setup_of(1, false, seed), 2000));
    const double two = two_relations_held_out(trained(setup_of(2, false, seed), 2000));
    EXPECT_NEAR(one, 0.346, 0.002) << "seed " << seed;
    EXPECT_NEAR(two, 0.311, 0.002) << "seed " << seed;
  }
}

/// The printed 0.3505 and 0.3196 are losses of one batch of 32; such losses scatter this far.
TEST(TwoRelations, FourHundredStepsPrintWhatTheSourcesPrint) {
  double one = 0, two = 0;
  constexpr int seeds = 24;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const TwoRelationsRun a = trained(setup_of(1, false, seed), 400),
                          b = trained(setup_of(2, false, seed), 400);
    EXPECT_NEAR(a.last_loss, 0.3505, 0.04) << "seed " << seed;
    EXPECT_NEAR(b.last_loss, 0.3196, 0.04) << "seed " << seed;
    EXPECT_NEAR(two_relations_held_out(a), 0.346, 0.003) << "seed " << seed;
    EXPECT_NEAR(two_relations_held_out(b), 0.312, 0.005) << "seed " << seed;
    one += a.last_loss / seeds, two += b.last_loss / seeds;
  }
  EXPECT_NEAR(one, 0.346, 0.006);
  EXPECT_NEAR(two, 0.312, 0.006);
}

TEST(TwoRelations, RepairedTwoHeadsReachZeroAndOneCannot) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const double one = two_relations_held_out(trained(setup_of(1, true, seed), 2500));
    const double two = two_relations_held_out(trained(setup_of(2, true, seed), 2500));
    EXPECT_NEAR(one, 0.211, 0.004) << "seed " << seed;
    EXPECT_LT(two, 0.0005) << "seed " << seed;
  }
}

/// What each repair gives two heads: one term of the loss hangs on the place codes, the other on the
/// contents.
TEST(TwoRelations, EachTermHasARepairOfItsOwn) {
  struct Known {
    TwoRelationsRepairs repairs;
    double place, content;
  };
  for (const Known& known :
       {Known{{}, 0.153, 0.159}, Known{{.places = true}, 0, 0.126}, Known{{.bias = true}, 0.125, 0.126},
        Known{{.contents = true}, 0.154, 0.084}, Known{{.width = true}, 0.153, 0.157},
        Known{{.places = true, .bias = true}, 0, 0.126},  // the contents are what is left
        Known{{.places = true, .bias = true, .width = true}, 0, 0.124},
        Known{{.places = true, .contents = true}, 0, 0},  // these two are enough
        Known{{.bias = true, .contents = true}, 0.125, 0}, Known{all_repairs, 0, 0}}) {
    SCOPED_TRACE(std::to_string(known.repairs.places) + std::to_string(known.repairs.bias) +
                 std::to_string(known.repairs.contents) + std::to_string(known.repairs.width));
    double place = 0, content = 0;
    constexpr int seeds = 4;
    for (std::uint64_t seed = 7; seed < 7 + seeds; ++seed) {
      const TwoRelationsRun run = trained(setup_of(2, known.repairs, seed), 1500);
      const TwoRelationsTerms terms = two_relations_terms(run);
      EXPECT_NEAR(terms.loss(), two_relations_held_out(run), 1e-12);
      place += terms.place / seeds, content += terms.content / seeds;
    }
    EXPECT_NEAR(place, known.place, 0.004);
    EXPECT_NEAR(content, known.content, 0.005);
  }
}

/// The parts of the loss add up to the loss.
TEST(TwoRelations, TheTermsAreThoseOfTheLoss) {
  for (const int heads : {1, 2}) {
    const TwoRelationsRun run = trained(setup_of(heads, true), 5);
    double sum = 0;
    for (int n = 1; n <= 64; ++n) {
      TwoRelationsBatch batch;
      Matrix maps;
      two_relations_batch(run.setup, -n, batch);
      sum += two_relations_loss(run.setup, run.weights, batch, maps, nullptr) / 64;
    }
    EXPECT_NEAR(two_relations_terms(run).loss(), sum, 1e-7);
    // The batches are those of every run with this seed, these places and contents.
    const auto drawn = two_relations_held_out_batches(setup_of(1, true));
    EXPECT_EQ(two_relations_terms(run, drawn).loss(), two_relations_terms(run).loss());
  }
}

}  // namespace
}  // namespace headlight::nn
