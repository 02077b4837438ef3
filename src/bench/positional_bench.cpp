// The matrix P; names end in rows/width/threads.
#include <benchmark/benchmark.h>

#include "nn/positional.h"

namespace headlight::nn {
namespace {

void positions(benchmark::State& state) {
  base::Parallel parallel(static_cast<int>(state.range(2)));
  const PositionalSpec spec{static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), 10000, 0};
  Matrix p;
  for (auto _ : state) {
    sinusoidal(spec, parallel, p);
    benchmark::DoNotOptimize(p.data());
  }
}
BENCHMARK(positions)
    ->Args({60, 32, 1})
    ->Args({1000, 512, 1})
    ->Args({1000, 512, 2})
    ->Args({131072, 512, 1})
    ->Args({131072, 512, 2})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

void nearest(benchmark::State& state) {
  base::Parallel parallel(2);
  Matrix p;
  sinusoidal({static_cast<int>(state.range(0)), 512, 10000, 0}, parallel, p);
  for (auto _ : state) benchmark::DoNotOptimize(nearest_rows(p, parallel));
}
BENCHMARK(nearest)->Arg(1000)->Arg(4000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace headlight::nn
