#include "pages/head_tiles.h"

#include <algorithm>
#include <cmath>

namespace headlight::scene {

namespace {

/// The larger of two numbers; NaN if one is NaN, so that a weight that is not finite stays visible.
float largest(float a, float b) {
  return std::isnan(a) || a > b ? a : b;
}

/// The first of the `count` cells on pixel `pixel` of `side`; below, the pixel of a cell.
int first_cell(int pixel, int count, int side) {
  return pixel * count / side;
}
int pixel_of_cell(int cell, int count, int side) {
  return ((cell + 1) * side - 1) / count;
}

}  // namespace

void HeadTiles::begin(int queries, int keys, int heads) {
  const int most = most_tile_side(heads);
  T = queries, S = keys, side = std::min(queries, most), wide = std::min(keys, most);
  constexpr int small = 48, block = 16;
  pitch = side <= small ? side : (side + block - 1) / block * block;
  sheets.clear(), allowed.clear();
}

void HeadTiles::add(const nn::Matrix& weights, std::span<const base::Interval> keys,
                    base::Parallel& parallel) {
  const int heads = weights.depth();
  HEADLIGHT_CHECK_OP(weights.rows(), ==, T);
  HEADLIGHT_CHECK_OP(weights.cols(), ==, S);
  HEADLIGHT_CHECK_OP(keys.size(), ==, static_cast<std::size_t>(T));
  std::vector<base::Interval>& pixels = allowed.emplace_back();
  for (int row = 0; row < side; ++row) {
    base::Interval all{S, 0};
    for (int t = first_cell(row, T, side); t < first_cell(row + 1, T, side); ++t) {
      const base::Interval one = keys[static_cast<std::size_t>(t)];
      if (one.begin < one.end) all = {std::min(all.begin, one.begin), std::max(all.end, one.end)};
    }
    pixels.push_back(all.begin < all.end ? base::Interval{pixel_of_cell(all.begin, S, wide),
                                                          pixel_of_cell(all.end - 1, S, wide) + 1}
                                         : base::Interval{0, 0});
  }
  pixels.resize(static_cast<std::size_t>(pitch), {0, 0});
  for (int row = pitch; row < heads_a_sheet * pitch; ++row) {
    const base::Interval same = pixels[static_cast<std::size_t>(row - pitch)];
    pixels.push_back(same);
  }
  std::vector<nn::Matrix>& of_layer = sheets.emplace_back();
  for (int from = 0; from < heads; from += heads_a_sheet)
    of_layer.emplace_back(std::min(heads_a_sheet, heads - from) * pitch, wide);
  parallel.run(heads, [&](int head) {
    nn::Matrix& sheet = of_layer[static_cast<std::size_t>(head / heads_a_sheet)];
    for (int t = 0; t < T; ++t) {
      float* to = sheet.row(head % heads_a_sheet * pitch + pixel_of_cell(t, T, side)).data();
      const float* from = weights.row(head, t).data();
      for (int c = 0; c < wide; ++c) {
        const int end = first_cell(c + 1, S, wide);
        for (int s = first_cell(c, S, wide); s < end; ++s) to[c] = largest(to[c], from[s]);
      }
    }
  });
}

const float* HeadTiles::tile(int layer, int head) const {
  const nn::Matrix& sheet =
      sheets[static_cast<std::size_t>(layer)][static_cast<std::size_t>(head / heads_a_sheet)];
  return sheet.row(head % heads_a_sheet * pitch).data();
}

nn::WeightCounts HeadTiles::counts() const {
  nn::WeightCounts out;
  for (std::size_t layer = 0; layer < sheets.size(); ++layer) {
    for (const nn::Matrix& sheet : sheets[layer]) {
      for (int row = 0; row < sheet.rows(); row += pitch)
        out += nn::count_weights(sheet.row(row).data(), side, wide,
                                 {allowed[layer].data(), static_cast<std::size_t>(side)});
    }
  }
  return out;
}

}  // namespace headlight::scene
