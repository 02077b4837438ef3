#include "figure/figure.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "support/xml.h"

namespace headlight::figure {
namespace {

using draw::Canvas;
using draw::rgb;

const draw::Theme& dark() {
  return draw::theme(true);
}

/// Every word of the drawing vocabulary once.
void everything(Canvas& canvas) {
  const std::array<draw::Point, 3> corners = {{{10, 10}, {60, 10}, {35, 40}}};
  const std::array<float, 6> values = {
      0, 0.5f, 1, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -1};
  canvas.rect({5, 5, 50, 20}, rgb(0xff0000), 4);
  canvas.frame({5, 5, 50, 20}, {.color = rgb(0x00ff00), .width = 2}, 4);
  canvas.line({0, 0}, {100, 100}, {.color = rgb(0x0000ff), .width = 1, .dash = 3});
  canvas.polyline(corners, {.color = rgb(0xffffff)});
  canvas.polygon(corners, draw::faded(rgb(0xffff00), 0.5f));
  canvas.curve({0, 0}, {30, 0}, {0, 30}, {60, 60}, {.color = rgb(0x00ffff)});
  canvas.circle({30, 30}, 5, rgb(0xff00ff));
  canvas.ring({30, 30}, 8, {.color = rgb(0xff00ff)});
  canvas.sector({30, 30}, 12, 0, 2, rgb(0x808080));
  canvas.push_clip({0, 0, 90, 90});
  canvas.text({10, 60}, "A < B & \"C\" › Привет 猫 \xff", {.size = 14, .color = dark().text});
  canvas.text({60, 60}, "0.25",
              {.size = 12, .color = dark().text, .font = draw::Font::mono, .turn = draw::upwards});
  canvas.heatmap({10, 70, 60, 40}, {.values = values.data(), .rows = 2, .cols = 3, .row_stride = 3});
  canvas.pop_clip();
}

FigureSpec spec_of(float width, float height, double scale = 1) {
  FigureSpec spec;
  spec.theme = dark();
  spec.part = {0, 0, width, height};
  spec.scale = scale;
  spec.title = "everything";
  return spec;
}

draw::Raster png(const FigureSpec& spec, const Paint& paint) {
  auto pixels = figure_pixels(spec, paint);
  EXPECT_TRUE(pixels) << pixels.error();
  return pixels ? std::move(*pixels) : draw::Raster{};
}

std::array<int, 4> pixel(const draw::Raster& image, int x, int y) {
  const std::size_t at = static_cast<std::size_t>(y * image.width + x) * 4;
  return {image.rgba[at], image.rgba[at + 1], image.rgba[at + 2], image.rgba[at + 3]};
}

TEST(CheckXml, FindsWhatIsBroken) {
  EXPECT_EQ(tests::check_xml("<?xml version=\"1.0\"?><!-- x --><a b=\"1\"><c/>&lt;</a>\n").error, "");
  for (const char* broken : {"", "words", "<a>", "<a></b>", "<a/><b/>", "<a b=1/>", "<a b=\"1\" b=\"2\"/>",
                             "<a>&x;</a>", "<a b=\"<\"/>", "<a", "<a>&</a>", "<a/>words"}) {
    EXPECT_NE(tests::check_xml(broken).error, "") << broken;
  }
}

TEST(Figure, APdfHasOnePageAndItsFonts) {
  const auto pdf = pdf_figure(spec_of(320, 200), everything);
  ASSERT_TRUE(pdf) << pdf.error();
  EXPECT_EQ(pdf->substr(0, 8), "%PDF-1.5");
  EXPECT_NE(pdf->find("/MediaBox [ 0 0 320 200 ]"), std::string::npos);
  EXPECT_NE(pdf->find("/Count 1"), std::string::npos);
  EXPECT_NE(pdf->find("/FontFile"), std::string::npos) << "the fonts are in it";
  EXPECT_NE(pdf->rfind("%%EOF"), std::string::npos);
  EXPECT_EQ(pdf->find("CreationDate"), std::string::npos);
}

TEST(Figure, APdfIsAsWideAsAColumn) {
  FigureSpec spec = spec_of(400, 200);
  spec.width_mm = 85;
  const auto pdf = pdf_figure(spec, everything);
  ASSERT_TRUE(pdf);
  EXPECT_NE(pdf->find("/MediaBox [ 0 0 240.944882 120.472441 ]"), std::string::npos) << "85 mm in points";
}

TEST(Figure, TheSameFigureIsTheSameFile) {
  EXPECT_EQ(*pdf_figure(spec_of(320, 200), everything), *pdf_figure(spec_of(320, 200), everything));
  EXPECT_EQ(svg_figure(spec_of(320, 200), everything), svg_figure(spec_of(320, 200), everything));
  EXPECT_EQ(png(spec_of(320, 200), everything).rgba, png(spec_of(320, 200), everything).rgba);
}

TEST(Figure, PixelsHaveTheirPlace) {
  EXPECT_EQ(png(spec_of(320, 200), everything).width, 320);
  const draw::Raster image = png(spec_of(101, 50, 1.5), [](Canvas& canvas) {
    canvas.rect({10, 10, 20, 20}, rgb(0x123456), 0);
  });
  EXPECT_EQ(image.width, 152);  // 151.5
  EXPECT_EQ(image.height, 75);
  EXPECT_EQ(pixel(image, 30, 30), (std::array<int, 4>{0x12, 0x34, 0x56, 255}));
  const draw::Color ground = dark().window;
  EXPECT_EQ(pixel(image, 5, 5), (std::array<int, 4>{ground.r, ground.g, ground.b, 255}));
}

TEST(Figure, APartIsCutOutAndTheRestIsNotInIt) {
  FigureSpec spec = spec_of(320, 200);
  spec.part = {100, 50, 80, 40};
  const auto paint = [](Canvas& canvas) {
    canvas.text({110, 80}, "inside", {.size = 14, .color = dark().text});
    canvas.text({10, 30}, "outside", {.size = 14, .color = dark().text});
    canvas.rect({100, 50, 8, 8}, rgb(0xff0000), 0);
    canvas.rect({0, 0, 50, 40}, rgb(0x00ff00), 0);
  };
  const std::string svg = svg_figure(spec, paint);
  EXPECT_NE(svg.find("viewBox=\"100 50 80 40\""), std::string::npos);
  EXPECT_NE(svg.find(">inside</text>"), std::string::npos);
  EXPECT_EQ(svg.find("outside"), std::string::npos);
  EXPECT_EQ(svg.find("#00ff00"), std::string::npos);
  const draw::Raster image = png(spec, paint);
  EXPECT_EQ(image.width, 80);
  EXPECT_EQ(image.height, 40);
  EXPECT_EQ(pixel(image, 3, 3), (std::array<int, 4>{255, 0, 0, 255}));
}

TEST(Figure, WithoutAGroundWhatIsNotDrawnIsTransparent) {
  FigureSpec spec = spec_of(40, 40);
  spec.theme.window.a = 0;
  const draw::Raster image = png(spec, [](Canvas& canvas) {
    canvas.rect({10, 10, 20, 20}, draw::faded(rgb(0xff8000), 0.5f), 0);
  });
  EXPECT_EQ(pixel(image, 2, 2)[3], 0);
  const auto half = pixel(image, 20, 20);
  EXPECT_NEAR(half[3], 128, 1);
  EXPECT_NEAR(half[0], 255, 2) << "not premultiplied";
  EXPECT_NEAR(half[1], 128, 2);
}

TEST(Figure, CellsHaveTheirPlaceAndTheirOrder) {
  const std::array<float, 4> values = {0, 1, 1, 0};
  const draw::Raster image = png(spec_of(40, 40), [&](Canvas& canvas) {
    canvas.heatmap({0, 0, 40, 40},
                   {.values = values.data(), .rows = 2, .cols = 2, .row_stride = 2, .gaps = false});
  });
  EXPECT_EQ(pixel(image, 10, 10), pixel(image, 30, 30));
  EXPECT_EQ(pixel(image, 30, 10), pixel(image, 10, 30));
  EXPECT_NE(pixel(image, 10, 10), pixel(image, 30, 10));
}

/// Cells far wider than high are flat to their edges: no colour that no number has is between two of them.
TEST(Figure, CellsThatAreFarWiderThanHighAreFlat) {
  constexpr int rows = 64, cols = 7, cell_w = 120, cell_h = 5;
  std::vector<float> values;
  for (int i = 0; i < rows * cols; ++i) values.push_back(static_cast<float>(i % 2));
  const draw::Heatmap map{.values = values.data(), .rows = rows, .cols = cols, .row_stride = cols};
  const auto image = png(spec_of(cols * cell_w, rows * cell_h, 2), [&](Canvas& canvas) {
    canvas.heatmap({0, 0, cols * cell_w, rows * cell_h}, map);
  });
  ASSERT_EQ(image.width, 2 * cols * cell_w);
  const int y = 2 * cell_h * 10 + cell_h;  // in the middle of a row
  for (int col = 0; col < cols; ++col) {
    const auto middle = pixel(image, 2 * cell_w * col + cell_w, y);
    for (int x = 2; x < 2 * cell_w - 2; ++x)
      ASSERT_EQ(pixel(image, 2 * cell_w * col + x, y), middle) << "column " << col << ", pixel " << x;
  }
}

TEST(Figure, TextIsAsWideAsItSays) {
  const draw::TextStyle style{.size = 40, .color = rgb(0xffffff)};
  float width = 0;
  const draw::Raster image = png(spec_of(600, 80), [&](Canvas& canvas) {
    width = canvas.text_width("HiiiH", style);
    canvas.text({20, 60}, "HiiiH", style);
  });
  int first = image.width, last = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      if (pixel(image, x, y)[0] > 128) first = std::min(first, x), last = std::max(last, x);
    }
  }
  EXPECT_NEAR(first, 20, 6);  // the letters' own side bearings
  EXPECT_NEAR(last, 20 + width, 6);
}

TEST(Figure, PanelsAreListedByNameElseByTitle) {
  const std::vector<Panel> panels = panels_of([](Canvas& canvas) {
    canvas.panel({1, 2, 3, 4}, "map", "Head 1 · weights");
    canvas.panel({5, 6, 7, 8}, "", "Is “it” unique?");
    canvas.panel({9, 9, 9, 9}, "map", "again");
    canvas.panel({9, 9, 9, 9}, "", "");
  });
  ASSERT_EQ(panels.size(), 2u);
  EXPECT_EQ(panels[0].name, "map");
  EXPECT_EQ(panels[0].box, (draw::Box{1, 2, 3, 4}));
  EXPECT_EQ(panels[1].name, "is-it-unique");
}

TEST(Figure, AsManyPixelsAsNobodyHasAreAnError) {
  const auto pixels = figure_pixels(spec_of(40000, 100), everything);
  ASSERT_FALSE(pixels);
  EXPECT_NE(pixels.error().find("40000 × 100 pixels"), std::string::npos) << pixels.error();
}

}  // namespace
}  // namespace headlight::figure
