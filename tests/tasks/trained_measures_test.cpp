// Other lengths and removed heads, on models whose answers are known.
#include "tasks/trained_measures.h"

#include <gtest/gtest.h>

#include "nn/small_random.h"
#include "tasks/trainer.h"

namespace headlight::nn {
namespace {

TEST(Lengths, AreFromHalfToFourTimes) {
  EXPECT_EQ(lengths_around(8, 512), (std::vector<int>{4, 6, 8, 10, 12, 16, 24, 32}));
  EXPECT_EQ(lengths_around(256, 512), (std::vector<int>{128, 192, 256, 320, 384, 512}));
  EXPECT_EQ(lengths_around(4, 512), (std::vector<int>{4, 5, 6, 8, 12, 16}));
  EXPECT_EQ(lengths_around(700, 512), (std::vector<int>{350, 512, 700}));
}

/// Without the head's rows of W_O the output is the sum of the other heads alone.
TEST(HeadRemoval, TakesAwayWhatTheHeadAdds) {
  ModelConfig config;
  config.vocabulary = 9, config.context = 6, config.d_model = 12, config.heads = 3, config.layers = 1;
  config.d_ff = 8;
  const ModelWeights weights = random_model(config, 3);
  Batch batch;
  batch.B = 1, batch.T = 6, batch.tokens = {1, 2, 3, 4, 5, 6};
  ModelTrace whole, less;
  model_forward(config, weights, batch, threads(), whole);
  for (int head = 0; head < 3; ++head) {
    ModelWeights cut = weights;
    remove_head(config, 0, head, cut);
    model_forward(config, cut, batch, threads(), less);
    for (int t = 0; t < 6; ++t) {
      for (int c = 0; c < 12; ++c) {
        double added = 0;
        for (int r = 4 * head; r < 4 * head + 4; ++r)
          added += static_cast<double>(whole.layers[0].context.at(t, r)) *
                   static_cast<double>(weights.stack.layers[0].attention.w_o.at(r, c));
        EXPECT_NEAR(static_cast<double>(whole.layers[0].attention_sum.at(t, c)) - added,
                    static_cast<double>(less.layers[0].attention_sum.at(t, c)), 1e-5);
      }
    }
  }
}

struct Reversal {
  std::shared_ptr<const Task> task = reverse_task(8, 6, 5);
  TrainerSetup setup;
  Reversal() {
    setup.task = task;
    setup.config.d_model = 16, setup.config.heads = 2, setup.config.layers = 1, setup.config.d_ff = 32;
    setup.config.positions = ModelPositions::learned;
    setup.steps = 400, setup.batch = 16, setup.rate = 1e-2, setup.seed = 5;
  }
};

TEST(HeadRemoval, GoesOnToTheLastHead) {
  const Reversal r;
  Trainer trainer(r.setup);
  while (!trainer.finished()) ASSERT_TRUE(trainer.advance(threads()));
  const ModelConfig& config = trainer.setup().config;
  const HeadRemoval removal = head_removal(*r.task, config, trainer.weights(), threads());
  EXPECT_GT(removal.score, 0.95);
  ASSERT_EQ(removal.alone.size(), 2u);
  ASSERT_EQ(removal.greedy.size(), 2u);
  EXPECT_NE(removal.greedy[0].head, removal.greedy[1].head);
  EXPECT_EQ(removal.greedy[0].score, std::max(removal.alone[0].score, removal.alone[1].score));
  ModelWeights none = trainer.weights();
  remove_head(config, 0, 0, none), remove_head(config, 0, 1, none);
  const TaskScore left = r.task->evaluate(config, none, threads());
  EXPECT_EQ(removal.greedy[1].score, left.score);
  EXPECT_EQ(removal.greedy[1].loss, left.validation_loss);
  int calls = 0;
  const HeadRemoval stopped =
      head_removal(*r.task, config, trainer.weights(), threads(), [&](float) { return ++calls < 2; });
  EXPECT_TRUE(stopped.alone.empty());
  EXPECT_EQ(calls, 2);

  const auto lengths = length_scores(*r.task, config, trainer.weights(), threads());
  for (const LengthScore& one : lengths) {
    EXPECT_EQ(one.possible, one.length <= 6);
    if (one.length == 6) {
      EXPECT_EQ(one.score, removal.score);
    }
  }
}

/// Strings of the end-token task: the mirrored letters, and the end token for itself; other lengths from
/// batch to batch, and every length among the held-out ones.
TEST(ReverseEnd, StringsAreMirroredUpToTheirEndToken) {
  const auto task = reverse_end_task(5, 9, 3);
  const int end = 6;
  EXPECT_EQ(task->token_text(end), "$");
  EXPECT_DOUBLE_EQ(task->baselines().front().loss, std::log(6.)) << "five letters and the end token";
  std::vector<int> lengths(16), held_out(16);
  for (int step = 1; step <= 60; ++step) {
    Batch batch, again;
    task->batch(step, 4, batch), task->batch(step, 2, again);
    EXPECT_TRUE(std::equal(again.tokens.begin(), again.tokens.end(), batch.tokens.begin()));
    ++lengths[static_cast<std::size_t>(batch.T)];
    for (int b = 0; b < 4; ++b) {
      for (int t = 0; t < batch.T; ++t) {
        const auto at = [&](int i) { return static_cast<std::size_t>(b * batch.T + i); };
        if (t + 1 == batch.T) {
          EXPECT_EQ(batch.tokens[at(t)], end);
          EXPECT_EQ(batch.targets[at(t)], end);
        } else {
          EXPECT_TRUE(batch.tokens[at(t)] >= 1 && batch.tokens[at(t)] <= 5);
          EXPECT_EQ(batch.targets[at(t)], batch.tokens[at(batch.T - 2 - t)]);
        }
      }
    }
  }
  for (int n = 0; n < 256; ++n) {
    const Example example = task->example(n);
    ++held_out[example.tokens.size()];
    EXPECT_EQ(example.relations[0].name, "mirror");
    EXPECT_EQ(example.relations[1].name, "end token");
    EXPECT_EQ(example.relations[1].keys.back(), -1);
    EXPECT_EQ(example.relations[1].keys.front(), static_cast<int>(example.tokens.size()) - 1);
  }
  for (std::size_t T = 0; T < 16; ++T) {
    EXPECT_EQ(lengths[T] > 0, T >= 5 && T <= 9) << T;
    EXPECT_EQ(held_out[T] > 0, T >= 5 && T <= 9) << T;
  }
  EXPECT_EQ(task->tokens_of("abcde"), (std::vector<int>{1, 2, 3, 4, 5, end}));
  EXPECT_EQ(task->tokens_of("abcd$e"), (std::vector<int>{1, 2, 3, 4, end}));
  EXPECT_TRUE(task->tokens_of("abc").empty());
  EXPECT_EQ(task->tokens_of("abcdeabcdeabcde").size(), 9u);
  const auto longer = task->at_length(20);
  EXPECT_EQ(longer->example(0).tokens.size(), 20u);
  EXPECT_EQ(longer->vocabulary(), task->vocabulary());
}

}  // namespace
}  // namespace headlight::nn
