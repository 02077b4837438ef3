// What does a trained model do that it was not trained for: sequences of other lengths, and heads that are
// removed?
//
// A head is removed by its rows of W_O: with those 0 it adds nothing, whatever it attends to (Michel, Levy
// and Neubig 2019 mask the same sum). Nothing is trained again afterwards. Tested in
// tests/tasks/trained_measures_test.cpp.
#pragma once

#include <functional>
#include <vector>

#include "base/parallel.h"
#include "tasks/task.h"
#include "train/model.h"

namespace headlight::nn {

struct LengthScore {
  int length = 0;
  double score = 0, loss = 0;
  bool possible = true;  // false: longer than the table of learned positions
};

/// Lengths to measure at: from half of the trained one to four times it, at least 4 and at most `most`;
/// ascending, the trained one among them.
std::vector<int> lengths_around(int trained, int most);

/// As Task::evaluate() of the task at each length; empty where the task has no other length. A length that
/// the task cannot have is left out.
std::vector<LengthScore> length_scores(const Task& task, const ModelConfig& config,
                                       const ModelWeights& weights, base::Parallel& parallel);

struct RemovedHead {
  int layer = 0, head = 0;  // counted from 0
  double score = 0, loss = 0;
};
struct HeadRemoval {
  double score = 0, loss = 0;       // with every head
  std::vector<RemovedHead> alone;   // each head removed by itself, in the order of layers and heads
  std::vector<RemovedHead> greedy;  // one after the other, with all those before it, down to the last head
};

/// Sets the rows of W_O that belong to the head to 0.
void remove_head(const ModelConfig& config, int layer, int head, ModelWeights& weights);

/// `greedy` removes, of the heads that are left, the one whose removal leaves the largest score, of equals
/// the smallest loss; with more than `most_greedy` heads it is left empty: it takes n (n + 1) / 2
/// measurements. `goes_on` is told the fraction done before each measurement; false: an empty result.
HeadRemoval head_removal(const Task& task, const ModelConfig& config, const ModelWeights& weights,
                         base::Parallel& parallel, const std::function<bool(float)>& goes_on = {});
inline constexpr int most_greedy = 16;

}  // namespace headlight::nn
