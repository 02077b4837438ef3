// Beams are convex polygons of opaque colours whose ends are what was asked for; a halo grows softer
// outwards; neither has a seam in a figure.
#include "kit/beam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "draw/theme.h"
#include "figure/figure.h"

namespace headlight::views {
namespace {

using draw::Box;
using draw::Color;
using draw::Point;

constexpr Color red = draw::rgb(0xb3123f), blue = draw::rgb(0x015093);

/// Keeps the polygons.
class Polygons final : public draw::Canvas {
 public:
  struct One {
    std::vector<Point> points;
    Color fill;
  };
  std::vector<One> all;
  int others = 0;

  void polygon(std::span<const Point> convex, Color fill) override {
    all.push_back({{convex.begin(), convex.end()}, fill});
  }
  void rect(Box, Color, float) override { ++others; }
  void frame(Box, draw::Stroke, float) override { ++others; }
  void line(Point, Point, draw::Stroke) override { ++others; }
  void polyline(std::span<const Point>, draw::Stroke) override { ++others; }
  void curve(Point, Point, Point, Point, draw::Stroke) override { ++others; }
  void circle(Point, float, Color) override { ++others; }
  void ring(Point, float, draw::Stroke) override { ++others; }
  void sector(Point, float, float, float, Color) override { ++others; }
  void text(Point, std::string_view, const draw::TextStyle&) override { ++others; }
  float text_width(std::string_view, const draw::TextStyle&) override { return 0; }
  void heatmap(Box, const draw::Heatmap&) override { ++others; }
  void push_clip(Box) override {}
  void pop_clip() override {}
  void mark(const draw::Mark&) override {}
};

/// All turns of a polygon go the same way.
bool convex(const std::vector<Point>& p) {
  float low = 0, high = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Point a = p[i], b = p[(i + 1) % p.size()], c = p[(i + 2) % p.size()];
    const float turn = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
    low = std::min(low, turn), high = std::max(high, turn);
  }
  return p.size() >= 3 && (low > -1e-2f || high < 1e-2f);
}

float area(const std::vector<Point>& p) {
  float twice = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Point a = p[i], b = p[(i + 1) % p.size()];
    twice += a.x * b.y - b.x * a.y;
  }
  return std::abs(twice) / 2;
}

std::vector<Point> level() {
  return cubic_path({50, 100}, {150, 100}, {250, 100}, {350, 100});
}
std::vector<Point> steep() {
  return cubic_path({40, 30}, {200, 30}, {200, 270}, {360, 270});
}

TEST(Beam, IsConvexSlicesFromOneColourAndWidthToTheOther) {
  Polygons drawn;
  draw_beam(drawn, level(), {.width_a = 10, .width_b = 30, .a = red, .b = blue});
  EXPECT_EQ(drawn.others, 0);
  ASSERT_EQ(drawn.all.size(), 24u);
  for (const Polygons::One& one : drawn.all) EXPECT_TRUE(convex(one.points));
  const auto& first = drawn.all.front();
  const auto& last = drawn.all.back();
  EXPECT_FLOAT_EQ(std::abs(first.points.front().y - first.points.back().y), 10);
  EXPECT_FLOAT_EQ(std::abs(last.points[1].y - last.points[2].y), 30);
  EXPECT_NEAR(last.points[1].x, 350, 1e-3) << "the beam ends where its path does";
  EXPECT_NEAR(first.fill.r, red.r, 4);
  EXPECT_NEAR(last.fill.b, blue.b, 4);
  for (std::size_t i = 1; i < drawn.all.size(); ++i) EXPECT_GE(drawn.all[i].fill.b, drawn.all[i - 1].fill.b);
  float whole = 0;
  for (const Polygons::One& one : drawn.all) whole += area(one.points);
  EXPECT_NEAR(whole, 300 * 20, 23 * 0.8f * 30) << "a trapezium, and the overlaps";
}

TEST(Beam, RoundEndsBulgeByHalfTheWidth) {
  Polygons flat, round;
  draw_beam(flat, level(), {.width_a = 10, .width_b = 20, .a = red, .b = blue});
  draw_beam(round, level(),
            {.width_a = 10, .width_b = 20, .a = red, .b = blue, .round_a = true, .round_b = true});
  ASSERT_EQ(round.all.size(), flat.all.size() + 2);
  float low = 1000, high = 0;
  for (const Polygons::One& one : round.all) {
    EXPECT_TRUE(convex(one.points));
    for (const Point p : one.points) low = std::min(low, p.x), high = std::max(high, p.x);
  }
  EXPECT_NEAR(low, 45, 0.2);
  EXPECT_NEAR(high, 360, 0.2);
}

TEST(Beam, StaysConvexInATightBend) {
  // Half a turn of radius 6 with a width of 40: the inner side would run backwards.
  Polygons drawn;
  draw_beam(drawn, arc_path({100, 100}, 6, 6, 3.14159265f, 6.2831853f),
            {.width_a = 40, .width_b = 40, .a = red, .b = blue});
  EXPECT_FALSE(drawn.all.empty());
  for (const Polygons::One& one : drawn.all) {
    EXPECT_TRUE(convex(one.points));
    for (const Point p : one.points) EXPECT_LT(std::hypot(p.x - 100, p.y - 100), 30);
  }
}

TEST(Beam, AnArcEndsSquareToItsWords) {
  Polygons drawn;
  // From right to left, over the words.
  const std::vector<Point> path = arc_path({100, 100}, -80, -60, 3.14159265f, 0);
  draw_beam(drawn, path, {.width_a = 26, .width_b = 26, .a = red, .b = blue});
  EXPECT_NEAR(path.front().x, 180, 0.01);
  EXPECT_GT(path.size(), 30u);
  const std::vector<Point>& first = drawn.all.front().points;
  EXPECT_NEAR(first.front().y, first.back().y, 0.3) << "level";
  EXPECT_NEAR(std::abs(first.front().x - first.back().x), 26, 0.1);
}

TEST(Beam, APathThatIsNoneDrawsNothing) {
  Polygons drawn;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  draw_beam(drawn, {}, {.a = red, .b = blue});
  draw_beam(drawn, std::vector<Point>{{5, 5}, {5, 5}}, {.a = red, .b = blue});
  draw_beam(drawn, cubic_path({nan, 0}, {1, 0}, {2, 0}, {3, 0}), {.a = red, .b = blue});
  draw_halo(drawn, {}, {.a = red, .b = blue}, {});
  EXPECT_TRUE(drawn.all.empty());
}

TEST(Beam, PathsFollowTheirCurve) {
  const std::vector<Point> path = steep();
  EXPECT_GE(path.size(), 25u);
  EXPECT_LE(path.size(), 97u);
  EXPECT_NEAR(along(path, 0.5f).x, 200, 0.5);
  EXPECT_NEAR(along(path, 0.5f).y, 150, 0.5);
  EXPECT_EQ(along(path, 0).x, 40);
  EXPECT_FLOAT_EQ(along(path, 1).x, 360);
  for (const Point p : arc_path({10, 20}, 30, 40, 0, 3))
    EXPECT_NEAR(std::hypot((p.x - 10) / 30, (p.y - 20) / 40), 1, 1e-4);
}

TEST(Halo, IsManyPaleShapesEachNarrowerThanTheOneBefore) {
  Polygons drawn;
  draw_halo(drawn, level(), {.width_a = 10, .width_b = 10, .a = red, .b = blue},
            {.layers = 16, .step = 2, .opacity = 0.02f});
  constexpr std::size_t slices = 25;  // each layer is cut in other places than the next one
  ASSERT_EQ(drawn.all.size(), 16u * slices);
  float before = 1000;
  for (std::size_t i = 0; i < drawn.all.size(); ++i) {
    EXPECT_NEAR(drawn.all[i].fill.a, 0.02 * 255, 0.02 * 255 * 0.35 + 0.5);
    EXPECT_TRUE(convex(drawn.all[i].points));
    const float width = std::abs(drawn.all[i].points.front().y - drawn.all[i].points.back().y);
    if (i % slices == 0 && i > 0) {
      EXPECT_NEAR(before - width, 4, 1e-3);
    }
    before = width;
  }
  EXPECT_NEAR(before, 14, 1e-3);
}

figure::FigureSpec sheet(double scale) {
  figure::FigureSpec spec;
  spec.theme = draw::theme(false);
  spec.part = {0, 0, 400, 300};
  spec.scale = scale;
  return spec;
}

/// The largest step from pixel to pixel of a row of points along the path, `off` units from its middle.
int roughness(const draw::Raster& image, const std::vector<Point>& path, float off, float scale) {
  int worst = 0;
  Color before{};
  for (int i = 4; i <= 396; ++i) {
    const Point p = along(path, static_cast<float>(i) / 400),
                q = along(path, static_cast<float>(i + 1) / 400);
    const float length = std::hypot(q.x - p.x, q.y - p.y);
    const int x = static_cast<int>((p.x - (q.y - p.y) / length * off) * scale),
              y = static_cast<int>((p.y + (q.x - p.x) / length * off) * scale);
    const std::size_t at = static_cast<std::size_t>(y * image.width + x) * 4;
    const Color now{image.rgba[at], image.rgba[at + 1], image.rgba[at + 2], 255};
    if (i > 4)
      worst = std::max(
          {worst, std::abs(now.r - before.r), std::abs(now.g - before.g), std::abs(now.b - before.b)});
    before = now;
  }
  return worst;
}

TEST(Beam, HasNoSeamInAFigure) {
  for (const double scale : {1.0, 2.0}) {
    for (const bool bent : {false, true}) {
      const std::vector<Point> path = bent ? steep() : level();
      const auto image = figure::figure_pixels(sheet(scale), [&](draw::Canvas& canvas) {
        draw_beam(canvas, path, {.width_a = 24, .width_b = 24, .a = red, .b = blue});
      });
      ASSERT_TRUE(image) << image.error();
      // A slice of 24 is a step of some 7 of 178; a seam would let some 50 of the white ground through.
      EXPECT_LE(roughness(*image, path, 0, static_cast<float>(scale)), 12);
      EXPECT_LE(roughness(*image, path, 9, static_cast<float>(scale)), 12);
    }
  }
}

TEST(Halo, HasNoSeamInAFigureAndFadesOutwards) {
  const std::vector<Point> path = level();
  const auto image = figure::figure_pixels(sheet(2), [&](draw::Canvas& canvas) {
    draw_halo(canvas, path, {.width_a = 10, .width_b = 10, .a = red, .b = red}, {});
  });
  ASSERT_TRUE(image) << image.error();
  for (const float off : {0.f, 8.f, 20.f}) EXPECT_LE(roughness(*image, path, off, 2), 6) << off;
  const auto light = [&](float off) {
    return image
        ->rgba[static_cast<std::size_t>(static_cast<int>((100 + off) * 2) * image->width + 400) * 4 + 1];
  };
  EXPECT_LT(light(0), 200);
  for (float off = 6; off < 40; off += 4) EXPECT_LE(light(off), light(off + 4)) << off;
  EXPECT_EQ(light(46), draw::theme(false).window.g);
}

/// The layers of a halo are cut in different places: what a pixel loses where two slices meet does not add up
/// to rays.
TEST(Halo, HasNoRaysInABend) {
  const std::vector<Point> path = arc_path({200, 150}, 47, 60, -3.14159f, 0);
  figure::FigureSpec spec = sheet(2);
  spec.theme = draw::theme(true);
  const auto image = figure::figure_pixels(spec, [&](draw::Canvas& canvas) {
    draw_halo(canvas, path, {.width_a = 14, .width_b = 14, .a = blue, .b = red}, {});
  });
  ASSERT_TRUE(image) << image.error();
  for (const float off : {-30.f, -20.f, -12.f, 12.f, 20.f})
    EXPECT_LE(roughness(*image, path, off, 2), 3) << off;
}

TEST(Beam, IsPlainShapesInAnSvg) {
  const std::string svg = figure::svg_figure(sheet(1), [](draw::Canvas& canvas) {
    draw_halo(canvas, steep(), {.a = red, .b = blue}, {});
    draw_beam(canvas, steep(), {.a = red, .b = blue});
  });
  EXPECT_NE(svg.find("<polygon"), std::string::npos);
  for (const char* word : {"filter", "Gradient", "blur", "<image"})
    EXPECT_EQ(svg.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace headlight::views
