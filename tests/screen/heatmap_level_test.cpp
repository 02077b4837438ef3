#include "screen/heatmap_level.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace headlight::screen {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

draw::Heatmap map_of(const std::vector<float>& values, int rows, int cols) {
  return {.values = values.data(), .rows = rows, .cols = cols, .row_stride = cols};
}

// The same, written as plainly as possible.
float strongest(const draw::Heatmap& map, int row, int row_end, int col, int col_end) {
  bool any = false;
  float best = 0;
  for (int r = row; r < std::min(row_end, map.rows); ++r)
    for (int c = col; c < std::min(col_end, map.cols); ++c) {
      if (!map.allowed.empty() && !map.allowed[std::size_t(r)].has(c)) continue;
      float v = map.values[r * map.row_stride + c];
      if (!std::isfinite(v)) return nonfinite_texel;
      if (!any || std::abs(v) > std::abs(best)) best = v;
      any = true;
    }
  return any ? best : masked_texel;
}

TEST(HeatmapLevel, ReduceAgreesWithThePlainLoop) {
  const int rows = 45, cols = 70;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(std::size_t(rows) * cols);
  for (float& v : values) v = normal(random);
  values[100] = nan, values[1500] = inf, values[2000] = -inf, values[7] = -0.0f;
  std::vector<base::Interval> causal;
  for (int r = 0; r < rows; ++r) causal.push_back({std::max(0, r - 20), r + 1});
  for (bool masked : {false, true})
    for (int row_shift : {0, 1, 3})
      for (int col_shift : {0, 2, 5}) {
        draw::Heatmap map = map_of(values, rows, cols);
        if (masked) map.allowed = causal;
        int row_blocks = ((rows - 1) >> row_shift) + 1, col_blocks = ((cols - 1) >> col_shift) + 1;
        Level level{{row_shift, 1, row_blocks - 1}, {col_shift, 1, col_blocks - 1}};  // not from the first on
        std::vector<float> texels = reduce(map, level);
        for (int r = 0; r < level.rows.size; ++r)
          for (int c = 0; c < level.cols.size; ++c)
            ASSERT_EQ(texels[std::size_t(r * level.cols.size + c)],
                      strongest(map, (r + 1) << row_shift, (r + 2) << row_shift, (c + 1) << col_shift,
                                (c + 2) << col_shift))
                << masked << " " << row_shift << " " << col_shift << " at " << r << " " << c;
      }
}

TEST(HeatmapLevel, ValuesThatLookLikeTheMarkersAreMoved) {
  std::vector<float> values{masked_texel, nonfinite_texel, -std::numeric_limits<float>::max()};
  std::vector<float> texels = reduce(map_of(values, 1, 3), {{0, 0, 1}, {0, 0, 3}});
  EXPECT_EQ(texels[0], std::nextafter(masked_texel, 0.f));
  EXPECT_EQ(texels[1], std::nextafter(nonfinite_texel, 0.f));
  EXPECT_EQ(texels[2], values[2]);
}

TEST(HeatmapLevel, BlocksAreNeverLargerThanAPixel) {
  EXPECT_EQ(choose_axis(64, 0, 64, 500, 4096), (LevelAxis{0, 0, 64}));
  EXPECT_EQ(choose_axis(4096, 0, 4096, 500, 4096), (LevelAxis{3, 0, 512}));
  EXPECT_EQ(choose_axis(4096, 0, 4096, 512, 4096), (LevelAxis{3, 0, 512}));
  EXPECT_EQ(choose_axis(4097, 100, 200, 500, 8192).shift, 0);
}

TEST(HeatmapLevel, TheAxesAreReducedApart) {
  std::vector<float> values(16 * 4096);
  draw::Heatmap map = map_of(values, 16, 4096);
  Level level = choose_level(map, 256, 300, 4096);
  EXPECT_EQ(level.cols.shift, 4);
  EXPECT_EQ(level.rows.shift, 0);
  map.transposed = true;
  level = choose_level(map, 256, 300, 4096);
  EXPECT_EQ(level.cols.shift, 3);
  EXPECT_EQ(level.rows.shift, 0);
}

TEST(HeatmapLevel, OfALargeMatrixOnlyThePartOnViewIsTaken) {
  LevelAxis axis = choose_axis(100000, 50000, 800, 800, 16384);
  EXPECT_EQ(axis.shift, 0);
  EXPECT_LE(axis.begin, 50000);
  EXPECT_GE(axis.begin + axis.size, 50800);
  EXPECT_LE(axis.size, 2048);
  // Panning a little needs nothing new.
  EXPECT_EQ(choose_axis(100000, 50010, 800, 800, 16384), axis);
}

TEST(HeatmapLevel, NeverMoreTexelsThanTheDriverAllows) {
  for (int most : {1024, 2048, 4096})
    for (int cells : {1, 1023, 1025, 5000, 100000})
      for (float pixels : {1.f, 300.f, 8000.f}) {
        LevelAxis axis = choose_axis(cells, 0, float(cells), pixels, most);
        EXPECT_LE(axis.size, most);
        EXPECT_GE(std::int64_t(axis.size) << axis.shift, cells);
      }
}

}  // namespace
}  // namespace headlight::screen
