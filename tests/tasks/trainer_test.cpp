// A run is its setup and the number of its step, and nothing else.
#include "tasks/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "model_numbers.h"

namespace headlight::nn::trainer_test {
namespace {

using tests::numbers;

TrainerSetup small_setup(std::shared_ptr<const Task> task, int steps = 60) {
  TrainerSetup setup;
  setup.task = std::move(task);
  setup.config.d_model = 16, setup.config.heads = 2, setup.config.layers = 1, setup.config.d_ff = 32;
  setup.steps = steps, setup.batch = 8, setup.rate = 3e-3, setup.seed = 5;
  return setup;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

std::shared_ptr<const Task> reverse() {
  return reverse_task(6, 6, 5);
}

TEST(Trainer, SameWeightsForAnyNumberOfThreads) {
  std::vector<float> first;
  for (const int threads : {1, 2, 7}) {
    base::Parallel parallel(threads);
    Trainer trainer(small_setup(reverse()));
    for (int i = 0; i < 40; ++i) ASSERT_TRUE(trainer.advance(parallel));
    if (first.empty()) first = numbers(trainer.weights());
    EXPECT_TRUE(same_bits(first, numbers(trainer.weights()))) << threads;
  }
}

TEST(Trainer, GoesOnFromACheckpointAsIfItHadNeverStopped) {
  base::Parallel parallel(2);
  Trainer whole(small_setup(reverse()));
  std::vector<Checkpoint> kept = {whole.checkpoint()};
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(whole.advance(parallel));
    kept.push_back(whole.checkpoint());
  }
  // Another trainer, from step 12; and the same one, back to 0 and 20.
  Trainer other(small_setup(reverse()));
  other.restore(kept[12]);
  while (other.step() < 30) ASSERT_TRUE(other.advance(parallel));
  EXPECT_TRUE(same_bits(numbers(whole.weights()), numbers(other.weights())));
  for (const int back : {20, 0, 29}) {
    const std::vector<float> end = numbers(kept[30].weights);
    whole.restore(kept[static_cast<std::size_t>(back)]);
    while (whole.step() < 30) ASSERT_TRUE(whole.advance(parallel));
    EXPECT_TRUE(same_bits(end, numbers(whole.weights()))) << back;
  }
}

/// "The same without positions" is the same in all else: the config, the count, and every number at the
/// start.
TEST(Trainer, AControlDiffersInItsPositionsAlone) {
  for (const ModelPositions positions : {ModelPositions::sinusoidal, ModelPositions::learned,
                                         ModelPositions::t5, ModelPositions::alibi, ModelPositions::rope}) {
    SCOPED_TRACE(static_cast<int>(positions));
    TrainerSetup setup = small_setup(reverse()), control = setup;
    setup.config.positions = positions;
    control.config.positions = ModelPositions::none, control.drawn_for = positions;
    const Trainer with(setup), without(control);
    ModelConfig expected = with.setup().config;
    expected.positions = ModelPositions::none;
    EXPECT_EQ(without.setup().config, expected);
    std::vector<std::pair<std::string, Matrix>> theirs;
    tensors(without.weights(), [&](const std::string& name, const Matrix& m) {
      theirs.push_back({name, m});
    });
    std::size_t n = 0;
    tensors(with.weights(), [&](const std::string& name, const Matrix& m) {
      const auto& [other_name, other] = theirs[n++];
      EXPECT_EQ(name, other_name);
      if (name == "wpe" || name == "t5_table") {
        EXPECT_TRUE(other.empty());
      } else {
        EXPECT_TRUE(
            std::equal(m.values().begin(), m.values().end(), other.values().begin(), other.values().end()))
            << name;
      }
    });
  }
}

/// Every scheme can be drawn as beside sinusoids: the same numbers, and a table where the scheme has one.
TEST(Trainer, EverySchemeBesideSinusoidsStartsWithTheSameNumbers) {
  TrainerSetup setup = small_setup(reverse());
  setup.config.positions = ModelPositions::sinusoidal;
  const Trainer sines(setup);
  for (const ModelPositions positions : {ModelPositions::none, ModelPositions::learned, ModelPositions::t5,
                                         ModelPositions::alibi, ModelPositions::rope}) {
    SCOPED_TRACE(static_cast<int>(positions));
    TrainerSetup other = setup;
    other.config.positions = positions, other.drawn_for = ModelPositions::sinusoidal;
    const Trainer beside(other);
    EXPECT_EQ(beside.weights().wpe.empty(), positions != ModelPositions::learned);
    EXPECT_EQ(beside.weights().t5_table.empty(), positions != ModelPositions::t5);
    ModelWeights theirs = beside.weights();
    theirs.wpe = theirs.t5_table = Matrix();
    EXPECT_TRUE(same_bits(numbers(sines.weights()), numbers(theirs)));
  }
}

TEST(Trainer, Learns) {
  base::Parallel parallel(2);
  Trainer trainer(small_setup(reverse(), 400));
  ASSERT_TRUE(trainer.advance(parallel));
  const double first = trainer.loss();
  EXPECT_NEAR(first, std::log(trainer.setup().config.vocabulary), 0.3);  // it knows nothing
  while (!trainer.finished()) ASSERT_TRUE(trainer.advance(parallel));
  EXPECT_LT(trainer.loss(), 0.5 * first);
}

TEST(Trainer, OtherSeedsAreOtherRuns) {
  base::Parallel parallel(1);
  TrainerSetup a = small_setup(reverse()), b = a;
  b.seed = 6;
  EXPECT_FALSE(same_bits(numbers(Trainer(a).weights()), numbers(Trainer(b).weights())));
}

TEST(Trainer, ANumberThatIsNoneStopsTheRunAndKeepsTheLastGoodStep) {
  base::Parallel parallel(1);
  Trainer trainer(small_setup(reverse()));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(trainer.advance(parallel));
  Checkpoint broken = trainer.checkpoint();
  broken.weights.stack.layers[0].attention.w_q.at(1, 1) = std::numeric_limits<float>::quiet_NaN();
  trainer.restore(broken);
  EXPECT_FALSE(trainer.advance(parallel));
  EXPECT_EQ(trainer.step(), 3);
  EXPECT_THAT(trainer.problem(), testing::HasSubstr("layer0_w_q"));
  EXPECT_THAT(trainer.problem(), testing::HasSubstr("step 4"));
  EXPECT_FALSE(trainer.advance(parallel));  // still

  // Weights that are numbers but too large: what overflows is named, and nothing was changed.
  broken.weights.stack.layers[0].attention.w_q.at(1, 1) = 0;
  broken.weights.wte.fill(3e38f);
  trainer.restore(broken);
  const std::vector<float> before = numbers(trainer.weights());
  EXPECT_FALSE(trainer.advance(parallel));
  EXPECT_THAT(trainer.problem(), testing::HasSubstr("not a number"));
  EXPECT_TRUE(same_bits(before, numbers(trainer.weights())));
}

}  // namespace
}  // namespace headlight::nn::trainer_test
