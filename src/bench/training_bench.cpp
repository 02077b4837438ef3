// One training step, set up as in training_step.h; 32 sequences; names end in tied/threads.
#include <benchmark/benchmark.h>

#include "bench/training_step.h"

namespace headlight::nn {
namespace {

void training_step(benchmark::State& state) {
  TrainingStep step(state.range(0) != 0, static_cast<int>(state.range(1)));
  step.run();
  for (auto _ : state) step.run();
  state.counters["tokens/s"] =
      benchmark::Counter(step.tokens(), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(training_step)->ArgsProduct({{0, 1}, {1, 2}})->Unit(benchmark::kMicrosecond)->UseRealTime();

void training_forward(benchmark::State& state) {
  TrainingStep step(true, static_cast<int>(state.range(0)));
  step.run();
  for (auto _ : state) step.forward();
}
BENCHMARK(training_forward)->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime();

void training_backward(benchmark::State& state) {
  TrainingStep step(true, static_cast<int>(state.range(0)));
  step.run();
  for (auto _ : state) step.backward();
}
BENCHMARK(training_backward)->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace headlight::nn
