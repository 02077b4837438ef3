#include <glad/gl.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "gl_test.h"
#include "screen/gl_textures.h"
#include "screen/screen_canvas.h"

namespace headlight::screen {
namespace {

using draw::Box;
using draw::Color;
using draw::Point;

constexpr Color black = draw::rgb(0x000000), white = draw::rgb(0xffffff), red = draw::rgb(0xff0000);

class CanvasGlTest : public RendererTest {
 protected:
  void SetUp() override {
    RendererTest::SetUp();
    if (!renderer_) return;
    textures_ = std::make_unique<GlTextures>();
    text_ = std::make_unique<TextPainter>(*textures_);
    heatmaps_ = std::make_unique<HeatmapPainter>();
  }
  void TearDown() override {
    heatmaps_.reset();
    text_.reset();
    textures_.reset();
    RendererTest::TearDown();
  }
  Picture paint(int width, int height, float scale, const std::function<void(ScreenCanvas&)>& paint) {
    return render(*renderer_, width, height, black, [&](ImDrawList& list) {
      heatmaps_->begin_frame();
      ScreenCanvas canvas(list, {0, 0}, scale, *text_, *heatmaps_);
      paint(canvas);
      text_->upload();
    });
  }
  static int lit(const Picture& picture, Box box, int above = 0) {
    int count = 0;
    for (int y = int(box.y); y < int(box.bottom()); ++y)
      for (int x = int(box.x); x < int(box.right()); ++x) count += picture.at(x, y).r > above;
    return count;
  }
  static double area(const Picture& picture) {
    double sum = 0;
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4) sum += picture.rgba[i] / 255.0;
    return sum;
  }

  std::unique_ptr<GlTextures> textures_;
  std::unique_ptr<TextPainter> text_;
  std::unique_ptr<HeatmapPainter> heatmaps_;
};

TEST_F(CanvasGlTest, UprightShapesFallOnWholePixels) {
  for (float scale : {1.f, 1.25f, 1.5f, 2.f}) {
    Picture picture = paint(200, 200, scale, [](ScreenCanvas& canvas) {
      canvas.rect({10.3f, 10.3f, 20, 20}, white);
      canvas.frame({40.2f, 10.4f, 20, 20}, {white, 1});
      canvas.line({10, 50.3f}, {60, 50.3f}, {white, 1});
      canvas.line({70.6f, 10}, {70.6f, 60}, {white, 2});
      canvas.rect({80, 10, 5, 0.1f}, white);  // thin, but there
    });
    int partly = 0;
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4)
      partly += picture.rgba[i] != 0 && picture.rgba[i] != 255;
    EXPECT_EQ(partly, 0) << scale;
    EXPECT_GT(lit(picture, {80 * scale, 8 * scale, 5 * scale, 4 * scale}), 4) << scale;
    EXPECT_NEAR(lit(picture, {8 * scale, 48 * scale, 54 * scale, 5 * scale}), 50 * scale * std::round(scale),
                4 * scale);
  }
}

TEST_F(CanvasGlTest, AreasAreRight) {
  const double pi = std::numbers::pi;
  auto near = [&](double wanted, const std::function<void(ScreenCanvas&)>& draw) {
    double found = area(paint(120, 120, 1, draw));
    EXPECT_NEAR(found, wanted, 0.02 * wanted + 2) << wanted;
  };
  near(pi * 900, [](ScreenCanvas& c) { c.circle({60, 60}, 30, white); });
  near(2 * pi * 30 * 3, [](ScreenCanvas& c) { c.ring({60, 60}, 30, {white, 3}); });
  near(pi * 900 / 4, [](ScreenCanvas& c) {
    c.sector({60, 60}, 30, 0, std::numbers::pi_v<float> / 2, white);
  });
  near(pi * 900 * 0.8, [](ScreenCanvas& c) {
    c.sector({60, 60}, 30, 0.3f, 0.3f + 1.6f * std::numbers::pi_v<float>, white);
  });
  near(pi * 900, [](ScreenCanvas& c) { c.sector({60, 60}, 30, 0, 7, white); });
  const Point clockwise[] = {{20, 20}, {80, 30}, {50, 90}}, other_way[] = {{50, 90}, {80, 30}, {20, 20}};
  near(1950, [&](ScreenCanvas& c) { c.polygon(clockwise, white); });
  near(1950, [&](ScreenCanvas& c) { c.polygon(other_way, white); });
  near(1600 - (4 - pi) * 64, [](ScreenCanvas& c) { c.rect({20, 20, 40, 40}, white, 8); });
  near(std::hypot(80, 60) * 4, [](ScreenCanvas& c) { c.line({20, 30}, {100, 90}, {white, 4}); });
  near(std::hypot(80, 60) * 2, [](ScreenCanvas& c) { c.line({20, 30}, {100, 90}, {white, 4, 5}); });
  near(80 * 4 / 2., [](ScreenCanvas& c) { c.line({20, 30}, {100, 30}, {white, 4, 5}); });
  near(80 * 0.5, [](ScreenCanvas& c) { c.line({20, 30}, {100, 30}, {white, 0.5f}); });
  near(4 * 50 * 2, [](ScreenCanvas& c) { c.frame({30, 30, 50, 50}, {white, 2}); });
  near((4 * 50 - 8 * 10 + 2 * pi * 10) * 2, [](ScreenCanvas& c) {
    c.frame({30, 30, 50, 50}, {white, 2}, 10);
  });
}

TEST_F(CanvasGlTest, SectorsRunClockwiseFromTheRight) {
  Picture picture = paint(100, 100, 1, [](ScreenCanvas& canvas) {
    canvas.sector({50, 50}, 40, 0, std::numbers::pi_v<float> / 2, white);
  });
  EXPECT_EQ(picture.at(65, 65), white);  // right and below
  EXPECT_EQ(picture.at(65, 35), black);
  EXPECT_EQ(picture.at(35, 65), black);
}

TEST_F(CanvasGlTest, LongPolylinesAndPointsThatAreNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<Point> points;
  for (int i = 0; i < 100000; ++i) points.push_back({float(i) * 0.03f, 50 + 40 * std::sin(float(i) * 0.02f)});
  points[50000].y = nan, points[50001].x = std::numeric_limits<float>::infinity();
  Picture picture = paint(3000, 100, 1, [&](ScreenCanvas& canvas) { canvas.polyline(points, {white, 2}); });
  for (int x = 2; x < 2990; x += 7)
    EXPECT_TRUE(std::abs(x - 1500) <= 3 || lit(picture, {float(x), 0, 1, 100}) > 0) << x;
  paint(100, 100, 1, [&](ScreenCanvas& canvas) {
    canvas.rect({nan, 0, 5, 5}, white);
    canvas.frame({0, 0, nan, 5}, {white}, 3);
    canvas.line({nan, 0}, {5, 5}, {white});
    canvas.circle({nan, 0}, 5, white);
    canvas.ring({5, 5}, nan, {white});
    canvas.sector({5, 5}, 4, nan, 1, white);
    canvas.text({nan, 3}, "x", {});
    canvas.polyline({}, {white});
    canvas.polygon({}, white);
    canvas.curve({nan, 0}, {}, {}, {}, {white});
    canvas.heatmap({0, 0, nan, 1}, {});
  });
}

TEST_F(CanvasGlTest, ClipsNest) {
  Picture picture = paint(100, 100, 1, [](ScreenCanvas& canvas) {
    canvas.push_clip({10, 10, 50, 50});
    canvas.push_clip({30, 30, 60, 60});
    canvas.rect({0, 0, 100, 100}, white);
    canvas.pop_clip();
    canvas.rect({0, 0, 20, 20}, red);
    canvas.pop_clip();
    canvas.rect({95, 95, 5, 5}, white);
  });
  EXPECT_EQ(picture.at(29, 29), black);
  EXPECT_EQ(picture.at(30, 30), white);
  EXPECT_EQ(picture.at(59, 59), white);
  EXPECT_EQ(picture.at(60, 60), black);
  EXPECT_EQ(picture.at(9, 9), black);
  EXPECT_EQ(picture.at(12, 12), red);
  EXPECT_EQ(picture.at(97, 97), white);
}

TEST_F(CanvasGlTest, WhatLiesOutsideTheClipCostsNoVertex) {
  const auto everything_at = [](ScreenCanvas& canvas, float x, float y) {
    const auto at = [&](float right, float down) { return Point{x + right, y + down}; };
    canvas.rect({x, y, 20, 20}, white, 4);
    canvas.frame({x, y, 20, 20}, {white, 2}, 4);
    canvas.line(at(0, 0), at(20, 0), {white, 1});
    canvas.line(at(0, 0), at(20, 10), {white, 3, 2});
    const Point points[] = {at(0, 0), at(10, 5), at(20, 0)};
    canvas.polyline(points, {white, 2});
    canvas.polygon(points, white);
    canvas.curve(at(0, 0), at(5, 10), at(15, 10), at(20, 0), {white, 2});
    canvas.circle(at(10, 10), 8, white);
    canvas.ring(at(10, 10), 8, {white, 2});
    canvas.sector(at(10, 10), 8, 0, 2, white);
    canvas.text(at(10, 10), "words", {.size = 12, .color = white, .align = draw::Align::centre});
    const float values[] = {0, 1, 1, 0};
    draw::Heatmap map;
    map.values = values, map.rows = map.cols = map.row_stride = 2;
    canvas.heatmap({x, y, 20, 20}, map);
  };
  render(*renderer_, 200, 200, black, [&](ImDrawList& list) {
    heatmaps_->begin_frame();
    ScreenCanvas canvas(list, {0, 0}, 1, *text_, *heatmaps_);
    canvas.push_clip({80, 80, 40, 40});
    const int before = list.VtxBuffer.Size;
    for (const Point far : {Point{90, 20}, Point{90, 160}, Point{-50, -300}, Point{90, 4000}})
      everything_at(canvas, far.x, far.y);
    EXPECT_EQ(list.VtxBuffer.Size, before);
    everything_at(canvas, 90, 70);  // half of it is seen
    EXPECT_GT(list.VtxBuffer.Size, before + 100);
    canvas.pop_clip();
    text_->upload();
  });
}

TEST_F(CanvasGlTest, TextStandsWhereItsAlignmentSays) {
  const std::string_view words = "HEAD";
  struct Extent {
    int left = 1000, right = -1, top = 1000, bottom = -1;
  };
  auto extent = [&](draw::TextStyle style, float* width = nullptr) {
    style.size = 40;
    style.color = white;
    Picture picture = paint(400, 400, 1, [&](ScreenCanvas& canvas) {
      canvas.text({200, 200}, words, style);
      if (width) *width = canvas.text_width(words, style);
    });
    Extent e;
    for (int y = 0; y < 400; ++y)
      for (int x = 0; x < 400; ++x)
        if (picture.at(x, y).r > 100)
          e = {std::min(e.left, x), std::max(e.right, x), std::min(e.top, y), std::max(e.bottom, y)};
    return e;
  };
  float width = 0;
  Extent left = extent({}, &width);
  EXPECT_NEAR(left.left, 200, 6);
  EXPECT_NEAR(left.right - left.left, width, 8);
  EXPECT_NEAR(left.bottom, 199, 1);                     // on the baseline
  EXPECT_NEAR(left.bottom - left.top, 0.727f * 40, 2);  // a capital's height
  Extent centre = extent({.align = draw::Align::centre, .valign = draw::VAlign::middle});
  EXPECT_NEAR((centre.left + centre.right) / 2.0, 200, 2);
  EXPECT_NEAR((centre.top + centre.bottom) / 2.0, 200, 1.5f);
  Extent right = extent({.align = draw::Align::right, .valign = draw::VAlign::top});
  EXPECT_NEAR(right.right, 200, 6);
  EXPECT_GE(right.top, 200);
  EXPECT_LE(right.top, 214);
  Extent up = extent({.align = draw::Align::centre, .valign = draw::VAlign::middle, .turn = draw::upwards});
  EXPECT_NEAR((up.top + up.bottom) / 2.0, 200, 2);
  EXPECT_NEAR((up.left + up.right) / 2.0, 200, 1.5f);
  EXPECT_NEAR(up.bottom - up.top, width, 8);
  Extent up_left = extent({.turn = draw::upwards});
  EXPECT_NEAR(up_left.bottom, 200, 6);  // reading starts at the point and runs up
  EXPECT_NEAR(up_left.right, 199, 1);
  // Slanted, its end lies up and to the right of the point.
  Extent slant = extent({.valign = draw::VAlign::middle, .turn = draw::slanted});
  EXPECT_NEAR(slant.left, 200, 16);
  EXPECT_NEAR(slant.bottom, 200, 16);
  EXPECT_NEAR(slant.right - slant.left, width * 0.643f + 0.727f * 40 * 0.766f, 10);
  // The corner of the D that would be the highest is round, and H and D have margins.
  EXPECT_NEAR(slant.bottom - slant.top, width * 0.766f + 0.727f * 40 * 0.643f, 14);
}

TEST_F(CanvasGlTest, TexturesKeepTheirPixels) {
  ImTextureID id = textures_->create_rgba(16, 16);
  ASSERT_NE(id, ImTextureID{});
  std::vector<std::uint8_t> pixels(8 * 4 * 4, 255);  // rows of 8, of which 4 are used
  textures_->update_rgba(id, 4, 4, 4, 4, pixels.data(), 8);
  Picture picture = render(*renderer_, 16, 16, black, [&](ImDrawList& list) {
    list.AddImage(id, {0, 0}, {16, 16});
  });
  EXPECT_EQ(picture.at(5, 5), white);
  EXPECT_EQ(picture.at(2, 2), black);
  EXPECT_EQ(picture.at(10, 10), black);
  EXPECT_DOUBLE_EQ(area(picture), 16);
  textures_->destroy(id);
}

TEST_F(CanvasGlTest, AFrameCanBeDroppedHalfWay) {
  renderer_->begin(100, 100, 0.016f);
  ImGui::Begin("left open");
  ImGui::BeginGroup();
  renderer_->abandon();
  Picture picture = paint(100, 100, 1, [](ScreenCanvas& canvas) { canvas.rect({0, 0, 10, 10}, white); });
  EXPECT_EQ(picture.at(5, 5), white);
}

}  // namespace
}  // namespace headlight::screen
