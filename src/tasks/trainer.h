// How does a model learn? One step takes a batch of the task, runs forward and backward, clips to norm 1, and
// applies AdamW with warm-up and cosine decay. The state after step n depends only on the setup, on the steps
// after which its rate was set, and n: not on threads, on pauses, or on whether the run was stopped, saved
// and continued in between. Tested in tests/tasks/trainer_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "tasks/task.h"
#include "train/model.h"
#include "train/optimizer.h"

namespace headlight::nn {

struct TrainerSetup {
  std::shared_ptr<const Task> task;
  ModelConfig config;  // the task sets vocabulary, context and causal; tied unless positions are sinusoidal
  /// For a control without positions: the positions of the model it is compared with, so that it gets the
  /// same head and the same initial weights. Nothing: its own positions decide.
  std::optional<ModelPositions> drawn_for;
  int steps = 1000, batch = 32;
  double rate = 3e-3;
  double weight_decay = 0.01, clip = 1;
  double dropout = 0;  // rate, 0 … below 1; only for training batches
  std::uint64_t seed = 7;
  Guide guide;  // for a task that guides(); its layer and head must exist
  /// For a run that goes on from one with another seed: the seed of that one, which drew the first weights.
  std::optional<std::uint64_t> drawn_seed;
};

/// Everything that a run needs to continue from its current step.
struct Checkpoint {
  int step = 0;
  ModelWeights weights;
  AdamState adam;
};

class Trainer {
 public:
  explicit Trainer(TrainerSetup setup);

  const TrainerSetup& setup() const { return setup_; }
  const ModelWeights& weights() const { return state_.weights; }
  int step() const { return state_.step; }
  bool finished() const { return state_.step >= setup_.steps; }
  /// The loss of the latest step's batch, on its targets and before the update, and the step's learning rate;
  /// 0 before the first step.
  double loss() const { return loss_; }
  double rate() const { return rate_; }

  /// Makes one update. Returns false if the loss or a gradient is not a number: then the weights stay those
  /// of the step before, and problem() says which tensor it was.
  bool advance(base::Parallel& parallel);
  const std::string& problem() const { return problem_; }

  const Checkpoint& checkpoint() const { return state_; }
  /// The schedule reaches this rate after its warm-up: in every step from the next one on.
  void set_rate(double rate) { setup_.rate = rate; }

  /// Goes to a state of the same setup, forward or back.
  void restore(const Checkpoint& state);

 private:
  std::string find_problem() const;

  TrainerSetup setup_;
  Checkpoint state_;
  Batch batch_;
  ModelTrace trace_;
  ModelWeights gradients_;
  double loss_ = 0, rate_ = 0;
  std::string problem_;
};

/// Returns the config of a setup, completed by what the task and the positions decide.
ModelConfig for_task(const Task& task, ModelConfig config, ModelPositions drawn_for);

}  // namespace headlight::nn
