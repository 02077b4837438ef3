// How large are the weights of a map? They are counted in bins between the steps 1, 2, 5 · 10^k. The counts
// determine where a colour scale ends: at the 99th percentile of what is counted, rounded up to a step.
// Counts of several maps can be added, so that several maps can share one scale. Tested in
// tests/nn/weight_counts_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/interval.h"
#include "base/parallel.h"

namespace headlight::nn {

/// Where a colour scale ends, and the share of the counted weights, 0 … 0.01, that lies above the end and is
/// drawn in the last colour.
struct ScaleEnd {
  float end = 1;
  double above = 0;
  bool operator==(const ScaleEnd&) const = default;
};

struct WeightCounts {
  static constexpr std::array<float, 19> steps = {1e-6f, 2e-6f, 5e-6f, 1e-5f, 2e-5f, 5e-5f, 1e-4f,
                                                  2e-4f, 5e-4f, 1e-3f, 2e-3f, 5e-3f, 0.01f, 0.02f,
                                                  0.05f, 0.1f,  0.2f,  0.5f,  1.f};
  static constexpr std::uint64_t most_above = 100;  // at most one in this many lies above the end
  /// in[i] counts magnitudes above steps[i − 1] and at most steps[i]; the last bin counts those above 1. NaN
  /// and infinity are not counted.
  std::array<std::uint64_t, steps.size() + 1> in{};

  WeightCounts& operator+=(const WeightCounts& other) {
    for (std::size_t i = 0; i < in.size(); ++i) in[i] += other.in[i];
    return *this;
  }
  bool operator==(const WeightCounts&) const = default;

  /// Returns the smallest step that at most 1 % of the magnitudes exceed, at most 1; also 1 if no magnitude
  /// exceeds the smallest step.
  ScaleEnd end() const {
    std::uint64_t total = 0;
    for (const std::uint64_t count : in) total += count;
    if (total == in.front()) return {};
    std::uint64_t above = in.back();
    std::size_t i = steps.size() - 1;
    while (i > 0 && (above + in[i]) * most_above <= total) above += in[i--];
    return {steps[i], static_cast<double>(above) / static_cast<double>(total)};
  }
};

/// Returns how many cells along an axis of `cells` cells are counted as one, by their largest weight. Small
/// and large pictures of a map have one scale, and where cells share a pixel it has the largest of them: the
/// end is that of a picture with at most 128 points per axis, between a thumbnail and a large map.
constexpr int cells_in_count(int cells) {
  constexpr int points = 128;
  return cells <= points ? 1 : (cells + points - 1) / points;
}

/// Counts the magnitudes of values [rows, cols], row-major; with `allowed` [rows] only those of allowed
/// cells. With more than 128 rows or columns, each square with sides of cells_in_count() counts once, by its
/// largest allowed cell. O(rows · cols).
WeightCounts count_weights(const float* values, int rows, int cols, std::span<const base::Interval> allowed,
                           base::Parallel* parallel = nullptr);

}  // namespace headlight::nn
