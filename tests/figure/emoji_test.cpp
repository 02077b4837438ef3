// Emoji in figures: pictures in their own colours, over characters that can still be searched.
#include <gmock/gmock.h>

#include "figure/faces.h"
#include "figure/figure.h"
#include "io/png.h"
#include "support/scratch_folder.h"
#include "support/tool.h"
#include "support/xml.h"

namespace headlight::figure {
namespace {

using testing::HasSubstr;

constexpr const char* sentence = "the 猫 sat 😀 on мат";
constexpr float size = 40;

FigureSpec spec_of() {
  FigureSpec spec;
  spec.theme = draw::theme(false);
  spec.part = {0, 0, 640, 80};
  spec.title = "emoji";
  return spec;
}

void paint(draw::Canvas& canvas) {
  canvas.text({20, 55}, sentence, {.size = size, .color = draw::rgb(0x000000)});
}

/// Where the emoji stands: the box of its picture, in units.
draw::Box emoji_box(const char* words = sentence, float x = 20, float y = 55) {
  for (const text::Glyph& glyph : set_words(words, draw::Font::sans).glyphs) {
    if (!face_of(glyph).coloured) continue;
    const ColorGlyph& picture = color_glyph(glyph);
    return {x + (glyph.x + picture.left) * size, y - picture.top * size, picture.width * size,
            picture.height * size};
  }
  return {};
}

/// Yellow as smileys are: red and green high, blue low. A share of the pixels in the box.
double yellow(const draw::Raster& image, draw::Box box, double scale = 1) {
  int yes = 0, all = 0;
  for (int y = static_cast<int>(box.y * scale); y < static_cast<int>(box.bottom() * scale); ++y) {
    for (int x = static_cast<int>(box.x * scale); x < static_cast<int>(box.right() * scale); ++x, ++all) {
      const std::uint8_t* p = &image.rgba[static_cast<std::size_t>(y * image.width + x) * 4];
      yes += p[0] > 180 && p[1] > 120 && p[2] < 120 && p[3] > 200;
    }
  }
  return double(yes) / all;
}

draw::Raster read(const std::filesystem::path& path) {
  const auto bytes = io::read_file(path);
  const auto png = bytes ? io::decode_png(*bytes, path.string()) : base::Error{"none"};
  EXPECT_TRUE(png) << path;
  return png ? draw::Raster{png->image.width, png->image.height, png->image.pixels} : draw::Raster{};
}

class Emoji : public testing::Test {
 protected:
  void SetUp() override {
    if (emoji_box().w == 0) GTEST_SKIP() << "this computer has no colour font that FreeType draws";
  }
  tests::ScratchFolder folder_;
};

TEST_F(Emoji, APngHasItInItsColours) {
  const auto pixels = figure_pixels(spec_of(), paint);
  ASSERT_TRUE(pixels);
  EXPECT_GT(yellow(*pixels, emoji_box()), 0.4);
  EXPECT_EQ(yellow(*pixels, {0, 0, emoji_box().x, 80}), 0) << "and nothing else is yellow";
  FigureSpec spec = spec_of();
  spec.vision = draw::Vision::tritanopia;
  EXPECT_LT(yellow(*figure_pixels(spec, paint), emoji_box()), 0.1) << "as such eyes see it";
}

TEST_F(Emoji, TheWordsAfterItBeginWhereItEnds) {
  const text::Line& line = set_words("😀x", draw::Font::sans);
  ASSERT_EQ(line.glyphs.size(), 2u);
  EXPECT_GE(line.glyphs[1].x * size + 0.5f, emoji_box("😀x", 0, 0).right());
}

TEST_F(Emoji, AnSvgHasItsPictureOnceAndItsCharacterInTheText) {
  const std::string svg = svg_figure(spec_of(), [](draw::Canvas& canvas) {
    paint(canvas);
    canvas.text({20, 30}, "😀", {.size = 20, .color = draw::rgb(0x000000), .turn = draw::upwards});
    canvas.text({200, 30}, "שלום 😀", {.size = 20, .color = draw::rgb(0x000000)});
  });
  const tests::XmlCheck xml = tests::check_xml(svg);
  EXPECT_EQ(xml.error, "");
  EXPECT_EQ(xml.elements.at("image"), 1);
  EXPECT_EQ(xml.elements.at("use"), 3);
  std::string words = svg.substr(svg.find("<text"));
  words = words.substr(0, words.find("</text>"));
  for (std::size_t at = 0; (at = words.find('<')) != std::string::npos;)
    words.erase(at, words.find('>', at) - at + 1);
  EXPECT_EQ(words, sentence) << "read without its tags";
}

TEST_F(Emoji, RsvgDrawsItWhereWeDo) {
  if (const auto missing = tests::missing_tool("rsvg-convert"); !missing.empty()) GTEST_SKIP() << missing;
  ASSERT_TRUE(io::write_file(folder_ / "e.svg", svg_figure(spec_of(), paint)));
  ASSERT_EQ(
      tests::run_tool({"rsvg-convert", (folder_ / "e.svg").string(), "-o", (folder_ / "e.png").string()})
          .message,
      "");
  const draw::Raster drawn = read(folder_ / "e.png");
  EXPECT_GT(yellow(drawn, emoji_box()), 0.4);
  const draw::Box box = emoji_box();
  EXPECT_EQ(yellow(drawn, {0, 0, box.x - 1, 80}), 0) << "once, and not beside it";
  EXPECT_EQ(yellow(drawn, {box.right() + 1, 0, 639 - box.right(), 80}), 0);
}

TEST_F(Emoji, PopplerDrawsItAndFindsItsCharacter) {
  for (const char* tool : {"pdftoppm", "pdftotext"}) {
    if (const auto missing = tests::missing_tool(tool); !missing.empty()) GTEST_SKIP() << missing;
  }
  const auto pdf = pdf_figure(spec_of(), paint);
  ASSERT_TRUE(pdf);
  const std::string path = (folder_ / "e.pdf").string();
  ASSERT_TRUE(io::write_file(path, *pdf));
  ASSERT_EQ(tests::run_tool({"pdftoppm", "-r", "144", "-png", "-singlefile", path, (folder_ / "e").string()})
                .status,
            0);
  const draw::Raster drawn = read(folder_ / "e.png");
  EXPECT_GT(yellow(drawn, emoji_box(), 2), 0.4);
  const auto text = tests::run_tool({"pdftotext", path, "-"});
  EXPECT_THAT(text.message, HasSubstr(sentence));
}

TEST_F(Emoji, AFamilyIsOnePictureAndAllOfItsCharactersAreInTheFile) {
  if (const auto missing = tests::missing_tool("pdftotext"); !missing.empty()) GTEST_SKIP() << missing;
  const auto family = [](draw::Canvas& canvas) {
    canvas.text({20, 55}, "a 👩‍👩‍👧 b 🇩🇪", {.size = size, .color = draw::rgb(0x000000)});
  };
  const std::string svg = svg_figure(spec_of(), family);
  const tests::XmlCheck xml = tests::check_xml(svg);
  EXPECT_EQ(xml.error, "");
  EXPECT_EQ(xml.elements.at("use"), 2);
  EXPECT_THAT(svg, HasSubstr(">👩‍👩‍👧</tspan><tspan"));
  const auto pdf = pdf_figure(spec_of(), family);
  ASSERT_TRUE(pdf && io::write_file(folder_ / "f.pdf", *pdf));
  const auto text = tests::run_tool({"pdftotext", (folder_ / "f.pdf").string(), "-"});
  EXPECT_THAT(text.message, HasSubstr("👩‍👩‍👧"));
  EXPECT_THAT(text.message, HasSubstr("🇩🇪"));
}

TEST(Devanagari, APdfSaysTheLettersAsTheyAreWritten) {
  if (const auto missing = tests::missing_tool("pdftotext"); !missing.empty()) GTEST_SKIP() << missing;
  if (face_of(set_words("क", draw::Font::sans).glyphs[0]).family == "DejaVu Sans")
    GTEST_SKIP() << "no font of this computer has Devanagari";
  const tests::ScratchFolder folder;
  const auto pdf = pdf_figure(spec_of(), [](draw::Canvas& canvas) {
    canvas.text({20, 55}, "क्षि हिन्दी", {.size = size, .color = draw::rgb(0x000000)});
  });
  ASSERT_TRUE(pdf && io::write_file(folder / "d.pdf", *pdf));
  EXPECT_THAT(tests::run_tool({"pdftotext", (folder / "d.pdf").string(), "-"}).message,
              HasSubstr("क्षि हिन्दी"));
}

TEST(RightToLeft, APdfSaysTheLettersAsTheyAreWritten) {
  if (const auto missing = tests::missing_tool("pdftotext"); !missing.empty()) GTEST_SKIP() << missing;
  const tests::ScratchFolder folder;
  const auto pdf = pdf_figure(spec_of(), [](draw::Canvas& canvas) {
    canvas.text({20, 55}, "مرحبا", {.size = size, .color = draw::rgb(0x000000)});
  });
  ASSERT_TRUE(pdf && io::write_file(folder / "a.pdf", *pdf));
  EXPECT_THAT(tests::run_tool({"pdftotext", (folder / "a.pdf").string(), "-"}).message, HasSubstr("مرحبا"))
      << "not the forms that they take, nor backwards";
}

}  // namespace
}  // namespace headlight::figure
