#include "screen/heatmap_level.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace headlight::screen {
namespace {

constexpr int whole_axis = 4096;  // an axis of this many texels is taken whole; a longer one in pieces
constexpr int piece =
    1024;  // the taken part begins and ends at multiples of this, so that panning rarely uploads

constexpr std::int32_t magnitude_bits = 0x7fffffff;
constexpr std::int32_t infinity_bits = 0x7f800000;

// Has no branches, so that loops over it are vectorised.
float texel(float value) {
  constexpr std::int32_t masked = std::bit_cast<std::int32_t>(masked_texel);
  constexpr std::int32_t nonfinite = std::bit_cast<std::int32_t>(nonfinite_texel);
  std::int32_t bits = std::bit_cast<std::int32_t>(value);
  bits -= (bits == masked || bits == nonfinite) ? 1 : 0;  // the next float towards zero
  bits = (bits & magnitude_bits) >= infinity_bits ? nonfinite : bits;
  return std::bit_cast<float>(bits);
}

base::Interval allowed_cols(const draw::Heatmap& map, int row) {
  base::Interval all{0, map.cols};
  return map.allowed.empty() ? all : base::intersect(all, map.allowed[static_cast<std::size_t>(row)]);
}

const float* row_of(const draw::Heatmap& map, int row) {
  return map.values + static_cast<std::ptrdiff_t>(row) * map.row_stride;
}

// For each column, the strongest of some rows so far: its value, and its magnitude as an integer (the bits of
// |x| are ordered like |x|, with infinity and NaN at the top), −1 while all are masked.
struct Strongest {
  std::vector<std::int32_t> rank, bits;
  void reset(std::size_t cols) { rank.assign(cols, -1), bits.resize(cols); }
};

// `values` are the columns [begin, end) of a row; the loop is plain so that the compiler vectorises it.
void take_row(const float* values, int begin, int end, std::int32_t* rank, std::int32_t* bits) {
  for (int j = begin; j < end; ++j) {
    std::int32_t b = std::bit_cast<std::int32_t>(values[j]);
    std::int32_t r = b & magnitude_bits;
    bool stronger = r > rank[j];
    rank[j] = stronger ? r : rank[j];
    bits[j] = stronger ? b : bits[j];
  }
}

}  // namespace

LevelAxis choose_axis(int cells, float from, float shown, float pixels, int most) {
  LevelAxis axis;
  if (cells <= 0) return axis;
  double per_pixel = pixels > 0 ? double(shown) / double(pixels) : double(cells);
  while (axis.shift < 30 && std::ldexp(1.0, axis.shift + 1) <= per_pixel) ++axis.shift;
  for (;; ++axis.shift) {
    int block = 1 << axis.shift;
    int texels = (cells - 1) / block + 1;
    axis.begin = 0, axis.size = texels;
    if (texels <= std::min(whole_axis, most)) return axis;
    int first = std::clamp(int(std::floor(double(from) / block)), 0, texels - 1);
    int last = std::clamp(int(std::floor((double(from) + double(shown)) / block)), first, texels - 1);
    axis.begin = first / piece * piece;
    axis.size = std::min(texels, (last / piece + 1) * piece) - axis.begin;
    if (axis.size <= most) return axis;
  }
}

draw::Box shown_part(const draw::Heatmap& map) {
  if (map.view.w > 0 && map.view.h > 0) return map.view;
  auto across = float(map.transposed ? map.rows : map.cols),
       down = float(map.transposed ? map.cols : map.rows);
  return {0, 0, across, down};
}

Level choose_level(const draw::Heatmap& map, float width, float height, int most) {
  draw::Box shown = shown_part(map);
  if (map.transposed)
    return {choose_axis(map.rows, shown.x, shown.w, width, most),
            choose_axis(map.cols, shown.y, shown.h, height, most)};
  return {choose_axis(map.rows, shown.y, shown.h, height, most),
          choose_axis(map.cols, shown.x, shown.w, width, most)};
}

std::vector<float> reduce(const draw::Heatmap& map, const Level& level) {
  if (!map.allowed.empty()) HEADLIGHT_CHECK_OP(map.allowed.size(), ==, static_cast<std::size_t>(map.rows));
  const LevelAxis rows = level.rows, cols = level.cols;
  std::vector<float> out(static_cast<std::size_t>(rows.size) * static_cast<std::size_t>(cols.size),
                         masked_texel);
  const int row_block = 1 << rows.shift, col_block = 1 << cols.shift;
  const base::Interval wanted{
      cols.begin << cols.shift,
      static_cast<int>(std::min<std::int64_t>(map.cols, std::int64_t(cols.begin + cols.size) << cols.shift))};
  Strongest strongest;
  for (int r = 0; r < rows.size; ++r) {
    float* to = out.data() + static_cast<std::ptrdiff_t>(r) * cols.size;
    const int first_row = (rows.begin + r) << rows.shift;
    const int last_row = std::min(map.rows, first_row + row_block);
    if (row_block == 1 && col_block == 1) {
      base::Interval here = base::intersect(allowed_cols(map, first_row), wanted);
      const float* from = row_of(map, first_row);
      for (int j = here.begin; j < here.end; ++j) to[j - wanted.begin] = texel(from[j]);
      continue;
    }
    strongest.reset(static_cast<std::size_t>(wanted.size()));
    for (int row = first_row; row < last_row; ++row) {
      base::Interval here = base::intersect(allowed_cols(map, row), wanted);
      take_row(row_of(map, row) + wanted.begin, here.begin - wanted.begin, here.end - wanted.begin,
               strongest.rank.data(), strongest.bits.data());
    }
    for (int c = 0; c < cols.size; ++c) {
      std::int32_t best = -1, bits = 0;
      const int end = std::min(wanted.size(), (c + 1) << cols.shift);
      for (int j = c << cols.shift; j < end; ++j) {
        std::int32_t rank = strongest.rank[static_cast<std::size_t>(j)];
        if (rank > best) best = rank, bits = strongest.bits[static_cast<std::size_t>(j)];
      }
      if (best >= 0) to[c] = texel(std::bit_cast<float>(bits));
    }
  }
  return out;
}

}  // namespace headlight::screen
