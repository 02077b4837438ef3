// Attention in tiles, compared with attention that keeps all its weights, up to lengths where the weights
// alone would not fit; names end in T/d/heads/threads. peak_MiB is the largest memory of the process during
// the run, if the system reports it (Linux); tiles_MiB is what tiled_attention() reports.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>

#include "nn/cost.h"
#include "nn/linear_attention.h"
#include "nn/random.h"
#include "nn/tiled.h"

namespace headlight::nn {
namespace {

Matrix inputs(int rows, int cols, std::uint64_t stream) {
  Matrix x(rows, cols);
  Random(1, stream).normals(0, x.values());
  return x;
}

/// Resets the peak.
void forget_peak() {
  if (std::FILE* file = std::fopen("/proc/self/clear_refs", "w")) {
    std::fputs("5", file);
    std::fclose(file);
  }
}

/// In MiB; 0 if the system does not report it.
double peak_mib() {
  double kib = 0;
  if (std::FILE* file = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, file) != nullptr) {
      if (std::strncmp(line, "VmHWM:", 6) == 0) std::sscanf(line + 6, "%lf", &kib);
    }
    std::fclose(file);
  }
  return kib / 1024;
}

void count(benchmark::State& state, int T, int d) {
  const double flops = 4.0 * T * T * d;
  state.counters["GFLOPS"] = benchmark::Counter(flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["peak_MiB"] = peak_mib();
}

void tiled(benchmark::State& state) {
  const int T = static_cast<int>(state.range(0)), d = static_cast<int>(state.range(1));
  base::Parallel parallel(static_cast<int>(state.range(3)));
  TiledOptions options;
  options.attention.heads = static_cast<int>(state.range(2));
  TiledTrace trace;
  trace.q = inputs(T, d, 1), trace.k = inputs(T, d, 2), trace.v = inputs(T, d, 3);
  forget_peak();
  for (auto _ : state) {
    tiled_attention(options, parallel, trace);
    benchmark::DoNotOptimize(trace.output.data());
  }
  count(state, T, d);
  const int width = d / options.attention.heads;
  state.counters["tiles_MiB"] =
      static_cast<double>(tiled_bytes(T, T, options.attention.heads, width, width, parallel.threads())) /
      1048576;
}
BENCHMARK(tiled)
    ->Args({1024, 64, 1, 1})
    ->Args({1024, 64, 1, 2})
    ->Args({4096, 64, 1, 2})
    ->Args({4096, 512, 8, 2})
    ->Args({8192, 64, 1, 2})
    ->Args({32768, 64, 1, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void dense(benchmark::State& state) {
  const int T = static_cast<int>(state.range(0)), d = static_cast<int>(state.range(1));
  base::Parallel parallel(static_cast<int>(state.range(3)));
  AttentionOptions options;
  options.heads = static_cast<int>(state.range(2));
  AttentionTrace trace;
  trace.q = inputs(T, d, 1), trace.k = inputs(T, d, 2), trace.v = inputs(T, d, 3);
  forget_peak();
  for (auto _ : state) {
    attention_from_qkv(options, parallel, trace);
    benchmark::DoNotOptimize(trace.output.data());
  }
  count(state, T, d);
}
BENCHMARK(dense)
    ->Args({1024, 64, 1, 1})
    ->Args({1024, 64, 1, 2})
    ->Args({4096, 64, 1, 2})
    ->Args({4096, 512, 8, 2})
    ->Args({8192, 64, 1, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// Arguments: T, d. One head, running sums.
void linear_running(benchmark::State& state) {
  const int T = static_cast<int>(state.range(0)), d = static_cast<int>(state.range(1));
  const Matrix q = inputs(T, d, 1), k = inputs(T, d, 2), v = inputs(T, d, 3);
  LinearAttentionOptions options;
  options.causal = true;
  for (auto _ : state) benchmark::DoNotOptimize(linear_attention(q, k, v, options).output.data());
}
BENCHMARK(linear_running)->Args({1024, 64})->Args({32768, 64})->Unit(benchmark::kMillisecond);

/// Arguments: T, d. One step after the other.
void recurrent(benchmark::State& state) {
  const int T = static_cast<int>(state.range(0)), d = static_cast<int>(state.range(1));
  const Matrix x = inputs(T, d, 1);
  const RecurrenceWeights weights = random_recurrence_weights(d, d, 1);
  Matrix h;
  for (auto _ : state) {
    recurrence(x, weights, h);
    benchmark::DoNotOptimize(h.data());
  }
}
BENCHMARK(recurrent)->Args({64, 64})->Args({1024, 64})->Args({1024, 512})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headlight::nn
