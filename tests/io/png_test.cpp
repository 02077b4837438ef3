#include "io/png.h"

#include <gmock/gmock.h>

namespace headlight::io {
namespace {

Image picture(int width, int height, int channels) {
  Image image{width, height, channels, {}};
  for (int i = 0; i < width * height * channels; ++i)
    image.pixels.push_back(static_cast<std::uint8_t>(i * 37 + i / 11));
  return image;
}

TEST(Png, EveryPixelComesBack) {
  const Image image = picture(61, 43, 4);
  const auto bytes = encode_png(image);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->substr(0, 8), "\x89PNG\r\n\x1a\n");
  const auto read = decode_png(*bytes, "x.png");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->image, image);
  EXPECT_TRUE(read->metadata.empty());
}

TEST(Png, WithoutAlphaItIsOpaque) {
  const Image image = picture(5, 3, 3);
  const auto read = decode_png(*encode_png(image), "x.png");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->image.pixels.size(), 60u);
  for (std::size_t i = 0; i < 15; ++i) {
    EXPECT_EQ(read->image.pixels[i * 4], image.pixels[i * 3]);
    EXPECT_EQ(read->image.pixels[i * 4 + 1], image.pixels[i * 3 + 1]);
    EXPECT_EQ(read->image.pixels[i * 4 + 2], image.pixels[i * 3 + 2]);
    EXPECT_EQ(read->image.pixels[i * 4 + 3], 255);
  }
}

TEST(Png, MetadataComesBackInAnyLanguage) {
  const Metadata metadata = {{"Software", "headlight"}, {"Scene", "{\"sentence\": \"die Katze saß, 猫\"}"}};
  const auto bytes = encode_png(picture(1, 1, 4), metadata);
  ASSERT_TRUE(bytes);
  EXPECT_THAT(*bytes, testing::HasSubstr("tEXtSoftware"));
  EXPECT_THAT(*bytes, testing::HasSubstr("iTXtScene"));
  const auto read = decode_png(*bytes, "x.png");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->metadata, metadata);
}

TEST(Png, NoPixelsIsAnError) {
  EXPECT_THAT(encode_png({0, 5, 4, {}}).error(), testing::HasSubstr("0 × 5"));
}

TEST(Png, EveryTruncationAndWrongBytesAreErrors) {
  const std::string bytes = *encode_png(picture(9, 9, 4), {{"Software", "headlight"}});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto read = decode_png(bytes.substr(0, size), "cut.png");
    ASSERT_FALSE(read) << size;
    EXPECT_THAT(read.error(), testing::StartsWith("cut.png: not a sound PNG picture: "));
  }
  EXPECT_FALSE(decode_png("this is text, not a picture at all", "x.png"));
}

}  // namespace
}  // namespace headlight::io
