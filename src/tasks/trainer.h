// How does a model learn? One step is a batch of the task, forward, backward, clipping to norm 1, AdamW with
// warm-up and cosine decay. The state after step n depends on the setup and n alone: not on threads, pauses,
// or whether the run was stopped, saved and continued in between. Tested in tests/tasks/trainer_test.cpp.
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
  ModelConfig config;  // vocabulary, context and causal are the task's; tied but beside sinusoidal positions
  /// A control without positions is made as the model with these: the same head, the same weights at the
  /// start. Nothing: as its own positions have it.
  std::optional<ModelPositions> drawn_for;
  int steps = 1000, batch = 32;
  double rate = 3e-3;
  double weight_decay = 0.01, clip = 1;
  double dropout = 0;  // rate, 0 … below 1; of training batches alone
  std::uint64_t seed = 7;
  Guide guide;  // of a task that guides(); its layer and head exist
};

/// All that a run needs to go on from where it is.
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
  /// Of the newest step: the loss of its batch's targets before the update, and its learning rate; 0 before
  /// the first.
  double loss() const { return loss_; }
  double rate() const { return rate_; }

  /// One update. False when the loss or a gradient is not a number: then the weights stay those of the step
  /// before, and problem() says which tensor it was.
  bool advance(base::Parallel& parallel);
  const std::string& problem() const { return problem_; }

  const Checkpoint& checkpoint() const { return state_; }
  /// Goes to that state, of the same setup; ahead or back.
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

/// The config of a setup with what the task and the positions decide.
ModelConfig for_task(const Task& task, ModelConfig config, ModelPositions drawn_for);

}  // namespace headlight::nn
