#include "io/png.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include "io/deflate.h"

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
    EXPECT_THAT(read.error(), testing::StartsWith("cut.png: invalid PNG file: "));
  }
  EXPECT_FALSE(decode_png("this is text, not a picture at all", "x.png"));
}

std::string big_endian(std::size_t n) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(n >> shift & 0xFF);
  return out;
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto sum = ::crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return big_endian(data.size()) + body + big_endian(sum);
}

/// A picture of any size that has next to no bytes.
std::string claiming(std::size_t side, const std::string& more = "") {
  return "\x89PNG\r\n\x1a\n" +
         chunk("IHDR", big_endian(side) + big_endian(side) + std::string("\x8\x6\0\0\0", 5)) + more +
         chunk("IDAT", deflated("")) + chunk("IEND", "");
}

TEST(Png, MorePixelsThanTheBytesCanHoldAreRefusedBeforeTheyAreAllocated) {
  for (const std::size_t side : {200u, 40000u, 1000000u}) {
    const auto read = decode_png(claiming(side), "bomb.png");
    ASSERT_FALSE(read) << side;
    EXPECT_THAT(read.error(), testing::HasSubstr("it declares more pixels than its data can hold")) << side;
  }
  const Image blank{3000, 3000, 4, std::vector<std::uint8_t>(36'000'000)};
  EXPECT_EQ(decode_png(*encode_png(blank), "blank.png")->image.pixels.size(), blank.pixels.size())
      << "what packs best is no bomb";
}

TEST(Png, ATextIsFoundWithoutAPixel) {
  const std::string zero(1, '\0'), message = "{\"heads\": 4}";
  const std::string others = chunk("tEXt", "Software" + zero + "x") + chunk("tEXt", "no keyword");
  for (const std::string& text :
       {chunk("tEXt", "headlight" + zero + message),
        chunk("zTXt", "headlight" + zero + zero + deflated(message)),
        chunk("iTXt", "headlight" + zero + zero + zero + "de" + zero + "Wort" + zero + message),
        chunk("iTXt", "headlight" + zero + "\1" + zero + zero + zero + deflated(message))}) {
    EXPECT_EQ(*text_in_png(claiming(40000, others + text), "a.png", "headlight"), message)
        << text.substr(4, 4);
  }
  EXPECT_EQ(*text_in_png(claiming(5, others), "a.png", "headlight"), "");
  const auto written = encode_png(picture(9, 9, 4), {{"headlight", "die Katze saß"}, {"Software", "x"}});
  EXPECT_EQ(*text_in_png(*written, "a.png", "headlight"), "die Katze saß");
}

TEST(Png, ATextThatUnpacksToTooMuchIsRefused) {
  const std::string zero(1, '\0'), bomb = deflated(std::string(5'000'000, ' '));
  const std::string packed = chunk("zTXt", "headlight" + zero + zero + bomb);
  EXPECT_THAT(text_in_png(claiming(1, packed), "b.png", "headlight", 1'000'000).error(),
              testing::HasSubstr("b.png: invalid PNG file: its text \"headlight\": it is larger than"));
  EXPECT_EQ(*text_in_png(claiming(1, chunk("zTXt", "other" + zero + zero + bomb) +
                                         chunk("tEXt", "headlight" + zero + "{}")),
                         "b.png", "headlight", 10),
            "{}")
      << "the texts of others are not unpacked";
  EXPECT_FALSE(text_in_png(claiming(1, chunk("iTXt", "headlight" + zero)), "b.png", "headlight"));
}

TEST(Png, ATextOfACutFileIsFoundOrAnError) {
  const std::string bytes = *encode_png(picture(9, 9, 4), {{"headlight", "{}"}});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto text = text_in_png(bytes.substr(0, size), "cut.png", "headlight");
    if (text) {
      EXPECT_EQ(*text, "{}") << size;
    } else {
      EXPECT_THAT(text.error(), testing::StartsWith("cut.png: invalid PNG file: "));
    }
  }
}

}  // namespace
}  // namespace headlight::io
