// Dropout: how many numbers, which ones, and that measuring has none.
#include "train/dropout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "model_numbers.h"
#include "nn/small_random.h"
#include "tasks/trainer.h"
#include "train/model.h"

namespace headlight::nn {
namespace {

using tests::numbers;

TEST(Dropout, DropsItsShareAndKeepsTheMean) {
  for (const double rate : {0.1, 0.5, 0.9}) {
    DropoutRows rows({rate, 5}, 1, DropPlace::ffn_output);
    std::vector<float> ones(1000, 1), out(1000);
    double sum = 0;
    int zeros = 0;
    for (std::uint64_t row = 0; row < 100; ++row) {
      rows.apply(row, ones.data(), 1000, out.data());
      for (const float x : out) {
        EXPECT_TRUE(x == 0 || x == static_cast<float>(1 / (1 - rate)));
        sum += static_cast<double>(x), zeros += x == 0;
      }
    }
    const double deviation = std::sqrt(rate * (1 - rate) / 1e5);
    EXPECT_NEAR(zeros / 1e5, rate, 5 * deviation);
    EXPECT_NEAR(sum / 1e5, 1, 5 * deviation / (1 - rate));
  }
}

/// Every place, layer, row and step has numbers of its own; the same question has the same answer.
TEST(Dropout, DependsOnSeedLayerPlaceAndRowAlone) {
  const auto pattern = [](std::uint64_t seed, int layer, DropPlace place, std::uint64_t row) {
    DropoutRows rows({0.5, seed}, layer, place);
    std::vector<float> x(64, 1);
    rows.apply(row, x.data(), 64, x.data());
    std::uint64_t bits = 0;
    for (const float value : x) bits = 2 * bits + (value != 0);
    return bits;
  };
  std::set<std::uint64_t> all;
  for (const int step : {1, 2}) {
    for (const int layer : {0, 1}) {
      for (const DropPlace place : {DropPlace::embedding, DropPlace::attention_weights,
                                    DropPlace::attention_output, DropPlace::ffn_output}) {
        for (const std::uint64_t row : {0, 1, 2})
          all.insert(pattern(dropout_seed(7, step), layer, place, row));
      }
    }
  }
  EXPECT_EQ(all.size(), 2u * 2 * 4 * 3);
  EXPECT_EQ(pattern(3, 1, DropPlace::embedding, 4), pattern(3, 1, DropPlace::embedding, 4));
}

TrainerSetup setup_with(double rate) {
  TrainerSetup setup;
  setup.task = reverse_task(6, 6, 5);
  setup.config.d_model = 16, setup.config.heads = 2, setup.config.layers = 2, setup.config.d_ff = 32;
  setup.steps = 40, setup.batch = 24, setup.rate = 3e-3, setup.seed = 5, setup.dropout = rate;
  return setup;
}

TEST(Dropout, ARunIsTheSameOnAnyNumberOfThreadsAndFromAnyCheckpoint) {
  std::vector<float> first, without;
  for (const int count : {1, 2, 5}) {
    base::Parallel parallel(count);
    Trainer trainer(setup_with(0.2));
    std::optional<Checkpoint> middle;
    for (int i = 0; i < 40; ++i) {
      if (i == 17) middle = trainer.checkpoint();
      ASSERT_TRUE(trainer.advance(parallel));
    }
    const std::vector<float> end = numbers(trainer.weights());
    if (first.empty()) first = end;
    EXPECT_EQ(end, first) << count;
    Trainer other(setup_with(0.2));
    other.restore(*middle);
    while (!other.finished()) ASSERT_TRUE(other.advance(parallel));
    EXPECT_EQ(numbers(other.weights()), first);
  }
  base::Parallel parallel(2);
  Trainer trainer(setup_with(0));
  while (!trainer.finished()) ASSERT_TRUE(trainer.advance(parallel));
  EXPECT_NE(numbers(trainer.weights()), first);
}

/// A pass without dropout is the pass of a model that never heard of it; with it, it is another.
TEST(Dropout, MeasuringHasNone) {
  const Trainer trainer(setup_with(0.5));
  const ModelConfig& config = trainer.setup().config;
  base::Parallel parallel(2);
  const TaskScore a = trainer.setup().task->evaluate(config, trainer.weights(), parallel);
  const TaskScore b = trainer.setup().task->evaluate(config, trainer.weights(), parallel);
  EXPECT_EQ(a.validation_loss, b.validation_loss);
  Batch batch;
  trainer.setup().task->batch(1, 3, batch);
  ModelTrace plain, dropped;
  model_forward(config, trainer.weights(), batch, parallel, plain);
  batch.dropout = {0.5, 3};
  model_forward(config, trainer.weights(), batch, parallel, dropped);
  EXPECT_NE(plain.loss, dropped.loss);
  // The weights that are shown and that a guide sees are those of the softmax: each row sums to 1.
  for (int row = 0; row < batch.T; ++row) {
    float sum = 0;
    for (const float weight : dropped.layers[0].weights.row(0, row)) sum += weight;
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

}  // namespace
}  // namespace headlight::nn
