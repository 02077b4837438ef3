// One step of training: forward, backward, AdamW. 2 layers, d 64, 4 heads, d_ff 256, vocabulary 512, T 64,
// batch 32, learned positions, pre-norm, causal, gelu_erf; names end in tied/threads.
#include <benchmark/benchmark.h>

#include "nn/model.h"
#include "nn/optimizer.h"
#include "nn/random.h"

namespace headlight::nn {
namespace {

class Step {
 public:
  Step(bool tied, int threads) : parallel_(threads) {
    config_.vocabulary = 512, config_.context = 64;
    config_.positions = ModelPositions::learned;
    config_.activation = Activation::gelu_erf;
    config_.tied = tied;
    weights_ = random_model(config_, 1);
    batch_.B = 32, batch_.T = 64;
    const Random random(1, 2);
    for (std::uint64_t i = 0; i < 32 * 64; ++i) {
      batch_.tokens.push_back(static_cast<int>(random.below(2 * i, 512)));
      batch_.targets.push_back(static_cast<int>(random.below(2 * i + 1, 512)));
    }
    run();  // the buffers are there from now on
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

void training_step(benchmark::State& state) {
  Step step(state.range(0) != 0, static_cast<int>(state.range(1)));
  for (auto _ : state) step.run();
  state.counters["tokens/s"] =
      benchmark::Counter(step.tokens(), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(training_step)->ArgsProduct({{0, 1}, {1, 2}})->Unit(benchmark::kMicrosecond)->UseRealTime();

void training_forward(benchmark::State& state) {
  Step step(true, static_cast<int>(state.range(0)));
  for (auto _ : state) step.forward();
}
BENCHMARK(training_forward)->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime();

void training_backward(benchmark::State& state) {
  Step step(true, static_cast<int>(state.range(0)));
  for (auto _ : state) step.backward();
}
BENCHMARK(training_backward)->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace headlight::nn
