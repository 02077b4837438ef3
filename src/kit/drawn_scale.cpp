#include "kit/drawn_scale.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

namespace headlight::views {

namespace {

using draw::Box;
using draw::Heatmap;
using std::size_t;

/// The cells of one axis that are on view, and the number of pixels that show them.
struct PixelAxis {
  float from = 0, size = 0;
  int cells = 0, pixels = 0;
  /// The cells under a pixel, end exclusive: those of draw::rasterize().
  std::pair<int, int> under(int pixel) const {
    const double step = static_cast<double>(size) / pixels, a = from + pixel * step;
    const int begin = std::clamp(static_cast<int>(std::floor(a)), 0, cells - 1);
    return {begin,
            step <= 1 ? begin + 1 : std::clamp(static_cast<int>(std::ceil(a + step)), begin + 1, cells)};
  }
};

struct PixelGrid {
  PixelAxis across, down;
};

PixelGrid grid_of(const Heatmap& map, Box box) {
  const int across = map.transposed ? map.rows : map.cols, down = map.transposed ? map.cols : map.rows;
  const bool whole = !(map.view.w > 0 && map.view.h > 0);
  const Box view = whole ? Box{0, 0, static_cast<float>(across), static_cast<float>(down)} : map.view;
  // Cells that are no smaller than a pixel count once each.
  const auto axis = [](float from, float size, int cells, float length) {
    const int first = std::clamp(static_cast<int>(std::floor(from)), 0, cells - 1),
              last = std::clamp(static_cast<int>(std::ceil(from + size - 1e-4f)), first + 1, cells);
    const int pixels = std::max(1, static_cast<int>(std::round(length)));
    if (static_cast<float>(pixels) < size) return PixelAxis{from, size, cells, pixels};
    return PixelAxis{static_cast<float>(first), static_cast<float>(last - first), cells, last - first};
  };
  return {axis(view.x, view.w, across, box.w), axis(view.y, view.h, down, box.h)};
}

/// Magnitudes are compared by their bits, which are ordered like them; −1: masked.
constexpr std::int32_t no_cell = -1;

/// Raises `most` to the magnitudes of cells of one line of pixels: of a row of the picture.
void take_line(const DrawnMap& drawn, int line, std::vector<std::int32_t>& most) {
  const Heatmap& map = drawn.map;
  const auto stride = static_cast<size_t>(map.row_stride);
  const auto take = [&](int row, int col, size_t at) {
    const auto r = static_cast<size_t>(row), c = static_cast<size_t>(col);
    if (map.allowed.empty() && !drawn.allow.empty() &&
        drawn.allow[r * static_cast<size_t>(map.cols) + c] == 0)
      return;
    most[at] = std::max(most[at], std::bit_cast<std::int32_t>(map.values[r * stride + c]) & 0x7fffffff);
  };
  if (map.transposed) {
    for (int row = 0; row < map.rows; ++row)
      if (map.allowed.empty() || map.allowed[static_cast<size_t>(row)].has(line))
        take(row, line, static_cast<size_t>(row));
    return;
  }
  const base::Interval all{0, map.cols};
  const base::Interval keys =
      map.allowed.empty() ? all : base::intersect(all, map.allowed[static_cast<size_t>(line)]);
  for (int col = keys.begin; col < keys.end; ++col) take(line, col, static_cast<size_t>(col));
}

void count(nn::WeightCounts& counts, std::int32_t bits) {
  const float value = std::bit_cast<float>(bits);
  if (bits == no_cell || !std::isfinite(value)) return;
  const auto& steps = nn::WeightCounts::steps;
  ++counts.in[static_cast<size_t>(std::lower_bound(steps.begin(), steps.end(), value) - steps.begin())];
}

/// What a count depends on. A few of the values are part of it, because a version may be used twice.
struct CountKey {
  const float* values = nullptr;
  std::uint64_t version = 0, sampled = 0;
  int rows = 0, cols = 0, row_stride = 0, across = 0, down = 0;
  bool transposed = false;
  Box view;
  bool operator==(const CountKey& o) const {
    return values == o.values && version == o.version && sampled == o.sampled && rows == o.rows &&
           cols == o.cols && row_stride == o.row_stride && across == o.across && down == o.down &&
           transposed == o.transposed && view.x == o.view.x && view.y == o.view.y && view.w == o.view.w &&
           view.h == o.view.h;
  }
};

CountKey key_of(const DrawnMap& drawn, const PixelGrid& grid) {
  constexpr size_t samples = 61;
  const Heatmap& map = drawn.map;
  CountKey key{
      map.values,       map.version,    0,       map.rows, map.cols, map.row_stride, grid.across.pixels,
      grid.down.pixels, map.transposed, map.view};
  const size_t entries =
      static_cast<size_t>(map.rows - 1) * static_cast<size_t>(map.row_stride) + static_cast<size_t>(map.cols);
  const auto mix = [&key](std::uint64_t next) { key.sampled = (key.sampled ^ next) * 1099511628211ull; };
  for (size_t i = 0; i < samples; ++i)
    mix(std::bit_cast<std::uint32_t>(map.values[i * (entries - 1) / samples]));
  mix(map.allowed.size());
  if (!map.allowed.empty()) {
    const base::Interval middle = map.allowed[map.allowed.size() / 2];
    mix(static_cast<std::uint64_t>(middle.begin)), mix(static_cast<std::uint64_t>(middle.end));
  }
  mix(static_cast<std::uint64_t>(std::bit_cast<std::uintptr_t>(drawn.allow.data())));
  return key;
}

/// The counts of the maps that were drawn last, as the screen keeps their pictures. Each thread that draws
/// has its own.
class KeptCounts {
 public:
  /// A scale of so many maps follows: they all fit beside what else a page shows, so that the next frame
  /// finds every one of them.
  void expect(size_t maps) {
    constexpr size_t others = 128;
    most_ = std::max(most_, maps + others);
  }
  const nn::WeightCounts& of(const DrawnMap& drawn, const PixelGrid& grid) {
    const CountKey key = key_of(drawn, grid);
    // Frames ask in the same order: the one after the last found comes first.
    for (size_t i = 0; i < kept_.size(); ++i) {
      const size_t at = (found_ + i) % kept_.size();
      if (!(kept_[at].key == key)) continue;
      found_ = at + 1;
      return kept_[at].counts;
    }
    if (kept_.size() < most_) {
      kept_.push_back({key, count_pixels(drawn)});
      return kept_.back().counts;
    }
    Kept& place = kept_[next_++ % kept_.size()];
    place = {key, count_pixels(drawn)};
    return place.counts;
  }

 private:
  struct Kept {
    CountKey key;
    nn::WeightCounts counts;
  };
  std::vector<Kept> kept_;
  size_t most_ = 256, next_ = 0, found_ = 0;
};

/// Of this thread: WithoutPixelScales.
bool& counts_nothing() {
  thread_local bool nothing = false;
  return nothing;
}

}  // namespace

nn::WeightCounts count_pixels(const DrawnMap& drawn) {
  nn::WeightCounts out;
  if (drawn.map.rows < 1 || drawn.map.cols < 1) return out;
  const PixelGrid grid = grid_of(drawn.map, drawn.box);
  std::vector<std::int32_t> most(static_cast<size_t>(grid.across.cells));
  for (int y = 0; y < grid.down.pixels; ++y) {
    const auto [first, last] = grid.down.under(y);
    std::fill(most.begin(), most.end(), no_cell);
    for (int line = first; line < last; ++line) take_line(drawn, line, most);
    for (int x = 0; x < grid.across.pixels; ++x) {
      const auto [from, to] = grid.across.under(x);
      count(out, *std::max_element(most.begin() + from, most.begin() + to));
    }
  }
  return out;
}

WithoutPixelScales::WithoutPixelScales() : before_(std::exchange(counts_nothing(), true)) {}
WithoutPixelScales::~WithoutPixelScales() {
  counts_nothing() = before_;
}

scene::WeightScale drawn_scale(const scene::WeightScale& whole, std::span<const DrawnMap> maps,
                               float pixels) {
  if (whole.kind != scene::MapScale::automatic || counts_nothing()) return whole;
  nn::WeightCounts counts;
  thread_local KeptCounts kept;
  kept.expect(maps.size());
  for (DrawnMap one : maps) {
    if (one.map.rows < 1 || one.map.cols < 1) continue;
    one.box.w *= pixels, one.box.h *= pixels;
    counts += kept.of(one, grid_of(one.map, one.box));
  }
  scene::WeightScale out = whole;
  const nn::ScaleEnd found = counts.end();
  out.end = found.end, out.above = found.above;
  return out;
}

}  // namespace headlight::views
