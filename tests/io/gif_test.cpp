#include "io/gif.h"

#include <gmock/gmock.h>

#include "io/files.h"
#include "support/scratch_folder.h"
#include "support/tool.h"

namespace headlight::io {
namespace {

Image filled(int width, int height, std::uint32_t color) {
  Image image{width, height, 4, {}};
  for (int i = 0; i < width * height; ++i) {
    for (const int shift : {16, 8, 0}) image.pixels.push_back(static_cast<std::uint8_t>(color >> shift));
    image.pixels.push_back(255);
  }
  return image;
}

std::vector<RunImage> packed(const std::vector<Image>& frames) {
  return {frames.begin(), frames.end()};
}

TEST(RunImage, GivesThePixelsAgainAndGrows) {
  Image image{5, 3, 4, {}};
  for (std::uint8_t i = 0; i < 15; ++i)
    image.pixels.insert(image.pixels.end(), {i, 7, static_cast<std::uint8_t>(i / 4), i});
  for (const int same : {3, 4, 5, 6, 7})  // a run that would cross the end of a row
    std::copy_n(&image.pixels[0], 4, &image.pixels[static_cast<std::size_t>(same) * 4]);
  const RunImage runs(image);
  EXPECT_EQ(runs.image(), image);
  EXPECT_LT(runs.runs().size(), 15u);
  const Image larger = runs.grown(7, 4, 0x80112233).image();
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 7; ++x) {
      const std::uint8_t ground[] = {0x11, 0x22, 0x33, 0x80};
      const std::uint8_t* wanted =
          x < 5 && y < 3 ? &image.pixels[static_cast<std::size_t>(y * 5 + x) * 4] : ground;
      EXPECT_TRUE(std::equal(wanted, wanted + 4, &larger.pixels[static_cast<std::size_t>(y * 7 + x) * 4]))
          << x << ", " << y;
    }
  }
  EXPECT_EQ(RunImage(Image{1, 1, 3, {1, 2, 3}}).image(), (Image{1, 1, 4, {1, 2, 3, 255}}));
}

TEST(Gif, AFewColoursAreKeptExactly) {
  std::vector<Image> images = {filled(4, 4, 0x102030), filled(4, 4, 0xFFEEDD)};
  images[0].pixels[0] = 0x77;  // one pixel of a third colour
  const std::vector<RunImage> frames = packed(images);
  EXPECT_THAT(palette_of(frames), testing::UnorderedElementsAre(0x102030u, 0xFFEEDDu, 0x772030u));
}

TEST(Gif, ManyColoursBecomeThoseThatAreNear) {
  Image image{256, 64, 4, {}};
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 256; ++x)
      image.pixels.insert(image.pixels.end(),
                          {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(4 * y), 90, 255});
  }
  const std::vector<RunImage> frames = packed({image});
  const std::vector<std::uint32_t> palette = palette_of(frames);
  EXPECT_EQ(palette.size(), 256u);
  int worst = 0;
  for (std::size_t i = 0; i < image.pixels.size(); i += 4) {
    int least = 1 << 30;
    for (const std::uint32_t color : palette) {
      int far = 0;
      for (std::size_t c = 0; c < 3; ++c)
        far = std::max(far,
                       std::abs(static_cast<int>(color >> (16 - 8 * c) & 0xFF) - int(image.pixels[i + c])));
      least = std::min(least, far);
    }
    worst = std::max(worst, least);
  }
  EXPECT_LE(worst, 16) << "a grid of 16 × 16 boxes";
}

TEST(Gif, ImageMagickReadsEveryFrame) {
  if (const auto missing = tests::missing_tool("identify"); !missing.empty()) GTEST_SKIP() << missing;
  std::vector<RunImage> frames;
  for (std::uint32_t i = 0; i < 30; ++i) frames.emplace_back(filled(20, 10, i * 0x040302));
  const std::string comment(600, 'c');  // longer than one block
  const auto bytes = encode_gif(frames, 1.0 / 30, comment);
  ASSERT_TRUE(bytes) << bytes.error();
  const tests::ScratchFolder folder;
  const std::string path = (folder / "a.gif").string();
  ASSERT_TRUE(write_file(path, *bytes));
  const auto outcome = tests::run_tool({"identify", "-format", "%w×%h %T %[pixel:p{3,3}]\n", path});
  EXPECT_EQ(outcome.status, 0) << outcome.message;
  int lines = 0, hundredths = 0;
  for (std::size_t at = 0; at < outcome.message.size(); at = outcome.message.find('\n', at) + 1, ++lines) {
    const std::string line = outcome.message.substr(at, outcome.message.find('\n', at) - at);
    EXPECT_EQ(line.substr(0, 7), "20×10 ") << line;
    hundredths += std::stoi(line.substr(7));
    const int n = lines;
    const std::string wanted =
        "(" + std::to_string(4 * n) + "," + std::to_string(3 * n) + "," + std::to_string(2 * n);
    EXPECT_THAT(line,
                testing::AnyOf(testing::HasSubstr(wanted), testing::HasSubstr(n == 0 ? "black" : wanted)))
        << n;
  }
  EXPECT_EQ(lines, 30);
  EXPECT_EQ(hundredths, 100) << "rounded, and right in sum";
  EXPECT_THAT(*bytes, testing::HasSubstr("NETSCAPE2.0")) << "it repeats";
  EXPECT_EQ(tests::run_tool({"identify", "-format", "%c", path + "[0]"}).message, comment);
  EXPECT_EQ(*gif_comment(*bytes, "a.gif"), comment);
}

TEST(Gif, IsStoppedBetweenFrames) {
  const std::vector<RunImage> frames = packed({filled(2, 2, 1), filled(2, 2, 2), filled(2, 2, 3)});
  std::vector<float> fractions;
  const auto stopped = encode_gif(frames, 0.1, {}, [&](float fraction) {
    fractions.push_back(fraction);
    return fractions.size() < 2;
  });
  ASSERT_FALSE(stopped);
  EXPECT_THAT(stopped.error(), testing::HasSubstr("cancelled"));
  EXPECT_THAT(fractions, testing::ElementsAre(1.f / 3, 2.f / 3));
}

TEST(Gif, NothingAndTooMuchAreErrors) {
  EXPECT_THAT(encode_gif({}, 0.1).error(), testing::HasSubstr("at least one frame"));
  const std::vector<RunImage> wide = packed({Image{70000, 1, 4, std::vector<std::uint8_t>(280000)}});
  EXPECT_THAT(encode_gif(wide, 0.1).error(), testing::HasSubstr("70000 × 1"));
}

TEST(Gif, ACommentIsFoundBehindImagesOfAnySize) {
  const std::string zero(1, '\0');
  const std::string head = "GIF89a" + std::string("\xFF\xFF\xFF\xFF\0\0\0", 7);
  // 65535 × 65535 pixels of which there are none, and colours of its own
  const std::string image = "," + zero + zero + zero + zero + "\xFF\xFF\xFF\xFF" + "\x80" +
                            std::string(6, 'c') + "\x02" + "\x01" + "x" + zero;
  const std::string comment = "!\xFE\x05" + std::string("made ") + "\x02" + "it" + zero;
  std::string many = head;
  for (int i = 0; i < 1000; ++i) many += image;
  EXPECT_EQ(*gif_comment(many + comment + ";", "a.gif", "made"), "made it");
  EXPECT_EQ(*gif_comment(many + comment + ";", "a.gif", "else"), "");
  for (std::size_t size = 0; size < head.size() + image.size() + comment.size(); ++size) {
    const auto cut = gif_comment((head + image + comment).substr(0, size), "a.gif", "made");
    EXPECT_FALSE(cut) << size;
  }
}

}  // namespace
}  // namespace headlight::io
