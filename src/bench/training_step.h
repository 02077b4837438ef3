// One step of training: forward, backward, AdamW. 2 layers, d 64, 4 heads, d_ff 256, vocabulary 512, T 64,
// learned positions, pre-norm, causal, gelu_erf. The first step allocates the buffers.
#pragma once

#include "nn/random.h"
#include "train/model.h"
#include "train/optimizer.h"

namespace headlight::nn {

class TrainingStep {
 public:
  TrainingStep(bool tied, int threads, int sequences = 32) : parallel_(threads) {
    config_.vocabulary = 512, config_.context = 64;
    config_.positions = ModelPositions::learned;
    config_.activation = Activation::gelu_erf;
    config_.tied = tied;
    weights_ = random_model(config_, 1);
    batch_.B = sequences, batch_.T = 64;
    const Random random(1, 2);
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(sequences) * 64; ++i) {
      batch_.tokens.push_back(static_cast<int>(random.below(2 * i, 512)));
      batch_.targets.push_back(static_cast<int>(random.below(2 * i + 1, 512)));
    }
  }

  void forward() { model_forward(config_, weights_, batch_, parallel_, trace_); }
  void backward() { model_backward(config_, weights_, batch_, trace_, parallel_, gradients_); }
  void run() {
    forward();
    backward();
    adam_step({}, 3e-4, gradients_, parallel_, state_, weights_);
  }
  double tokens() const { return static_cast<double>(batch_.tokens.size()); }

 private:
  base::Parallel parallel_;
  ModelConfig config_;
  ModelWeights weights_, gradients_;
  Batch batch_;
  ModelTrace trace_;
  AdamState state_;
};

}  // namespace headlight::nn
