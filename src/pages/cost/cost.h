// What do convolution, recurrence and self-attention cost in multiplications, sequential operations, path
// length, memory and time? The page counts by formula and by running the layers, for the sizes that the
// reader sets. Tested in tests/scene/cost_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "nn/cost.h"
#include "pages/cost/settings.h"
#include "scene/page_results.h"

namespace headlight::scene {

struct Scene;
struct Results;

/// Counted in two ways. The loops run at the given size if that is quick, else at a smaller one.
struct CountedLayer {
  nn::LayerCost cost;  // at the given size
  nn::LayerSize counted_at;
  std::uint64_t by_running = 0, by_formula = 0;  // multiplications at counted_at, without the projections
  std::uint64_t whole_by_running = 0, whole_by_formula = 0;  // the same with the projections
  bool agrees() const { return by_running == by_formula && whole_by_running == whole_by_formula; }
};

/// h heads compared with one head of the same width d, with the projections. Counted like a layer.
struct CountedHeads {
  nn::HeadsCost one, many;  // at the given size
  nn::LayerSize counted_at;
  std::uint64_t one_by_running = 0, many_by_running = 0, by_formula = 0;
  bool agrees() const { return one_by_running == by_formula && many_by_running == by_formula; }
};

/// Multiply-adds of the whole layers at one length.
struct GrowthRow {
  int n = 0;
  std::array<std::uint64_t, 5> whole{};  // in the order of nn::Architecture
};

struct MemoryRow {
  std::uint64_t T = 0;
  std::uint64_t one_map = 0;   // bytes of one head of one layer of one sequence
  std::uint64_t all_maps = 0;  // the bytes of batch · heads · layers maps
  std::uint64_t tiled = 0;     // bytes that tiled attention keeps instead: output, row maxima, row sums
};

/// The longest sequence whose maps fit into this much memory.
struct MemoryWall {
  int gib = 0;
  std::uint64_t T = 0;
};

/// Tiled and dense attention, both run once on the same random numbers.
struct TiledCheck {
  int T = 0, d = 0, heads = 0;
  double largest_difference = 0;                 // over all outputs
  std::size_t dense_bytes = 0, tiled_bytes = 0;  // what each keeps, in float32; both include the output
};

inline constexpr int cost_architectures = 5;  // in the order of nn::Architecture
/// The argument of a quantity, as in "operations of=dilated", and the name in texts; in the same order.
inline constexpr std::array<const char*, cost_architectures> architecture_words = {
    "attention", "recurrence", "convolution", "dilated", "linear"};
inline constexpr std::array<const char*, cost_architectures> architecture_names = {
    "self-attention", "recurrence", "convolution", "dilated convolution", "linear attention"};
constexpr const char* word_of(nn::Architecture a) {
  return architecture_words[static_cast<std::size_t>(a)];
}
constexpr const char* name_of(nn::Architecture a) {
  return architecture_names[static_cast<std::size_t>(a)];
}
inline constexpr int most_path_positions = 12;

struct CostResults : PageResults {
  std::string model;  // the opened model that gives width, heads and layers; empty: settings give them
  bool shared_keys = false, layers_differ = false;  // heads share keys and values; layers differ in width
  std::array<CountedLayer, cost_architectures> layers;
  int positions = 0;     // in the drawn networks of the path: n, at most 12
  int from = 0, to = 0;  // within them
  std::array<std::vector<nn::Hop>, cost_architectures> paths;
  CountedHeads heads;
  std::vector<GrowthRow> growth;  // n = 1, 2, … 131,072, at the d and k of the settings
  int reach = 0;            // positions over which one convolution carries information in this direction
  int layers_to_meet = 0;   // convolutions until a unit depends on both ends; 0: never, or from == to
  int receptive_field = 1;  // of these layers: 1 + layers_to_meet · (k − 1)
  std::vector<MemoryRow> memory;  // T = 512, 1,024, … 131,072
  std::array<MemoryWall, 3> walls;
  TiledCheck check;
  const CountedLayer& of(nn::Architecture a) const { return layers[static_cast<std::size_t>(a)]; }
  const std::vector<nn::Hop>& path(nn::Architecture a) const { return paths[static_cast<std::size_t>(a)]; }
};

/// For the scene's page `cost` only; takes a few milliseconds for all sizes.
std::shared_ptr<const CostResults> compute_cost(const Scene& scene, const Results& results,
                                                base::Parallel& parallel);

/// The time that it takes, in the unit of work() in pages/compute.h: next to none, except for the first time.
double cost_work();

/// The time of one forward pass: the fastest of `runs` runs. Other work of the machine can only make a run
/// slower, so the smallest time is the closest to what the layer itself takes.
struct CostTime {
  double ms = 0;  // 0 = not measured
  int runs = 0;
};

struct CostMeasurement {
  int T = 0;
  CostTime recurrence;  // T steps one after another, on one core
  CostTime attention;   // one head with given q, k, v on all cores; all weights are kept
  CostTime tiled;       // the same without keeping the weights
};

/// Times measured on this machine so far. They are not part of the results, because every measurement
/// differs.
struct CostMeasurements {
  int d = 0;
  int lengths = 0;                    // how many will be measured
  std::vector<CostMeasurement> rows;  // what has been measured, shortest length first
  bool running = false;
  float fraction = 0;       // the part that is done
  double seconds_left = 0;  // an estimate; 0 = not known yet
};

/// 16, 32, … 4,096, without those that take seconds at this width.
std::vector<int> lengths_to_measure(int d);

/// Runs `run` once without measuring, then measures it until there are at least
/// least_cost_runs and they took enough_cost_ms together, or there are most_cost_runs. `clock_ms` returns the
/// time. `keep_going` is called between two runs; when it returns false, the measurement stops and the time
/// is 0.
inline constexpr int least_cost_runs = 5, most_cost_runs = 101;
inline constexpr double enough_cost_ms = 60;
CostTime fastest_run(const std::function<double()>& clock_ms, const std::function<bool()>& keep_going,
                     const std::function<void()>& run);

/// Measures one length with fastest_run().
CostMeasurement measure_cost(int T, int d, base::Parallel& parallel, const std::function<bool()>& keep_going);

}  // namespace headlight::scene
