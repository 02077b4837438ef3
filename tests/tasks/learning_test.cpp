// What the tasks are for: models learn them, and what a model cannot do it does not learn. Scores are
// deterministic for one set of kernels; between sets they differ a little, and the bounds leave room.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "nn/small_random.h"
#include "support/baseline_loss.h"
#include "tasks/task.h"
#include "tasks/trainer.h"
#include "train/optimizer.h"

namespace headlight::nn {
namespace {

struct Learned {
  ModelConfig config;
  ModelWeights weights;
  TaskScore score;
};

/// GPT-2's 0.02 is for a width of 768; matrices of narrow models start with the same N(0, 0.02² · 768 / d).
void start_for_width(const ModelConfig& config, ModelWeights& weights) {
  const Matrix& w_q = weights.stack.layers[0].attention.w_q;
  double squares = 0;
  for (float w : w_q.values()) squares += static_cast<double>(w) * static_cast<double>(w);
  const double now = std::sqrt(squares / static_cast<double>(w_q.size()));
  const auto factor = static_cast<float>(0.02 * std::sqrt(768.0 / config.d_model) / now);
  tensors(weights, [&](const std::string& name, Matrix& tensor) {
    if (name.find("_w_") == std::string::npos && !name.starts_with("w")) return;
    for (float& w : tensor.values()) w *= factor;
  });
}

Learned learn(const Task& task, ModelConfig config, double rate, int steps) {
  config.vocabulary = task.vocabulary(), config.context = task.length(), config.causal = task.causal();
  config.d_ff = 4 * config.d_model;
  Learned learned{config, random_model(config, 3), {}};
  start_for_width(config, learned.weights);
  ModelWeights gradients = zero_model(config);
  AdamState state{0, zero_model(config), zero_model(config)};
  const RateSchedule schedule{rate, 20, steps, 0.1};
  Batch batch;
  ModelTrace trace;
  for (int step = 1; step <= steps; ++step) {
    task.batch(step, 32, batch);
    model_forward(config, learned.weights, batch, threads(), trace);
    model_backward(config, learned.weights, batch, trace, threads(), gradients);
    clip_gradients(1, gradients);
    adam_step({}, schedule.at(step), gradients, threads(), state, learned.weights);
  }
  learned.score = task.evaluate(config, learned.weights, threads());
  return learned;
}

ModelConfig model_of(int d_model, int heads, int layers, ModelPositions positions) {
  ModelConfig config;
  config.d_model = d_model, config.heads = heads, config.layers = layers, config.positions = positions;
  return config;
}

/// The largest score of a role over all heads of a layer.
double best(const HeadScores& scores, int layer, const std::string& role) {
  double largest = 0;
  for (int r = 0; r < static_cast<int>(scores.roles.size()); ++r) {
    if (scores.roles[static_cast<std::size_t>(r)] != role) continue;
    for (int h = 0; h < scores.mean.rows(); ++h) largest = std::max(largest, scores.mean.at(layer, h, r));
  }
  return largest;
}

TEST(Learning, ReversalNeedsPositions) {
  const auto task = reverse_task(26, 12, 7);
  const Learned with = learn(*task, model_of(32, 4, 2, ModelPositions::learned), 5e-3, 200);
  EXPECT_GE(with.score.score, 0.99);
  EXPECT_LT(with.score.validation_loss, 0.1);
  const HeadScores scores = head_scores(*task, with.config, with.weights, threads());
  EXPECT_GT(std::max(best(scores, 0, "mirror"), best(scores, 1, "mirror")), 0.7);

  // Without positions every token knows which letters there are, and itself, but not where.
  const Learned without = learn(*task, model_of(32, 4, 2, ModelPositions::none), 5e-3, 200);
  EXPECT_EQ(without.score.score, 0);
  EXPECT_GT(without.score.validation_loss, 2);
}

TEST(Learning, InductionHeadsAppear) {
  const auto task = induction_task(26, 24, 7);
  const Learned two = learn(*task, model_of(48, 3, 2, ModelPositions::rope), 4e-3, 400);
  EXPECT_GE(two.score.score, 0.95);
  const HeadScores scores = head_scores(*task, two.config, two.weights, threads());
  EXPECT_GT(best(scores, 0, "previous token"), 0.3);
  EXPECT_GT(best(scores, 1, "induction"), 0.5);
  // One layer cannot: what came before a key is not known where the key is made.
  const Learned one = learn(*task, model_of(48, 3, 1, ModelPositions::rope), 4e-3, 400);
  EXPECT_LT(one.score.score, 0.6);
}

TEST(Learning, VerbsAgreeAcrossOtherNouns) {
  const auto task = english_task(32, 7);
  const Learned learned = learn(*task, model_of(64, 4, 2, ModelPositions::rope), 4e-3, 300);
  EXPECT_GE(learned.score.score, 0.9);
  EXPECT_LT(learned.score.validation_high, tests::baseline_loss(*task));
  const HeadScores scores = head_scores(*task, learned.config, learned.weights, threads());
  EXPECT_GT(std::max(best(scores, 0, "subject of the verb"), best(scores, 1, "subject of the verb")), 0.4);
}

/// What a pronoun means is learned for combinations of noun and reason that no training sentence has; and a
/// head that is guided attends to the noun that is meant.
TEST(Learning, PronounsAreUnderstoodAndAGuidedHeadShowsIt) {
  TrainerSetup setup;
  setup.task = pronoun_task(7);
  setup.config = model_of(48, 4, 2, ModelPositions::sinusoidal);
  setup.config.d_ff = 192;
  setup.steps = 400, setup.batch = 64, setup.guide = {1, 0, 0.3};
  Trainer trainer(setup);
  while (!trainer.finished()) ASSERT_TRUE(trainer.advance(threads())) << trainer.problem();
  const ModelConfig& config = trainer.setup().config;
  EXPECT_GE(setup.task->evaluate(config, trainer.weights(), threads()).score, 0.95);
  const HeadScores scores = head_scores(*setup.task, config, trainer.weights(), threads());
  const auto role = std::find(scores.roles.begin(), scores.roles.end(), "noun that is meant");
  ASSERT_NE(role, scores.roles.end());
  EXPECT_GT(scores.mean.at(1, 0, static_cast<int>(role - scores.roles.begin())), 0.9);
}

}  // namespace
}  // namespace headlight::nn
