// The tasks over letters, and the scores of heads, on models whose maps are known beforehand.
#include "tasks/task.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "nn/random.h"
#include "nn/small_random.h"
#include "support/baseline_loss.h"
#include "tasks/task_parts.h"

namespace headlight::nn {
namespace {

ModelConfig config_for(const Task& task, int d_model, int heads, int layers) {
  ModelConfig config;
  config.vocabulary = task.vocabulary(), config.context = task.length(), config.causal = task.causal();
  config.d_model = d_model, config.heads = heads, config.layers = layers, config.d_ff = 2 * d_model;
  config.positions = ModelPositions::learned;
  return config;
}

std::vector<std::unique_ptr<Task>> small_tasks() {
  std::vector<std::unique_ptr<Task>> tasks;
  tasks.push_back(reverse_task(5, 7, 3)), tasks.push_back(reverse_task(52, 8, 3));
  tasks.push_back(induction_task(5, 9, 3)), tasks.push_back(induction_task(26, 24, 3));
  tasks.push_back(english_task(32, 3));
  return tasks;
}

TEST(Tasks, ABatchDependsOnSeedAndStepAlone) {
  for (const auto& task : small_tasks()) {
    Batch a, b;
    task->batch(4, 8, a);
    task->batch(9, 3, b);
    EXPECT_NE(a.tokens, b.tokens);
    task->batch(4, 8, b);
    EXPECT_EQ(a.tokens, b.tokens);
    EXPECT_EQ(a.targets, b.targets);
    task->batch(4, 5, b);  // the first of the eight
    EXPECT_TRUE(std::equal(b.tokens.begin(), b.tokens.end(), a.tokens.begin()));
    ASSERT_EQ(a.tokens.size(), static_cast<std::size_t>(8 * task->length()));
    ASSERT_EQ(a.targets.size(), a.tokens.size());
    for (std::size_t i = 0; i < a.tokens.size(); ++i) {
      EXPECT_TRUE(a.tokens[i] >= 1 && a.tokens[i] < task->vocabulary());
      EXPECT_TRUE(a.targets[i] == no_target || (a.targets[i] >= 1 && a.targets[i] < task->vocabulary()));
    }
  }
}

TEST(Tasks, ExamplesAreTheSameEveryTimeAndHaveTheSameRelations) {
  for (const auto& task : small_tasks()) {
    std::vector<std::string> names;
    for (int n : {0, 1, 7, 300}) {
      const Example example = task->example(n), again = task->example(n);
      EXPECT_EQ(example.tokens, again.tokens);
      ASSERT_EQ(example.tokens.size(), static_cast<std::size_t>(task->length()));
      std::vector<std::string> here;
      for (const Relation& relation : example.relations) {
        here.push_back(relation.name);
        ASSERT_EQ(relation.keys.size(), example.tokens.size());
        for (int t = 0; t < task->length(); ++t) {
          const int key = relation.keys[static_cast<std::size_t>(t)];
          EXPECT_TRUE(key >= -1 && key < (task->causal() ? t + 1 : task->length())) << relation.name;
        }
      }
      if (names.empty()) names = here;
      EXPECT_EQ(here, names);
    }
    EXPECT_NE(task->example(0).tokens, task->example(1).tokens);
  }
}

TEST(Reverse, TargetsStandBackwards) {
  const auto task = reverse_task(26, 12, 7);
  Batch batch;
  task->batch(1, 16, batch);
  for (int b = 0; b < 16; ++b) {
    for (int t = 0; t < 12; ++t) {
      EXPECT_EQ(batch.targets[static_cast<std::size_t>(b * 12 + t)],
                batch.tokens[static_cast<std::size_t>(b * 12 + 11 - t)]);
    }
  }
  const Example example = task->example(2);
  EXPECT_EQ(example.relations[0].name, "mirror");
  EXPECT_EQ(example.relations[0].keys[3], 8);
  EXPECT_NEAR(tests::baseline_loss(*task), std::log(26.0), 1e-12);
  EXPECT_EQ(task->token_text(1), "a");
}

TEST(Reverse, TypedLettersFillTheLength) {
  const auto task = reverse_task(26, 5, 7);
  EXPECT_EQ(task->tokens_of("The cat"), (std::vector<int>{20, 8, 5, 3, 1}));
  EXPECT_TRUE(task->tokens_of("cat 12").empty());
}

TEST(Induction, RoundsOfLettersThatAreAllDifferent) {
  const auto task = induction_task(26, 24, 7);
  Batch batch;
  task->batch(1, 64, batch);
  std::map<int, int> periods;
  for (int b = 0; b < 64; ++b) {
    const auto begin = batch.tokens.begin() + b * 24;
    int period = 1;
    while (begin[period] != begin[0]) ++period;
    ++periods[period];
    for (int t = 0; t < 24; ++t) {
      EXPECT_EQ(begin[t], begin[t % period]);
      if (t < period) {
        EXPECT_EQ(std::count(begin, begin + period, begin[t]), 1);
      }
      EXPECT_EQ(batch.targets[static_cast<std::size_t>(b * 24 + t)], t < 23 ? begin[t + 1] : no_target);
    }
  }
  EXPECT_GE(periods.begin()->first, 6);
  EXPECT_LE(periods.rbegin()->first, 12);
  EXPECT_GE(periods.size(), 5u);
  EXPECT_EQ(task->tokens_of("abcabc!"), (std::vector<int>{1, 2, 3, 1, 2, 3}));
}

TEST(Relations, FollowFromTheTokens) {
  const std::vector<int> tokens = {5, 6, 5, 5, 7, 6};
  const std::vector<Relation> causal = token_relations(tokens, true), both = token_relations(tokens, false);
  const auto keys = [](const std::vector<Relation>& list, const std::string& name) {
    for (const Relation& relation : list) {
      if (relation.name == name) return relation.keys;
    }
    return std::vector<int>{};
  };
  EXPECT_EQ(keys(causal, "previous token"), (std::vector<int>{-1, 0, 1, 2, 3, 4}));
  EXPECT_EQ(keys(causal, "first token"), (std::vector<int>{-1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(keys(causal, "itself"), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(keys(causal, "same token before"), (std::vector<int>{-1, -1, 0, 2, -1, 1}));
  EXPECT_EQ(keys(causal, "induction"), (std::vector<int>{-1, -1, 1, -1, -1, 2}));
  EXPECT_EQ(keys(both, "next token"), (std::vector<int>{1, 2, 3, 4, 5, -1}));
  EXPECT_TRUE(keys(both, "induction").empty());
}

TEST(HeadScores, OfUniformMapsAreTheUniformScores) {
  for (const auto& task : small_tasks()) {
    const ModelConfig config = config_for(*task, 8, 2, 2);
    const HeadScores scores = head_scores(*task, config, zero_model(config), threads(), 20);
    ASSERT_EQ(scores.roles.size(), task->example(0).relations.size());
    for (int r = 0; r < static_cast<int>(scores.roles.size()); ++r) {
      if (scores.queries[static_cast<std::size_t>(r)] == 0) continue;
      for (int l = 0; l < 2; ++l) {
        for (int h = 0; h < 2; ++h) {
          EXPECT_NEAR(scores.mean.at(l, h, r), scores.uniform[static_cast<std::size_t>(r)], 1e-5);
        }
      }
    }
    EXPECT_EQ(outstanding_role(scores, 0, 0), -1);
  }
}

/// Every place has an axis of its own; W_K moves it on by one for head 0, and not at all for head 1.
TEST(HeadScores, KnowAHeadThatWasBuilt) {
  const auto task = induction_task(4, 8, 7);
  ModelConfig config = config_for(*task, 16, 2, 1);
  ModelWeights weights = zero_model(config);
  AttentionWeights& attention = weights.stack.layers[0].attention;
  for (int t = 0; t < 8; ++t) {
    weights.wpe.at(t, t) = 1;
    attention.w_q.at(t, t) = 30;
    if (t + 1 < 8) attention.w_k.at(t, t + 1) = 1;
    attention.w_q.at(t, 8 + t) = 30;
    attention.w_k.at(t, 8 + t) = 1;
  }
  weights.stack.layers[0].ln1_g.fill(1);
  const HeadScores scores = head_scores(*task, config, weights, threads(), 16);
  const auto role = [&](int head) {
    const int r = outstanding_role(scores, 0, head);
    return r < 0 ? std::string() : scores.roles[static_cast<std::size_t>(r)];
  };
  EXPECT_EQ(role(0), "previous token");
  EXPECT_EQ(role(1), "itself");
  const auto previous = static_cast<int>(
      std::find(scores.roles.begin(), scores.roles.end(), "previous token") - scores.roles.begin());
  EXPECT_GT(scores.mean.at(0, 0, previous), 0.99);
  EXPECT_LT(scores.mean.at(0, 1, previous), 0.01);
}

TEST(HeadScores, StandOutOrDoNot) {
  HeadScores scores{{"a", "b", "c"}, {9, 9, 0}, {0.1, 0.2, std::nan("")}, MatrixF64(1, 5, 3)};
  const double means[5][2] = {{0.29, 0.29}, {0.31, 0.39}, {0.35, 0.41}, {0.6, 0.5}, {0.01, 0.3}};
  const int roles[5] = {-1, 0, 1, 0,
                        -1};  // too small; b is less than twice its uniform score; the larger one
  for (int h = 0; h < 5; ++h) {
    scores.mean.at(0, h, 0) = means[h][0], scores.mean.at(0, h, 1) = means[h][1];
    scores.mean.at(0, h, 2) = std::nan("");
    EXPECT_EQ(outstanding_role(scores, 0, h), roles[h]) << "head " << h;
  }
}

TEST(Evaluate, OfAnUntrainedModelIsChance) {
  const auto task = reverse_task(26, 12, 7);
  const ModelConfig config = config_for(*task, 8, 2, 1);
  const TaskScore score = task->evaluate(config, zero_model(config), threads());
  EXPECT_NEAR(score.validation_loss, std::log(27.0), 1e-5);
  EXPECT_LE(score.validation_low, score.validation_loss);
  EXPECT_GE(score.validation_high, score.validation_loss);
  EXPECT_EQ(score.score, 0);
}

TEST(Evaluate, LossAndBandAreThoseOfTheSequences) {
  const auto task = induction_task(6, 10, 7);
  const ModelConfig config = config_for(*task, 8, 2, 1);
  ModelWeights weights = random_model(config, 5);
  for (float& w : weights.wte.values()) w *= 40;
  const TaskScore score = task->evaluate(config, weights, threads());
  // One by one, from the logits.
  double sum = 0, squares = 0;
  int right = 0, judged = 0;
  constexpr int count = 256;
  for (int n = 0; n < count; ++n) {
    const Example example = task->example(n);
    Batch batch{1, 10, example.tokens, {}};
    ModelTrace trace;
    model_forward(config, weights, batch, threads(), trace);
    double loss = 0;
    for (int t = 0; t + 1 < 10; ++t) {
      double all = 0;
      int best = 0;
      for (int v = 0; v < config.vocabulary; ++v) {
        all += std::exp(static_cast<double>(trace.logits.at(t, v)));
        if (trace.logits.at(t, v) > trace.logits.at(t, best)) best = v;
      }
      const int target = example.tokens[static_cast<std::size_t>(t) + 1];
      loss += std::log(all) - static_cast<double>(trace.logits.at(t, target));
      if (t >= 5) right += best == target, ++judged;
    }
    sum += loss / 9, squares += loss / 9 * (loss / 9);
  }
  const double mean = sum / count, error = std::sqrt((squares / count - mean * mean) / (count - 1));
  EXPECT_NEAR(score.validation_loss, mean, 1e-5 * mean);
  EXPECT_NEAR(score.validation_high - score.validation_loss, error, 1e-4 * error);
  EXPECT_NEAR(score.score, static_cast<double>(right) / judged, 1e-12);
}

TEST(BigramTable, IsADistributionAndCounts) {
  BigramTable table(4);
  for (int n = 0; n < 90; ++n) table.add(1, 2);
  for (int n = 0; n < 10; ++n) table.add(1, 3);
  table.add(2, 1);
  for (int a = 0; a < 4; ++a) {
    double sum = 0;
    for (int b = 0; b < 4; ++b) sum += table.probability(a, b);
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  EXPECT_NEAR(table.probability(1, 2), 0.9, 0.01);
  EXPECT_GT(table.probability(3, 2), table.probability(3, 1));  // never seen: as often as it stands anywhere
  EXPECT_GT(table.probability(1, 0), 0);
  EXPECT_NEAR(table.loss(std::vector<Example>{{{1, 2}, {2, no_target}, {}}}),
              -std::log(table.probability(1, 2)), 1e-12);
}

TEST(TrigramTable, IsADistributionThatFallsBackOnPairs) {
  constexpr int vocabulary = 5;
  const Random random(41, 1);
  std::vector<int> text;
  for (std::uint64_t n = 0; n < 400; ++n)
    text.push_back(n % 3 == 2 ? (text[n - 1] + text[n - 2]) % 4 : static_cast<int>(random.below(n, 4)));
  const std::vector<Example> judged = {{{0, 1, 2, 3}, {1, 2, 3, no_target}, {}},
                                       {{3, 3, 4, 1, 1, 0}, {3, 4, 1, 1, 0, 2}, {}}};
  BigramTable pairs(vocabulary);
  TrigramTable table(pairs, judged);
  std::map<std::array<int, 3>, int> triples;
  for (std::size_t n = 0; n + 1 < text.size(); ++n) {
    pairs.add(text[n], text[n + 1]);
    if (n == 0) continue;
    table.add(text[n - 1], text[n], text[n + 1]);
    ++triples[{text[n - 1], text[n], text[n + 1]}];
  }
  // By hand, from its formula.
  const auto slow = [&](int a, int b, int c) {
    double all = 0, kinds = 0, here = 0;
    for (const auto& [triple, count] : triples) {
      if (triple[0] != a || triple[1] != b) continue;
      all += count, kinds += 1;
      if (triple[2] == c) here = count;
    }
    return all == 0 ? pairs.probability(b, c) : (here + kinds * pairs.probability(b, c)) / (all + kinds);
  };
  double wanted = 0;
  int targets = 0, seen = 0;
  for (const Example& example : judged) {
    for (std::size_t t = 0; t < example.tokens.size(); ++t) {
      const int b = example.tokens[t], c = example.targets[t];
      if (t > 0) {
        const int a = example.tokens[t - 1];
        double sum = 0;
        for (int other = 0; other < vocabulary; ++other) {
          EXPECT_NEAR(table.probability(a, b, other), slow(a, b, other), 1e-12);
          sum += table.probability(a, b, other);
        }
        EXPECT_NEAR(sum, 1, 1e-12);
        seen += std::abs(slow(a, b, 0) - pairs.probability(b, 0)) > 1e-3;
      }
      if (c == no_target) continue;
      wanted -= std::log(t == 0 ? pairs.probability(b, c) : slow(example.tokens[t - 1], b, c)), ++targets;
    }
  }
  EXPECT_GT(seen, 3);
  EXPECT_NEAR(table.loss(judged), wanted / targets, 1e-12);
  EXPECT_EQ(table.probability(4, 4, 1), pairs.probability(4, 1));  // a pair that nobody saw
}

}  // namespace
}  // namespace headlight::nn
