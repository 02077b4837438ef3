#include "figure/figure.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <regex>

#include "io/files.h"
#include "io/png.h"
#include "support/scratch_folder.h"
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
              {.size = 12, .color = dark().text, .font = draw::Font::mono, .upwards = true});
  canvas.heatmap({10, 70, 60, 40}, {.values = values.data(), .rows = 2, .cols = 3, .row_stride = 3});
  canvas.pop_clip();
}

class FigureTest : public testing::Test {
 protected:
  std::string written(const std::string& name, FigureSize size, const std::function<void(Canvas&)>& paint) {
    const base::Status status = write_figure(folder_ / name, size, dark(), paint);
    EXPECT_TRUE(status) << status.error();
    const auto bytes = io::read_file(folder_ / name);
    EXPECT_TRUE(bytes);
    return bytes ? *bytes : "";
  }
  io::Image png(FigureSize size, const std::function<void(Canvas&)>& paint) {
    auto decoded = io::decode_png(written("a.png", size, paint), "a.png");
    EXPECT_TRUE(decoded);
    return decoded ? std::move(decoded->image) : io::Image{};
  }
  static std::array<int, 3> pixel(const io::Image& image, int x, int y) {
    const std::size_t at = static_cast<std::size_t>(y * image.width + x) * 4;
    return {image.pixels[at], image.pixels[at + 1], image.pixels[at + 2]};
  }

  tests::ScratchFolder folder_;
};

TEST(CheckXml, FindsWhatIsBroken) {
  EXPECT_EQ(tests::check_xml("<?xml version=\"1.0\"?><!-- x --><a b=\"1\"><c/>&lt;</a>\n").error, "");
  for (const char* broken : {"", "words", "<a>", "<a></b>", "<a/><b/>", "<a b=1/>", "<a b=\"1\" b=\"2\"/>",
                             "<a>&x;</a>", "<a b=\"<\"/>", "<a", "<a>&</a>", "<a/>words"}) {
    EXPECT_NE(tests::check_xml(broken).error, "") << broken;
  }
}

TEST_F(FigureTest, AnSvgIsWellFormedAndHasItsSize) {
  const std::string svg = written("a.svg", {.width = 320, .height = 200}, everything);
  const tests::XmlCheck xml = tests::check_xml(svg);
  ASSERT_EQ(xml.error, "");
  EXPECT_EQ(xml.of_root.at("width"), "320px");
  EXPECT_EQ(xml.of_root.at("height"), "200px");
  EXPECT_EQ(xml.of_root.at("viewBox"), "0 0 320 200");
  EXPECT_EQ(xml.elements.at("image"), 1) << "the heatmap";
  EXPECT_GT(xml.elements.at("path"), 10);
  EXPECT_GT(xml.elements.at("use"), 10) << "the letters";
}

TEST_F(FigureTest, APdfHasOnePage) {
  const std::string pdf = written("a.pdf", {.width = 320, .height = 200}, everything);
  EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
  EXPECT_NE(pdf.find("/MediaBox [ 0 0 320 200 ]"), std::string::npos);
  EXPECT_NE(pdf.find("/Count 1"), std::string::npos);
  EXPECT_NE(pdf.rfind("%%EOF"), std::string::npos);
  EXPECT_GT(pdf.size(), 5000u) << "the fonts are in it";
}

TEST_F(FigureTest, APngHasItsPixels) {
  EXPECT_EQ(png({.width = 320, .height = 200}, everything).width, 320);
  const io::Image image = png({.width = 101, .height = 50, .scale = 1.5f}, [](Canvas& canvas) {
    canvas.rect({10, 10, 20, 20}, rgb(0x123456), 0);
  });
  EXPECT_EQ(image.width, 152);  // 151.5
  EXPECT_EQ(image.height, 75);
  EXPECT_EQ(pixel(image, 30, 30), (std::array<int, 3>{0x12, 0x34, 0x56}));
  const draw::Color ground = dark().window;
  EXPECT_EQ(pixel(image, 5, 5), (std::array<int, 3>{ground.r, ground.g, ground.b}));
}

TEST_F(FigureTest, CellsHaveTheirPlaceAndTheirOrder) {
  const std::array<float, 4> values = {0, 1, 1, 0};
  const io::Image image = png({.width = 40, .height = 40}, [&](Canvas& canvas) {
    canvas.heatmap({0, 0, 40, 40},
                   {.values = values.data(), .rows = 2, .cols = 2, .row_stride = 2, .gaps = false});
  });
  EXPECT_EQ(pixel(image, 10, 10), pixel(image, 30, 30));
  EXPECT_EQ(pixel(image, 30, 10), pixel(image, 10, 30));
  EXPECT_NE(pixel(image, 10, 10), pixel(image, 30, 10));
}

TEST_F(FigureTest, TextIsAsWideAsItSays) {
  const draw::TextStyle style{.size = 40, .color = rgb(0xffffff)};
  float width = 0;
  const io::Image image = png({.width = 600, .height = 80}, [&](Canvas& canvas) {
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

TEST_F(FigureTest, FiguresOneAfterAnother) {
  // cairo numbers its surfaces through the life of the process.
  static const std::regex numbers("(surface|image)[0-9]+");
  auto svg = [&] {
    return std::regex_replace(written("a.svg", {.width = 320, .height = 200}, everything), numbers, "$1");
  };
  const std::string first = svg();
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(svg() == first) << i;
}

TEST_F(FigureTest, ErrorsNameTheFile) {
  const auto paint = [](Canvas&) {};
  const std::string missing = (folder_ / "none" / "").string() + "a";
  for (const char* ending : {".svg", ".pdf", ".png"}) {
    const base::Status status = write_figure(missing + ending, {.width = 64, .height = 64}, dark(), paint);
    ASSERT_FALSE(status) << ending;
    EXPECT_NE(status.error().find(missing + ending + ": cannot be written"), std::string::npos)
        << status.error();
    EXPECT_EQ(status.error().find('\n'), std::string::npos);
  }
  const base::Status ending = write_figure(folder_ / "a.jpg", {}, dark(), paint);
  ASSERT_FALSE(ending);
  EXPECT_NE(ending.error().find("a.jpg: a figure is written as .svg, .pdf or .png, not \".jpg\""),
            std::string::npos);
  EXPECT_EQ(folder_.files(), 0);
}

}  // namespace
}  // namespace headlight::figure
