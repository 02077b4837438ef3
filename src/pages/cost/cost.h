// What do convolution, recurrence and self-attention cost: multiplications, steps that wait, the way between
// two tokens, memory, time? Counted by formula and by running, for sizes of the reader's choice.
// Tested in tests/scene/cost_test.cpp.
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

namespace headlight::scene {

struct Scene;
struct Results;

/// Counted two ways. The loops are run at the size itself while that is quick, else at a smaller one.
struct CountedLayer {
  nn::LayerCost cost;  // at the size asked for
  nn::LayerSize counted_at;
  std::uint64_t by_running = 0, by_formula = 0;  // multiplications at counted_at, projections left out
  std::uint64_t whole_by_running = 0, whole_by_formula = 0;  // the same with the projections
  bool agrees() const { return by_running == by_formula && whole_by_running == whole_by_formula; }
};

/// h heads beside one head of the same width d, with the projections. Counted like a layer.
struct CountedHeads {
  nn::HeadsCost one, many;  // at the size asked for
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
  std::uint64_t all_maps = 0;  // batch · heads · layers of them
  std::uint64_t tiled = 0;     // what tiled attention keeps instead: output, row maxima, row sums
};

/// The longest sequence whose maps fit into so much memory.
struct MemoryWall {
  int gib = 0;
  std::uint64_t T = 0;
};

/// Tiled attention beside the dense one, both run once on the same random numbers.
struct TiledCheck {
  int T = 0, d = 0, heads = 0;
  double largest_difference = 0;                 // over all outputs
  std::size_t dense_bytes = 0, tiled_bytes = 0;  // of what the two keep, float32: both their output
};

inline constexpr int cost_architectures = 5;  // in the order of nn::Architecture
inline constexpr int most_path_positions = 12;

struct CostResults {
  std::string model;  // the opened model whose width, heads and layers these are; empty: they are set here
  bool shared_keys = false, layers_differ = false;  // in it: heads share keys and values; in width
  std::array<CountedLayer, cost_architectures> layers;
  int positions = 0;     // of the path's networks: n, at most 12
  int from = 0, to = 0;  // within them
  std::array<std::vector<nn::Hop>, cost_architectures> paths;
  CountedHeads heads;
  std::vector<GrowthRow> growth;  // n = 1, 2, … 131,072, at the d and k of the settings
  int reach = 0;            // positions that a stacked convolution carries information in that direction
  int layers_to_meet = 0;   // stacked convolutions until one unit sees both ends; 0 = never, or from == to
  int receptive_field = 1;  // of those: 1 + layers_to_meet · (k − 1)
  std::vector<MemoryRow> memory;  // T = 512, 1,024, … 131,072
  std::array<MemoryWall, 3> walls;
  TiledCheck check;
  const CountedLayer& of(nn::Architecture a) const { return layers[static_cast<std::size_t>(a)]; }
  const std::vector<nn::Hop>& path(nn::Architecture a) const { return paths[static_cast<std::size_t>(a)]; }
};

/// For the scene's page `cost` only; a few milliseconds whatever the sizes.
std::shared_ptr<const CostResults> compute_cost(const Scene& scene, const Results& results,
                                                base::Parallel& parallel);

/// What that takes, in the unit of work() in pages/compute.h: next to nothing, but for the first time.
double cost_work();

/// One forward pass, run `runs` times: the fastest one counts. What else the machine does can only add to a
/// time, so the smallest is the nearest to what the layer itself takes.
struct CostTime {
  double ms = 0;  // 0 = not measured
  int runs = 0;
};

struct CostMeasurement {
  int T = 0;
  CostTime recurrence;  // T steps one after the other, on one core
  CostTime attention;   // one head over given q, k, v, all weights kept, on all cores
  CostTime tiled;       // the same without the weights
};

/// Times of this machine, as far as they are measured. They are no part of the results: measured twice they
/// differ.
struct CostMeasurements {
  int d = 0;
  int lengths = 0;                    // to be measured
  std::vector<CostMeasurement> rows;  // shortest first, those that are measured
  bool running = false;
  float fraction = 0;       // done
  double seconds_left = 0;  // an estimate; 0 = not known yet
};

/// 16, 32, … 4,096, without those that would take seconds at this width.
std::vector<int> lengths_to_measure(int d);

/// Runs `run` once unmeasured, then measured until there are least_cost_runs and they took
/// enough_cost_ms together, or most_cost_runs. `clock_ms` says the time; `goes_on` is asked between two runs:
/// false stops, and the time is then 0.
inline constexpr int least_cost_runs = 5, most_cost_runs = 101;
inline constexpr double enough_cost_ms = 60;
CostTime fastest_run(const std::function<double()>& clock_ms, const std::function<bool()>& goes_on,
                     const std::function<void()>& run);

/// Measures one length by fastest_run.
CostMeasurement measure_cost(int T, int d, base::Parallel& parallel, const std::function<bool()>& goes_on);

}  // namespace headlight::scene
