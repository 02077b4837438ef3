#include "draw/heatmap_raster.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace headlight::draw {
namespace {

Color pixel(const Raster& raster, int x, int y) {
  const auto* p = &raster.rgba[(static_cast<std::size_t>(y) * static_cast<std::size_t>(raster.width) +
                                static_cast<std::size_t>(x)) *
                               4];
  return {p[0], p[1], p[2], p[3]};
}

Heatmap map_of(const std::vector<float>& values, int rows, int cols) {
  Heatmap map;
  map.values = values.data(), map.rows = rows, map.cols = cols, map.row_stride = cols;
  return map;
}

TEST(HeatmapRaster, CellsHaveTheColourOfTheirValue) {
  const std::vector<float> values{0, 0.25f, 0.5f, 1};
  const Raster raster = rasterize(map_of(values, 2, 2), theme(true), 20, 20, 0);
  EXPECT_EQ(pixel(raster, 2, 2), color_of(Colormap::weight_dark, 0, 0, 1));
  EXPECT_EQ(pixel(raster, 17, 2), color_of(Colormap::weight_dark, 0.25f, 0, 1));
  EXPECT_EQ(pixel(raster, 2, 17), color_of(Colormap::weight_dark, 0.5f, 0, 1));
  EXPECT_EQ(pixel(raster, 17, 17), color_of(Colormap::weight_dark, 1, 0, 1));
}

TEST(HeatmapRaster, ALogarithmicScaleHasItsColoursByPowersOfTen) {
  const std::vector<float> values{1, 0.1f, 0.01f, 1e-3f, 1e-4f, 1e-6f, 0, -0.01f};
  Heatmap map = map_of(values, 1, 8);
  map.decades = 4;
  const float parts[] = {1, 0.75f, 0.5f, 0.25f, 0, 0, 0};
  for (int i = 0; i < 7; ++i)
    EXPECT_NEAR(on_linear_scale(map, values[static_cast<std::size_t>(i)]), parts[i], 1e-6f) << i;
  const Raster raster = rasterize(map, theme(true), 80, 10, 0);
  EXPECT_EQ(pixel(raster, 5, 5), color_of(Colormap::weight_dark, 1, 0, 1));
  EXPECT_EQ(pixel(raster, 25, 5), color_of(Colormap::weight_dark, 0.5f, 0, 1));
  EXPECT_EQ(pixel(raster, 65, 5), color_of(Colormap::weight_dark, 0, 0, 1));
  map.lo = -1, map.map = Colormap::signed_dark;
  const Raster both = rasterize(map, theme(true), 80, 10, 0);
  EXPECT_EQ(pixel(both, 25, 5), color_of(Colormap::signed_dark, 0.5f, -1, 1));
  EXPECT_EQ(pixel(both, 75, 5), color_of(Colormap::signed_dark, -0.5f, -1, 1));
  EXPECT_EQ(pixel(both, 65, 5), color_of(Colormap::signed_dark, 0, -1, 1));
}

TEST(HeatmapRaster, TransposedSwapsRowsAndColumns) {
  const std::vector<float> values{0, 0.2f, 0.4f, 0.6f, 0.8f, 1};
  Heatmap map = map_of(values, 2, 3);
  map.transposed = true;
  const Raster raster = rasterize(map, theme(true), 20, 30, 0);
  EXPECT_EQ(pixel(raster, 5, 15), color_of(Colormap::weight_dark, 0.2f, 0, 1));  // row 0, column 1
  EXPECT_EQ(pixel(raster, 15, 25), color_of(Colormap::weight_dark, 1, 0, 1));
}

TEST(HeatmapRaster, ALoneSpikeSurvivesReduction) {
  std::vector<float> values(1000 * 1000, 0.f);
  values[517 * 1000 + 333] = 1;
  const Raster raster = rasterize(map_of(values, 1000, 1000), theme(true), 100, 100, 0);
  EXPECT_EQ(pixel(raster, 33, 51), color_of(Colormap::weight_dark, 1, 0, 1));
  EXPECT_EQ(pixel(raster, 34, 51), color_of(Colormap::weight_dark, 0, 0, 1));
}

TEST(HeatmapRaster, MaskedCellsAreTheGroundWhateverTheirValue) {
  const std::vector<float> values{1, 1, 1, 1};
  const std::vector<base::Interval> allowed{{0, 1}, {0, 2}};
  Heatmap map = map_of(values, 2, 2);
  map.allowed = allowed;
  const Raster raster = rasterize(map, theme(true), 40, 40, 0);
  for (int x = 20; x < 40; ++x) {
    for (int y = 0; y < 20; ++y) EXPECT_EQ(pixel(raster, x, y), theme(true).mask);
  }
  EXPECT_EQ(pixel(raster, 30, 30), color_of(Colormap::weight_dark, 1, 0, 1));
  // With gaps between the cells, it is one ground still, and the others have theirs.
  const Raster gaps = rasterize(map, theme(true), 40, 40, 1);
  for (int x = 20; x < 40; ++x) {
    for (int y = 0; y < 20; ++y) EXPECT_EQ(pixel(gaps, x, y), theme(true).mask);
  }
  EXPECT_EQ(pixel(gaps, 30, 20).a, 0);
}

TEST(HeatmapRaster, BrokenValuesAreSeenAndGapsAreClear) {
  std::vector<float> values(64, 0.5f);
  values[10] = std::nanf("");
  const Raster raster = rasterize(map_of(values, 8, 8), theme(false), 80, 80, 1);
  EXPECT_EQ(pixel(raster, 25, 15), nan_color);
  EXPECT_EQ(pixel(raster, 20, 5).a, 0);
  EXPECT_EQ(pixel(raster, 25, 5).a, 255);
}

TEST(HeatmapRaster, AViewShowsThatPartOnly) {
  std::vector<float> values(100);
  for (int i = 0; i < 100; ++i) values[static_cast<std::size_t>(i)] = static_cast<float>(i) / 100;
  Heatmap map = map_of(values, 10, 10);
  map.view = {4, 6, 2, 2};
  const Raster raster = rasterize(map, theme(true), 20, 20, 0);
  EXPECT_EQ(pixel(raster, 5, 5), color_of(Colormap::weight_dark, 0.64f, 0, 1));
  EXPECT_EQ(pixel(raster, 15, 15), color_of(Colormap::weight_dark, 0.75f, 0, 1));
}

}  // namespace
}  // namespace headlight::draw
