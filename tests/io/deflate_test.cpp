#include "io/deflate.h"

#include <gtest/gtest.h>

namespace headlight::io {
namespace {

constexpr std::size_t plenty = 1 << 20;

TEST(Deflate, BytesComeBack) {
  std::string every;
  for (int i = 0; i < 3000; ++i) every += static_cast<char>(i * 7919 >> 3 & 255);
  for (const std::string& bytes : {std::string(), std::string("a"), std::string(200000, 'x'), every}) {
    const base::Result<std::string> back = inflated(deflated(bytes), plenty);
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(*back, bytes);
  }
  EXPECT_LT(deflated(std::string(200000, 'x')).size(), 1000u);
}

TEST(Deflate, ItIsZlibsFormat) {
  // RFC 1950: the checksum of the bytes ends the stream. Adler-32, counted here by its definition.
  const std::string bytes = "the cat sat on the mat", packed = deflated(bytes);
  unsigned a = 1, b = 0;
  for (const char c : bytes) a = (a + static_cast<unsigned char>(c)) % 65521, b = (b + a) % 65521;
  ASSERT_GT(packed.size(), 6u);
  unsigned written = 0;
  for (std::size_t i = packed.size() - 4; i < packed.size(); ++i)
    written = written << 8 | static_cast<unsigned char>(packed[i]);
  EXPECT_EQ(written, b << 16 | a);
  EXPECT_EQ((static_cast<unsigned char>(packed[0]) * 256 + static_cast<unsigned char>(packed[1])) % 31, 0);
}

TEST(Deflate, WhatIsDamagedCutOrLengthenedIsRefused) {
  const std::string packed = deflated("the cat sat on the mat, and the dog sat beside the cat");
  for (std::size_t i = 0; i < packed.size(); ++i) {
    EXPECT_FALSE(inflated(packed.substr(0, i), plenty)) << i;
    std::string changed = packed;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    const base::Result<std::string> back = inflated(changed, plenty);
    EXPECT_TRUE(!back || *back == "the cat sat on the mat, and the dog sat beside the cat") << i;
  }
  EXPECT_EQ(inflated(packed + "x", plenty).error(), "it is damaged");
  EXPECT_EQ(inflated(packed.substr(0, packed.size() - 3), plenty).error(), "it ends unexpectedly");
}

TEST(Deflate, NothingUnpacksBeyondItsLimit) {
  const std::string packed = deflated(std::string(5 << 20, 'x'));
  EXPECT_EQ(inflated(packed, plenty).error(), "it is larger than 1048576 bytes");
}

}  // namespace
}  // namespace headlight::io
