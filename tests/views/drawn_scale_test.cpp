// The colour scale of a map with fewer pixels than cells, against the pixels that the processor draws.
#include "kit/drawn_scale.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "draw/both_canvas.h"
#include "draw/heatmap_raster.h"
#include "draw/no_canvas.h"
#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"
#include "draw/theme.h"
#include "kit/matrix_panel.h"
#include "kit/weight_bar.h"

namespace headlight::views::drawn_scale_test {
namespace {

constexpr int side = 512;

std::vector<float> weights(unsigned seed, float factor = 1) {
  std::vector<float> out(side * side);
  unsigned state = seed;
  for (float& one : out) {
    state = state * 1664525u + 1013904223u;
    const float part = static_cast<float>(state >> 8) / 16777216.f;
    one = factor * 0.9f * std::pow(part, 60.f);
  }
  return out;
}

draw::Heatmap map_of(const std::vector<float>& values, std::uint64_t version) {
  draw::Heatmap map;
  map.values = values.data(), map.rows = map.cols = map.row_stride = side, map.version = version;
  map.gaps = false;
  return map;
}

const scene::WeightScale automatic{scene::MapScale::automatic, 1, 0};

/// The share of the pixels that a raster of this size draws in the last colour.
double last_colour(draw::Heatmap map, draw::Box box, float end) {
  const draw::Theme& theme = draw::theme(true);
  map.hi = end;
  const draw::Raster raster =
      draw::rasterize(map, theme, static_cast<int>(box.w), static_cast<int>(box.h), 0);
  const draw::Color last = draw::color_of(theme, map, end), below = draw::color_of(theme, map, 0.99f * end);
  EXPECT_TRUE(last.r != below.r || last.g != below.g || last.b != below.b);
  std::size_t count = 0;
  for (std::size_t i = 0; i < raster.rgba.size(); i += 4)
    count += raster.rgba[i] == last.r && raster.rgba[i + 1] == last.g && raster.rgba[i + 2] == last.b ? 1 : 0;
  return static_cast<double>(count) / static_cast<double>(raster.rgba.size() / 4);
}

TEST(DrawnScale, AtMostOnePercentOfThePixelsHaveTheLastColourAndTheShareIsTheirs) {
  const std::vector<float> values = weights(7);
  for (const draw::Box box :
       {draw::Box{0, 0, 469, 433}, {0, 0, 130, 250}, {0, 0, 88, 88}, {0, 0, 700, 600}}) {
    const draw::Heatmap map = map_of(values, 1);
    const scene::WeightScale scale = drawn_scale(automatic, std::array{DrawnMap{map, box, {}}}, 1);
    EXPECT_LE(scale.above, 0.01);
    const double drawn = last_colour(map, box, scale.end);
    EXPECT_NEAR(drawn, scale.above, 0.0035) << box.w;  // the last colour begins half a step below the end
  }
}

/// 512 cells across 300 units: at scale 2 each has a pixel of its own, at scale 1 two share one.
TEST(DrawnScale, TheShareIsThatOfThePixelsAtEveryScaleOfTheInterface) {
  const std::vector<float> values = weights(7);
  const draw::Box box{0, 0, 300, 270};
  const draw::Heatmap map = map_of(values, 3);
  float ends[3] = {};
  for (const float pixels : {1.f, 1.5f, 2.f}) {
    const scene::WeightScale scale = drawn_scale(automatic, std::array{DrawnMap{map, box, {}}}, pixels);
    const double drawn = last_colour(map, {0, 0, box.w * pixels, box.h * pixels}, scale.end);
    EXPECT_LE(scale.above, 0.01);
    EXPECT_NEAR(drawn, scale.above, 0.0035) << pixels;
    ends[static_cast<int>(2 * pixels) - 2] = scale.end;
  }
  EXPECT_GE(ends[0], ends[1]);
  EXPECT_GT(ends[1], ends[2]);
}

/// On a canvas with a scale, as the screen has it.
class ScaledCanvas final : public draw::NoCanvas {
 public:
  explicit ScaledCanvas(float scale) : scale_(scale) {}
  float pixels() const override { return scale_; }

 private:
  float scale_;
};

TEST(DrawnScale, APanelCountsThePixelsOfItsCanvas) {
  const std::vector<float> values = weights(7);
  MatrixPanel panel;
  panel.values = values.data(), panel.rows = panel.cols = side, panel.version = 6;
  panel.scale = &automatic;
  const auto scale_at = [&](float pixels) {
    ScaledCanvas scaled(pixels);
    draw::PickCanvas picked({-1e6f, -1e6f}, scaled);
    draw::NoCanvas also;
    draw::BothCanvas both(picked, also);
    return draw_matrix_panel({both, draw::theme(true)}, {0, 0, 330, 330}, panel).scale;
  };
  EXPECT_GT(scale_at(1).end, scale_at(2).end);
}

TEST(DrawnScale, ASmallerPictureEndsHigherAndOtherScalesStay) {
  const std::vector<float> values = weights(7);
  const auto end = [&](float pixels) {
    return drawn_scale(automatic, std::array{DrawnMap{map_of(values, 2), {0, 0, pixels, pixels}, {}}}, 1).end;
  };
  EXPECT_LT(end(600), end(60));
  EXPECT_EQ(end(600), end(1800));
  const scene::WeightScale unit{scene::MapScale::unit, 1, 0};
  EXPECT_EQ(drawn_scale(unit, std::array{DrawnMap{map_of(values, 2), {0, 0, 60, 60}, {}}}, 1).end, 1);
}

TEST(DrawnScale, MaskedCellsAreNotCounted) {
  const std::vector<float> values = weights(3);
  std::vector<base::Interval> causal;
  std::vector<std::uint8_t> allow(side * side, 0);
  for (int row = 0; row < side; ++row) {
    causal.push_back({0, row + 1});
    for (int col = 0; col <= row; ++col) allow[static_cast<std::size_t>(row * side + col)] = 1;
  }
  draw::Heatmap map = map_of(values, 4);
  const nn::WeightCounts by_pairs = count_pixels({map, {0, 0, 100, 100}, allow});
  map.allowed = causal;
  const nn::WeightCounts by_rows = count_pixels({map, {0, 0, 100, 100}, {}});
  EXPECT_EQ(by_pairs, by_rows);
  map.transposed = true;
  EXPECT_EQ(count_pixels({map, {0, 0, 100, 100}, {}}), by_rows) << "the picture is mirrored, not changed";
}

TEST(DrawnScale, APanelDrawsItsPixelsOnThatScaleAndTwoMapsShareOne) {
  const std::vector<float> a = weights(7), b = weights(9, 0.2f);
  MatrixPanel panel;
  panel.values = a.data(), panel.rows = panel.cols = side, panel.version = 5;
  panel.scale = &automatic;
  const auto drawn = [&](const float* values, std::vector<const float*> others) {
    draw::RecordCanvas canvas;
    panel.values = values, panel.sharing.clear();
    for (const float* other : others) panel.sharing.push_back({other, {}, {}});
    const MatrixPlace place = draw_matrix_panel({canvas, draw::theme(true)}, {0, 0, 330, 330}, panel);
    EXPECT_EQ(canvas.maps.size(), 1u);
    EXPECT_EQ(canvas.maps.front().map.hi, place.scale.end);
    return place.scale.end;
  };
  EXPECT_GT(drawn(a.data(), {}), drawn(b.data(), {}));
  EXPECT_EQ(drawn(a.data(), {b.data()}), drawn(b.data(), {a.data()}));
}

/// Of maps with different masks, each counts what its own mask leaves.
TEST(DrawnScale, MapsWithTheirOwnMasksShareOneScale) {
  const std::vector<float> a = weights(7), b = weights(9, 0.2f);
  const std::vector<base::Interval> few(side, base::Interval{0, 20});
  const auto drawn = [&](const SharedMap& own, const SharedMap& other) {
    draw::RecordCanvas canvas;
    MatrixPanel panel;
    panel.values = own.values, panel.rows = panel.cols = side, panel.version = 5, panel.scale = &automatic;
    panel.allowed = own.allowed, panel.sharing = {other};
    return draw_matrix_panel({canvas, draw::theme(true)}, {0, 0, 330, 330}, panel).scale.end;
  };
  const SharedMap large{a.data(), few, {}}, small{b.data(), {}, {}};
  EXPECT_EQ(drawn(large, small), drawn(small, large));
  EXPECT_LT(drawn(large, small), drawn({a.data(), {}, {}}, small)) << "masked cells are not counted";
}

TEST(DrawnScale, NothingIsCountedWhereOnlyLayoutsAreCompared) {
  const std::vector<float> values = weights(7);
  const std::array maps{DrawnMap{map_of(values, 8), {0, 0, 60, 60}, {}}};
  const scene::WeightScale whole{scene::MapScale::automatic, 0.02f, 0.001};
  {
    const WithoutPixelScales uncounted;
    EXPECT_EQ(drawn_scale(whole, maps, 1).end, whole.end);
  }
  EXPECT_GT(drawn_scale(whole, maps, 1).end, whole.end);
}

/// As many maps as a large model has heads.
TEST(DrawnScale, ManyMapsKeepTheirCounts) {
  const std::vector<float> values = weights(7);
  std::vector<DrawnMap> maps;
  for (int i = 0; i < 600; ++i) {
    maps.push_back({map_of(values, 9), {0, 0, 16, 16}, {}});
    maps.back().map.rows = 100, maps.back().map.values = values.data() + i * 512;
    if (i > 400) maps.back().map.values = values.data(), maps.back().map.cols = i - 350;
  }
  const scene::WeightScale first = drawn_scale(automatic, maps, 1), again = drawn_scale(automatic, maps, 1);
  nn::WeightCounts counts;
  for (const DrawnMap& one : maps) counts += count_pixels(one);
  EXPECT_EQ(first.end, counts.end().end);
  EXPECT_EQ(first.above, counts.end().above);
  EXPECT_EQ(again.end, first.end);
  EXPECT_EQ(again.above, first.above);
}

TEST(DrawnScale, AScaleThatEndsAtOneSaysSo) {
  EXPECT_EQ(above_words(automatic, draw::theme(true)), "the automatic scale is 0–1 here");
}

TEST(DrawnScale, ABarKeepsTheNameOfTheScaleWhereItIsShort) {
  const scene::WeightScale cut{scene::MapScale::automatic, 0.05f, 0.0062};
  const ColorBar bar = with_share(scale_words(cut, "weight"), cut, draw::theme(true));
  EXPECT_EQ(bar.middle, "weight · the brightest 0.6 % share the last colour");
  EXPECT_EQ(bar.short_middle, "weight");
  const scene::WeightScale whole{scene::MapScale::unit, 1, 0};
  EXPECT_EQ(with_share(scale_words(whole, "weight"), whole, draw::theme(true)).middle, "weight");
}

}  // namespace
}  // namespace headlight::views::drawn_scale_test
