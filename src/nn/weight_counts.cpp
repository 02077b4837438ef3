#include "nn/weight_counts.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "base/check.h"

namespace headlight::nn {
namespace {

using std::size_t;

constexpr size_t bins = WeightCounts::steps.size() + 1, not_finite = bins;

/// For each exponent of a float: the bin of its smallest number, and the one step within it above which the
/// next bin begins. Non-negative floats are ordered like their bits.
struct Octaves {
  std::array<std::uint8_t, 256> bin{};
  std::array<std::uint32_t, 256> step{};
  constexpr Octaves() {
    for (std::uint32_t e = 0; e < 255; ++e) {
      const std::uint32_t low = e << 23, high = (e + 1) << 23;
      step[e] = ~0u;
      for (const float value : WeightCounts::steps) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        if (bits < low) ++bin[e];
        if (bits >= low && bits < high) step[e] = bits;
      }
    }
    bin[255] = not_finite, step[255] = ~0u;
  }
};
constexpr Octaves octaves;

/// Counts each bin in four counters: adjacent values often fall in the same bin and need not wait for each
/// other.
class Counter {
 public:
  void take(const float* values, int count) {
    int i = 0;
    for (; i + 4 <= count; i += 4)
      for (int lane = 0; lane < 4; ++lane) one(static_cast<size_t>(lane), values[i + lane]);
    for (; i < count; ++i) one(0, values[i]);
  }
  void add_to(WeightCounts& out) const {
    for (const auto& lane : lanes_)
      for (size_t i = 0; i < bins; ++i) out.in[i] += lane[i];
  }

 private:
  void one(size_t lane, float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value) & 0x7fffffffu, e = bits >> 23;
    ++lanes_[lane][octaves.bin[e] + (bits > octaves.step[e] ? 1u : 0u)];
  }
  std::array<std::array<std::uint32_t, bins + 2>, 4> lanes_{};
};

struct Map {
  const float* values;
  int rows, cols;
  std::span<const base::Interval> allowed;
  base::Interval keys(int row) const {
    const base::Interval all{0, cols};
    return allowed.empty() ? all : base::intersect(all, allowed[static_cast<size_t>(row)]);
  }
  const float* row(int r) const {
    return values + static_cast<std::ptrdiff_t>(r) * static_cast<std::ptrdiff_t>(cols);
  }
};

/// Counts the largest weight of each square of `side` cells in the rows [from, to), if any cell is allowed.
/// Magnitudes are compared by their bits, in plain loops that vectorize; a magnitude that is not finite is
/// larger than any number.
void take_squares(const Map& map, int from, int to, int side, std::vector<std::int32_t>& largest,
                  Counter& counter) {
  constexpr std::int32_t none = -1;
  largest.assign(static_cast<size_t>(map.cols), none);
  std::int32_t* const most = largest.data();
  for (int r = from; r < to; ++r) {
    const base::Interval keys = map.keys(r);
    const float* const row = map.row(r);
    for (int at = keys.begin; at < keys.end; ++at)
      most[at] = std::max(most[at], std::bit_cast<std::int32_t>(row[at]) & 0x7fffffff);
  }
  for (int begin = 0; begin < map.cols; begin += side) {
    const std::int32_t square = *std::max_element(most + begin, most + std::min(map.cols, begin + side));
    const float value = std::bit_cast<float>(square);
    if (square != none) counter.take(&value, 1);
  }
}

}  // namespace

WeightCounts count_weights(const float* values, int rows, int cols, std::span<const base::Interval> allowed,
                           base::Parallel* parallel) {
  if (!allowed.empty()) HEADLIGHT_CHECK_OP(allowed.size(), ==, static_cast<size_t>(rows));
  const Map map{values, rows, cols, allowed};
  const int side = cells_in_count(std::max(rows, cols));
  const int at_once = 64 / side > 0 ? 64 / side * side : side;  // rows per task, in whole squares
  const int tasks = rows > 0 && cols > 0 ? (rows + at_once - 1) / at_once : 0;
  std::vector<WeightCounts> parts(static_cast<size_t>(tasks));
  const auto count = [&](int task) {
    Counter counter;
    std::vector<std::int32_t> largest;
    const int last = std::min(rows, (task + 1) * at_once);
    for (int r = task * at_once; r < last; r += side) {
      if (side > 1) {
        take_squares(map, r, std::min(last, r + side), side, largest, counter);
      } else {
        const base::Interval keys = map.keys(r);
        counter.take(map.row(r) + keys.begin, keys.size());
      }
    }
    counter.add_to(parts[static_cast<size_t>(task)]);
  };
  if (parallel) {
    parallel->run(tasks, count);
  } else {
    for (int task = 0; task < tasks; ++task) count(task);
  }
  WeightCounts out;
  for (const WeightCounts& part : parts) out += part;
  return out;
}

}  // namespace headlight::nn
