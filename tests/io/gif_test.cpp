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

TEST(Gif, AFewColoursAreKeptExactly) {
  std::vector<Image> frames = {filled(4, 4, 0x102030), filled(4, 4, 0xFFEEDD)};
  frames[0].pixels[0] = 0x77;  // one pixel of a third colour
  EXPECT_THAT(palette_of(frames), testing::UnorderedElementsAre(0x102030u, 0xFFEEDDu, 0x772030u));
}

TEST(Gif, ManyColoursBecomeThoseThatAreNear) {
  Image image{256, 64, 4, {}};
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 256; ++x)
      image.pixels.insert(image.pixels.end(),
                          {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(4 * y), 90, 255});
  }
  const std::vector<Image> frames = {image};
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
  std::vector<Image> frames;
  for (std::uint32_t i = 0; i < 30; ++i) frames.push_back(filled(20, 10, i * 0x040302));
  const auto bytes = encode_gif(frames, 1.0 / 30);
  ASSERT_TRUE(bytes) << bytes.error();
  const tests::ScratchFolder folder;
  const std::string path = (folder / "a.gif").string();
  ASSERT_TRUE(write_file(path, *bytes));
  const auto outcome = tests::run_tool({"identify", "-format", "%w×%h %T %[pixel:p{3,3}]\n", path});
  EXPECT_EQ(outcome.status, 0) << outcome.said;
  int lines = 0, hundredths = 0;
  for (std::size_t at = 0; at < outcome.said.size(); at = outcome.said.find('\n', at) + 1, ++lines) {
    const std::string line = outcome.said.substr(at, outcome.said.find('\n', at) - at);
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
}

TEST(Gif, NothingAndTooMuchAreErrors) {
  EXPECT_THAT(encode_gif({}, 0.1).error(), testing::HasSubstr("at least one frame"));
  const std::vector<Image> wide = {Image{70000, 1, 4, std::vector<std::uint8_t>(280000)}};
  EXPECT_THAT(encode_gif(wide, 0.1).error(), testing::HasSubstr("70000 × 1"));
}

}  // namespace
}  // namespace headlight::io
