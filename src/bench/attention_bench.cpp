// A forward pass that returns the output and all weights; names end in T/d/heads/threads.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/forward_pass.h"
#include "kernels/kernels.h"

namespace headlight::nn {
namespace {

void forward(benchmark::State& state, int T, int d, int heads, int threads) {
  ForwardPass pass(T, d, heads, threads);
  pass.run();
  for (auto _ : state) {
    pass.run();
    benchmark::DoNotOptimize(pass.output());
  }
  const double flops = 8.0 * T * d * d + 4.0 * T * T * d;
  state.counters["GFLOPS"] = benchmark::Counter(flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

void attention(benchmark::State& state) {
  forward(state, static_cast<int>(state.range(0)), static_cast<int>(state.range(1)),
          static_cast<int>(state.range(2)), static_cast<int>(state.range(3)));
}

void sizes(benchmark::internal::Benchmark* bench) {
  constexpr int all[][3] = {{22, 32, 4},   {64, 64, 4},    {128, 128, 8}, {256, 256, 8},
                            {1024, 64, 1}, {1024, 512, 8}, {4096, 512, 8}};
  for (const auto& size : all) {
    for (int threads : {1, 2}) bench->Args({size[0], size[1], size[2], threads});
  }
}
BENCHMARK(attention)->Apply(sizes)->Unit(benchmark::kMicrosecond)->UseRealTime();

/// One size on every instruction set: if the linker had merged two of them, they would be equally fast.
void level(benchmark::State& state, const char* name) {
  const Kernels* found = kernels_of(name);
  if (found == nullptr) return state.SkipWithError("not on this processor");
  use_kernels(*found);
  forward(state, 256, 256, 8, 1);
  use_kernels(choose_kernels(nullptr));
}
BENCHMARK_CAPTURE(level, v4, "v4")->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK_CAPTURE(level, v3, "v3")->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK_CAPTURE(level, v2, "v2")->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK_CAPTURE(level, generic, "generic")->Unit(benchmark::kMicrosecond)->UseRealTime();

/// Scores spread over ±120: most weights underflow.
void peaky(benchmark::State& state) {
  base::Parallel parallel(1);
  AttentionTrace trace;
  trace.q = inputs(1024, 64), trace.k = inputs(1024, 64), trace.v = inputs(1024, 64);
  AttentionOptions options;
  options.temperature = static_cast<double>(state.range(0)) / 1000;
  for (auto _ : state) {
    attention_from_qkv(options, parallel, trace);
    benchmark::DoNotOptimize(trace.output.data());
  }
}
BENCHMARK(peaky)->Arg(1000)->Arg(30)->Unit(benchmark::kMicrosecond)->UseRealTime();

void softmax(benchmark::State& state) {
  base::Parallel parallel(static_cast<int>(state.range(0)));
  const Matrix x = inputs(1024, 1024);
  Matrix y(1024, 1024);
  for (auto _ : state) {
    softmax_rows(x.data(), y.data(), 1024, 1024, parallel);
    benchmark::DoNotOptimize(y.data());
  }
}
BENCHMARK(softmax)->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace headlight::nn
