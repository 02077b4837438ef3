#include "tasks/trainer.h"

#include <algorithm>
#include <cmath>

namespace headlight::nn {

namespace {

constexpr int longest_warmup = 100;
constexpr std::uint64_t weights_stream = 0x5745494748545Full;  // separate from the task's streams

RateSchedule schedule_of(const TrainerSetup& setup) {
  RateSchedule schedule;
  schedule.rate = setup.rate;
  schedule.warmup_steps = std::min(longest_warmup, setup.steps / 10);
  schedule.total_steps = setup.steps;
  return schedule;
}

bool finite(const Matrix& tensor) {
  return std::all_of(tensor.values().begin(), tensor.values().end(),
                     [](float x) { return std::isfinite(x); });
}

}  // namespace

ModelConfig for_task(const Task& task, ModelConfig config, ModelPositions drawn_for) {
  config.vocabulary = task.vocabulary();
  config.context = task.length();
  config.causal = task.causal();
  config.tied = drawn_for != ModelPositions::sinusoidal;
  return config;
}

Trainer::Trainer(TrainerSetup setup) : setup_(std::move(setup)) {
  const ModelPositions drawn_for = setup_.drawn_for.value_or(setup_.config.positions);
  setup_.config = for_task(*setup_.task, setup_.config, drawn_for);
  // Every tensor is drawn independently, so a control has the same weights as the model it is compared with.
  const std::uint64_t seed = setup_.drawn_seed.value_or(setup_.seed) ^ weights_stream;
  ModelConfig as_drawn = setup_.config;
  as_drawn.positions = drawn_for;
  state_.weights = random_model(as_drawn, seed);
  if (setup_.config.positions != drawn_for) {  // its own table, if its position scheme has one
    ModelWeights own = random_model(setup_.config, seed);
    state_.weights.wpe = std::move(own.wpe), state_.weights.t5_table = std::move(own.t5_table);
  }
  state_.adam.m = zero_model(setup_.config);
  state_.adam.v = zero_model(setup_.config);
}

bool Trainer::advance(base::Parallel& parallel) {
  problem_.clear();
  const int step = state_.step + 1;
  batch_.goals.clear();
  setup_.task->batch(step, setup_.batch, batch_);
  batch_.guide = setup_.guide;
  batch_.dropout = {setup_.dropout, dropout_seed(setup_.seed, step)};
  model_forward(setup_.config, state_.weights, batch_, parallel, trace_);
  if (!std::isfinite(trace_.loss + trace_.guide_loss)) {
    problem_ = find_problem();
    return false;
  }
  model_backward(setup_.config, state_.weights, batch_, trace_, parallel, gradients_);
  if (!std::isfinite(clip_gradients(setup_.clip, gradients_))) {
    problem_ = find_problem();
    return false;
  }
  loss_ = trace_.loss;
  rate_ = schedule_of(setup_).at(step);
  AdamOptions options;
  options.weight_decay = setup_.weight_decay;
  adam_step(options, rate_, gradients_, parallel, state_.adam, state_.weights);
  state_.step = step;
  return true;
}

std::string Trainer::find_problem() const {
  std::string found;
  auto look = [&](const char* what, const ModelWeights& tensors_of) {
    tensors(tensors_of, [&](const std::string& name, const Matrix& tensor) {
      if (found.empty() && !finite(tensor)) found = std::string(what) + name;
    });
  };
  look("", state_.weights);
  for (std::size_t l = 0; found.empty() && l < trace_.layers.size(); ++l) {
    if (!finite(trace_.output(static_cast<int>(l)))) found = "the output of layer " + std::to_string(l + 1);
  }
  if (found.empty() && !finite(trace_.logits)) found = "the logits";
  if (found.empty()) look("the gradient of ", gradients_);
  if (found.empty()) found = "the loss";
  return found + " is not a number in step " + std::to_string(state_.step + 1) + "; the weights of step " +
         std::to_string(state_.step) + " are kept; try a smaller learning rate";
}

void Trainer::restore(const Checkpoint& state) {
  state_ = state;
  problem_.clear();
}

}  // namespace headlight::nn
