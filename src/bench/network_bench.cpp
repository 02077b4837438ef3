// A model from a folder, named by HEADLIGHT_BENCH_MODEL: all of its layers for T tokens, with all attention
// weights, states, q, k, v and logits kept; and one more token after T, with the cache. Names end in
// T/threads.
// scripts/compare_speed --model compares these with PyTorch.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <vector>

#include "models/opened_model.h"
#include "network/network.h"

namespace headlight::nn {
namespace {

std::shared_ptr<const models::OpenedModel> opened(benchmark::State& state) {
  const char* folder = std::getenv("HEADLIGHT_BENCH_MODEL");
  if (folder == nullptr) {
    state.SkipWithError("HEADLIGHT_BENCH_MODEL names no folder of a model");
    return nullptr;
  }
  auto model = models::open_model(folder);
  if (!model) {
    state.SkipWithError(model.error().c_str());
    return nullptr;
  }
  return *model;
}

std::vector<int> some_ids(int T, int vocabulary) {
  std::vector<int> ids;
  for (int t = 0; t < T; ++t) ids.push_back((t * 7919 + 17) % vocabulary);
  return ids;
}

void network(benchmark::State& state) {
  const auto model = opened(state);
  if (model == nullptr) return;
  base::Parallel parallel(static_cast<int>(state.range(1)));
  const std::vector<int> ids = some_ids(static_cast<int>(state.range(0)), model->network.vocabulary);
  NetworkTrace trace;
  for (auto _ : state) {
    const base::Status done = network_forward(model->network, model->weights, {.ids = ids}, parallel, trace);
    if (!done) return state.SkipWithError(done.error().c_str());
    benchmark::DoNotOptimize(trace.logits.data());
  }
}
BENCHMARK(network)->ArgsProduct({{64, 256, 1024}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();

void network_one_more(benchmark::State& state) {
  const auto model = opened(state);
  if (model == nullptr) return;
  base::Parallel parallel(static_cast<int>(state.range(1)));
  const std::vector<int> ids = some_ids(static_cast<int>(state.range(0)), model->network.vocabulary);
  const std::vector<int> next = {42 % model->network.vocabulary};
  constexpr std::size_t most_more = 64;
  NetworkCache cache;
  NetworkTrace trace;
  const auto step = [&](const std::vector<int>& tokens) {
    const base::Status done = network_step(model->network, model->weights, tokens, parallel, cache, trace);
    if (!done) state.SkipWithError(done.error().c_str());
    return bool(done);
  };
  if (!step(ids)) return;
  for (auto _ : state) {
    if (cache.ids.size() >= ids.size() + most_more) {
      state.PauseTiming();
      cache = NetworkCache();
      if (!step(ids)) return;
      state.ResumeTiming();
    }
    if (!step(next)) return;
    benchmark::DoNotOptimize(trace.logits.data());
  }
}
BENCHMARK(network_one_more)->ArgsProduct({{64}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace headlight::nn
