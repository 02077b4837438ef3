// How does a trained model behave outside its training conditions: with sequences of other lengths, and with
// heads removed?
//
// A head is removed by setting its rows of W_O to 0: then it adds nothing, whatever it attends to (Michel,
// Levy and Neubig 2019 mask the same sum). The model is not trained again afterwards. Tested in
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

/// Returns the lengths to measure at: from half of the trained length to four times it, at least 4 and at
/// most `most`; ascending, including the trained length.
std::vector<int> lengths_around(int trained, int most);

/// Returns Task::evaluate() of the task at each length; empty if the task has no other length. Lengths that
/// the task cannot have are left out.
std::vector<LengthScore> length_scores(const Task& task, const ModelConfig& config,
                                       const ModelWeights& weights, base::Parallel& parallel);

struct RemovedHead {
  int layer = 0, head = 0;  // counted from 0
  double score = 0, loss = 0;
};
struct HeadRemoval {
  double score = 0, loss = 0;       // with every head
  std::vector<RemovedHead> alone;   // each head removed by itself, in the order of layers and heads
  std::vector<RemovedHead> greedy;  // removed one after another, each in addition to those before it, down to
                                    // the last head
};

/// Sets the rows of W_O that belong to the head to 0.
void remove_head(const ModelConfig& config, int layer, int head, ModelWeights& weights);

/// `greedy` repeatedly removes, of the remaining heads, the one whose removal leaves the largest score, or on
/// ties the smallest loss. With more than `most_greedy` heads it is empty, since it takes n (n + 1) / 2
/// measurements. `keep_going` receives the fraction done before each measurement; if it returns false, the
/// result is empty.
HeadRemoval head_removal(const Task& task, const ModelConfig& config, const ModelWeights& weights,
                         base::Parallel& parallel, const std::function<bool(float)>& keep_going = {});
inline constexpr int most_greedy = 16;

}  // namespace headlight::nn
