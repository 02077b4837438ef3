// The shader against the processor: draw::color_of for cells, draw::rasterize for whole pictures.
#include <glad/gl.h>

#include <cmath>
#include <limits>
#include <random>

#include "draw/heatmap_raster.h"
#include "gl_test.h"
#include "screen/heatmap_painter.h"

namespace headlight::screen {
namespace {

using draw::Box;
using draw::Color;
using draw::Colormap;
using draw::Heatmap;

const float nan = std::numeric_limits<float>::quiet_NaN();
const float inf = std::numeric_limits<float>::infinity();
constexpr Color behind = draw::rgb(0x102030);

std::vector<float> noise(int rows, int cols, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1.2f, 1.2f);
  std::vector<float> values(std::size_t(rows) * std::size_t(cols));
  for (float& v : values) v = uniform(random);
  return values;
}

Heatmap map_of(const std::vector<float>& values, int rows, int cols) {
  return {.values = values.data(),
          .rows = rows,
          .cols = cols,
          .row_stride = cols,
          .version = 1,
          .lo = -1,
          .hi = 1};
}

class HeatmapGlTest : public RendererTest {
 protected:
  void SetUp() override {
    RendererTest::SetUp();
    if (!renderer_) return;
    painter_ = std::make_unique<HeatmapPainter>();
    painter_->set_theme(draw::theme(true));
  }
  void TearDown() override {
    painter_.reset();
    RendererTest::TearDown();
  }
  Picture show(const Heatmap& map, Box box, int width, int height, float scale = 1, int frames = 1) {
    Picture picture = render(
        *renderer_, width, height, behind,
        [&](ImDrawList& list) {
          painter_->begin_frame();
          painter_->draw(list, box, map, scale);
        },
        frames);
    EXPECT_EQ(painter_->shader_log(), "");
    return picture;
  }
  // One step of the colour map apart is rounding.
  static bool near(Color a, Color b, int tolerance = 4) {
    return std::abs(a.r - b.r) <= tolerance && std::abs(a.g - b.g) <= tolerance &&
           std::abs(a.b - b.b) <= tolerance;
  }
  static std::string text(Color c) {
    char out[16];
    std::snprintf(out, sizeof out, "%02x%02x%02x", c.r, c.g, c.b);
    return out;
  }
  std::unique_ptr<HeatmapPainter> painter_;
};

TEST_F(HeatmapGlTest, EveryCellHasItsColourInEveryMap) {
  const int rows = 9, cols = 13;
  std::vector<float> values = noise(rows, cols);
  values[5] = nan, values[20] = inf, values[21] = -inf, values[40] = 0, values[41] = -1, values[42] = 1;
  for (Colormap colors :
       {Colormap::viridis, Colormap::cividis, Colormap::blues, Colormap::diverging, Colormap::weight_dark,
        Colormap::weight_light, Colormap::signed_dark, Colormap::signed_light}) {
    Heatmap map = map_of(values, rows, cols);
    map.map = colors;
    Box box{7, 11, cols * 21.3f, rows * 17.7f};
    Picture picture = show(map, box, 300, 200);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < cols; ++c) {
        draw::Point centre = draw::cell_box(box, map, c, r).centre();
        float value = values[std::size_t(r * cols + c)];
        Color wanted = std::isfinite(value) ? draw::color_of(colors, value, -1, 1) : draw::nan_color;
        Color found = picture.at(int(centre.x), int(centre.y));
        EXPECT_TRUE(near(found, wanted)) << r << "," << c << ": " << text(found) << " for " << text(wanted);
      }
    EXPECT_EQ(picture.at(2, 2), behind);
    EXPECT_EQ(picture.at(299, 199), behind);
  }
}

TEST_F(HeatmapGlTest, OneMapFadesIntoTheOther) {
  const int rows = 5, cols = 6;
  const std::vector<float> before = noise(rows, cols, 1), after = noise(rows, cols, 2);
  const Box box{10, 10, cols * 20.f, rows * 20.f};
  Heatmap old = map_of(before, rows, cols), now = map_of(after, rows, cols);
  now.version = 2;
  const auto blended = [&](const Heatmap& map, float part) {
    return render(*renderer_, 150, 130, behind, [&](ImDrawList& list) {
      painter_->begin_frame();
      painter_->blend(part);
      painter_->draw(list, box, map, 1);
    });
  };
  const Picture from = blended(old, 1), start = blended(now, 0), half = blended(now, 0.5f),
                late = blended(now, 0.75f), end = blended(now, 1);
  EXPECT_EQ(start.rgba, from.rgba);
  EXPECT_EQ(end.rgba, show(now, box, 150, 130).rgba);
  EXPECT_NE(end.rgba, from.rgba);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      const draw::Point at = draw::cell_box(box, now, c, r).centre();
      const Color a = from.at(int(at.x), int(at.y)), b = end.at(int(at.x), int(at.y));
      EXPECT_TRUE(near(half.at(int(at.x), int(at.y)), draw::mix(a, b, 0.5f))) << r << "," << c;
      EXPECT_TRUE(near(late.at(int(at.x), int(at.y)), draw::mix(a, b, 0.75f))) << r << "," << c;
    }
  }
  // A smaller part begins anew, from what was seen last.
  const std::vector<float> last = noise(rows, cols, 4);
  Heatmap third = map_of(last, rows, cols);
  third.version = 4;
  (void)blended(old, 1), (void)blended(now, 0.5f);
  const Picture anew = blended(third, 0.25f), third_alone = show(third, box, 150, 130);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      const draw::Point at = draw::cell_box(box, now, c, r).centre();
      const Color b = end.at(int(at.x), int(at.y)), d = third_alone.at(int(at.x), int(at.y));
      EXPECT_TRUE(near(anew.at(int(at.x), int(at.y)), draw::mix(b, d, 0.25f))) << r << "," << c;
    }
  }
  // A map of another shape has nothing to come from; nor has one that is as it was.
  const std::vector<float> larger = noise(8, 8, 3);
  Heatmap other = map_of(larger, 8, 8);
  other.version = 3;
  EXPECT_EQ(blended(other, 0.5f).rgba, show(other, box, 150, 130).rgba);
  EXPECT_EQ(blended(other, 0.5f).rgba, show(other, box, 150, 130).rgba);
}

TEST_F(HeatmapGlTest, LogarithmicScalesAreThoseOfTheProcessor) {
  const int rows = 6, cols = 9;
  std::vector<float> values;
  for (int i = 0; i < rows * cols; ++i)
    values.push_back((i % 5 == 0 ? -1.f : 1.f) * std::pow(10.f, -float(i) / 9));
  values[3] = 0, values[7] = nan;
  Heatmap map = map_of(values, rows, cols);
  Box box{0, 0, cols * 20.f, rows * 20.f};
  for (const bool has_signs : {false, true}) {
    map.lo = has_signs ? -0.5f : 0, map.hi = 0.5f, map.decades = 4;
    map.map = has_signs ? Colormap::signed_dark : Colormap::weight_dark;
    Picture picture = show(map, box, 180, 120);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < cols; ++c) {
        Color found = picture.at(c * 20 + 10, r * 20 + 10);
        Color wanted = draw::color_of(draw::theme(true), map, values[std::size_t(r * cols + c)]);
        EXPECT_TRUE(near(found, wanted)) << r << "," << c << ": " << text(found) << " for " << text(wanted);
      }
  }
}

TEST_F(HeatmapGlTest, TransposedAndStrided) {
  const int rows = 4, cols = 6, stride = 9;
  std::vector<float> values = noise(rows, stride);
  Heatmap map = map_of(values, rows, cols);
  map.row_stride = stride;
  map.transposed = true;
  Box box{0, 0, 80, 180};
  Picture picture = show(map, box, 80, 180);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) {
      Color found = picture.at(r * 20 + 10, c * 30 + 15);
      Color wanted = draw::color_of(map.map, values[std::size_t(r * stride + c)], -1, 1);
      EXPECT_TRUE(near(found, wanted)) << r << "," << c << ": " << text(found) << " for " << text(wanted);
    }
}

TEST_F(HeatmapGlTest, OnlyTheViewIsShown) {
  const int rows = 50, cols = 40;
  std::vector<float> values = noise(rows, cols);
  Heatmap map = map_of(values, rows, cols);
  map.view = {10.5f, 20.25f, 8, 5};
  Box box{0, 0, 320, 200};
  Picture picture = show(map, box, 320, 200);
  for (int y = 5; y < 200; y += 10)
    for (int x = 5; x < 320; x += 10) {
      draw::Point cell = draw::cell_at(box, map, {float(x) + 0.5f, float(y) + 0.5f});
      float fx = cell.x - std::floor(cell.x), fy = cell.y - std::floor(cell.y);
      if (std::min(fx, 1 - fx) < 0.1f || std::min(fy, 1 - fy) < 0.1f) continue;  // a gap
      Color wanted = draw::color_of(map.map, values[std::size_t(int(cell.y) * cols + int(cell.x))], -1, 1);
      EXPECT_TRUE(near(picture.at(x, y), wanted)) << x << "," << y;
    }
}

TEST_F(HeatmapGlTest, MaskedCellsAreTheGroundWhateverTheirValue) {
  const int size = 8;
  std::vector<float> values = noise(size, size);
  values[7] = nan;
  std::vector<base::Interval> causal;
  for (int r = 0; r < size; ++r) causal.push_back({0, r + 1});
  Heatmap map = map_of(values, size, size);
  map.allowed = causal;
  const draw::Theme& theme = draw::theme(true);
  Picture picture = show(map, {0, 0, 240, 240}, 240, 240);
  for (int r = 0; r < size; ++r)
    for (int c = 0; c < size; ++c) {
      int ground = 0;
      for (int y = r * 30 + 4; y < r * 30 + 26; ++y)
        for (int x = c * 30 + 4; x < c * 30 + 26; ++x) ground += near(picture.at(x, y), theme.mask, 2);
      if (c > r) {
        EXPECT_EQ(ground, 22 * 22) << r << "," << c;
      } else {
        EXPECT_LT(ground, 22 * 22) << r << "," << c;
      }
    }
  // The light theme's colours follow at once.
  painter_->set_theme(draw::theme(false));
  Picture light = show(map, {0, 0, 240, 240}, 240, 240);
  int ground = 0;
  for (int x = 214; x < 236; ++x) ground += near(light.at(x, 15), draw::theme(false).mask, 2);
  EXPECT_GT(ground, 5);
}

TEST_F(HeatmapGlTest, GapsShowWhatLiesBehindAndOnlyBetweenLargeCells) {
  std::vector<float> values(16, 0.5f);
  Heatmap map = map_of(values, 4, 4);
  Picture large = show(map, {0, 0, 80, 80}, 80, 80);
  int gaps = 0;
  for (int x = 0; x < 80; ++x) gaps += large.at(x, 10) == behind;
  EXPECT_EQ(gaps, 4);  // one pixel a cell
  Color full = draw::color_of(map.map, 0.5f, -1, 1);
  Picture small = show(map, {0, 0, 28, 28}, 30, 30);  // 7 units a cell
  for (int y = 0; y < 28; ++y)
    for (int x = 0; x < 28; ++x) ASSERT_TRUE(near(small.at(x, y), full)) << x << "," << y;
  map.gaps = false;
  Picture off = show(map, {0, 0, 80, 80}, 80, 80);
  for (int x = 0; x < 80; ++x) ASSERT_TRUE(near(off.at(x, 10), full)) << x;
}

TEST_F(HeatmapGlTest, GapsAreEquallyWideWhereCellsAreNotWholePixels) {
  std::vector<float> values(30 * 30, 0.5f);
  Heatmap map = map_of(values, 30, 30);
  Picture picture = show(map, {3.3f, 4.7f, 401.5f, 401.5f}, 420, 420);
  Color full = draw::color_of(map.map, 0.5f, -1, 1);
  int gaps = 0, blurred = 0;
  for (int x = 4; x < 404; ++x) {
    Color p = picture.at(x, 11);
    if (p == behind)
      ++gaps;
    else if (!near(p, full))
      ++blurred;
  }
  EXPECT_GE(gaps, 29);
  EXPECT_LE(gaps, 30);
  EXPECT_EQ(blurred, 0);
}

TEST_F(HeatmapGlTest, ALoneSpikeStaysVisible) {
  const int size = 4096;
  std::vector<float> values(std::size_t(size) * size, 0.01f);
  std::mt19937 random(3);
  for (int trial = 0; trial < 4; ++trial) {
    int row = int(random() % size), col = int(random() % size);
    float& spike = values[std::size_t(row) * size + std::size_t(col)];
    spike = trial % 2 ? -1.f : 1.f;
    Heatmap map = map_of(values, size, size);
    map.map = Colormap::diverging;
    map.version = std::uint64_t(trial);
    Box box{0, 0, 500, 500};
    if (trial >= 2) box.w = 333.3f, box.h = 487;
    Picture picture = show(map, box, 500, 500);
    Color wanted = draw::color_of(map.map, spike, -1, 1);
    int found = 0;
    float away = 0;
    for (int y = 0; y < 500; ++y)
      for (int x = 0; x < 500; ++x)
        if (near(picture.at(x, y), wanted)) {
          ++found;
          away = std::max({away, std::abs(float(x) + 0.5f - float(col) * box.w / size),
                           std::abs(float(y) + 0.5f - float(row) * box.h / size)});
        }
    EXPECT_GE(found, 1) << trial;
    EXPECT_LE(found, 9) << trial;
    EXPECT_LE(away, 2.5f) << trial;
    spike = 0.01f;
  }
  EXPECT_LT(painter_->memory().bytes, 20u << 20);  // the matrix itself would be 64 MiB
}

TEST_F(HeatmapGlTest, MinifiedInOneDirectionKeepsTheRowsApart) {
  const int rows = 6, cols = 4000;
  std::vector<float> values(std::size_t(rows) * cols);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) values[std::size_t(r * cols + c)] = r % 2 ? -0.75f : 0.5f;
  values[std::size_t(3 * cols + 1777)] = nan;
  Heatmap map = map_of(values, rows, cols);
  map.map = Colormap::diverging;
  Picture picture = show(map, {0, 0, 310, 120}, 310, 120);
  int broken = 0;
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 310; ++x) {
      Color p = picture.at(x, y);
      if (near(p, draw::nan_color)) {
        ++broken;
        EXPECT_EQ(y / 20, 3);
      } else {
        ASSERT_TRUE(near(p, draw::color_of(map.map, y / 20 % 2 ? -0.75f : 0.5f, -1, 1))) << x << "," << y;
      }
    }
  EXPECT_GE(broken, 20);
  EXPECT_LE(broken, 60);
}

TEST_F(HeatmapGlTest, WholePicturesAgreeWithTheReference) {
  const int rows = 96, cols = 96;
  std::vector<float> values = noise(rows, cols, 5);
  for (int i = 0; i < 40; ++i) values[std::size_t(i * 229 % (rows * cols))] = nan;
  Heatmap map = map_of(values, rows, cols);
  map.gaps = false;
  for (bool transposed : {false, true})
    for (int pixels :
         {384, 96, 48}) {  // whole pixels a cell, or whole cells a pixel: the two must agree exactly
      map.transposed = transposed;
      Picture picture = show(map, {0, 0, float(pixels), float(pixels)}, pixels, pixels);
      draw::Raster reference = draw::rasterize(map, draw::theme(true), pixels, pixels, 0);
      int different = 0;
      for (int y = 0; y < pixels; ++y)
        for (int x = 0; x < pixels; ++x) {
          const std::uint8_t* p = reference.rgba.data() + std::size_t(y * pixels + x) * 4;
          different += !near(picture.at(x, y), {p[0], p[1], p[2]});
        }
      EXPECT_EQ(different, 0) << pixels << (transposed ? " transposed" : "");
    }
}

TEST_F(HeatmapGlTest, AMatrixLargerThanATextureShowsItsPartsRight) {
  const int rows = 3, cols = 40000;  // more than any driver's texture
  std::vector<float> values = noise(rows, cols, 9);
  Heatmap map = map_of(values, rows, cols);
  map.gaps = false;
  for (float from : {0.f, 12345.f, 39900.f}) {
    map.view = {from, 0, 100, 3};
    Picture picture = show(map, {0, 0, 400, 30}, 400, 30);
    for (int c = 0; c < 100; ++c)
      ASSERT_TRUE(near(picture.at(c * 4 + 2, 15),
                       draw::color_of(map.map, values[std::size_t(cols + int(from) + c)], -1, 1)))
          << from << " + " << c;
  }
}

TEST_F(HeatmapGlTest, ValuesAreUploadedOncePerVersionAndForgottenInTime) {
  std::vector<float> values = noise(32, 32);
  Heatmap map = map_of(values, 32, 32);
  show(map, {0, 0, 100, 100}, 100, 100, 1, 5);
  map.lo = -2, map.map = Colormap::blues;
  show(map, {0, 0, 90, 90}, 100, 100, 1, 5);
  EXPECT_EQ(painter_->memory().uploads, 1);
  for (std::uint64_t version = 2; version < 40; ++version) {
    map.version = version;
    show(map, {0, 0, 100, 100}, 100, 100);
  }
  EXPECT_EQ(painter_->memory().uploads, 39);
  EXPECT_LE(painter_->memory().textures, 4);
  std::vector<base::Interval> mask(32, base::Interval{0, 5});
  map.allowed = mask;
  show(map, {0, 0, 100, 100}, 100, 100);
  EXPECT_EQ(painter_->memory().uploads, 40);
  for (int i = 0; i < 200; ++i) painter_->begin_frame();
  EXPECT_EQ(painter_->memory().textures, 0);
}

TEST_F(HeatmapGlTest, ClippedAndFollowedByOtherShapes) {
  std::vector<float> values(4, 1.f);
  Heatmap map = map_of(values, 2, 2);
  map.gaps = false;
  Picture picture = render(*renderer_, 100, 100, behind, [&](ImDrawList& list) {
    painter_->begin_frame();
    list.PushClipRect({0, 0}, {50, 100}, true);
    painter_->draw(list, {10, 10, 80, 80}, map, 1);
    list.PopClipRect();
    list.AddRectFilled({20, 20}, {30, 30}, IM_COL32(255, 0, 0, 255));
    painter_->draw(list, {60, 60, 30, 30}, map, 1, 0.5f);
  });
  Color full = draw::color_of(map.map, 1, -1, 1);
  EXPECT_TRUE(near(picture.at(40, 40), full));
  EXPECT_EQ(picture.at(55, 40), behind);
  EXPECT_EQ(picture.at(25, 25), draw::rgb(0xff0000));
  EXPECT_TRUE(near(picture.at(75, 75), draw::mix(behind, full, 0.5f)));
}

}  // namespace
}  // namespace headlight::screen
