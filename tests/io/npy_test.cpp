#include "io/npy.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace headlight::io {
namespace {

std::string bytes_of(const auto& tensor) {
  std::string bytes;
  write_npy(tensor, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

/// What numpy.save writes before the elements: magic and version, the length, the dictionary, spaces, a line
/// break.
std::string header(const std::string& dictionary, int length) {
  std::string text = dictionary;
  text.append(static_cast<std::size_t>(length) - dictionary.size() - 1, ' ');
  const std::string magic("\x93NUMPY\x01\x00", 8);
  return magic + static_cast<char>(length & 255) + static_cast<char>(length >> 8) + text + "\n";
}

TEST(Npy, HeadersAreThoseOfNumPy) {
  EXPECT_EQ(npy_header("<f4", {107}),
            header("{'descr': '<f4', 'fortran_order': False, 'shape': (107,), }", 118));
  EXPECT_EQ(npy_header("<f8", {2, 3}),
            header("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", 118));
  EXPECT_EQ(npy_header("<f4", {}), header("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", 118));
  EXPECT_EQ(npy_header("<f4", {1, 4, 0, 8}),
            header("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4, 0, 8), }", 118));
}

TEST(Npy, TheDataStartAtAMultipleOf64WhateverTheShape) {
  for (std::size_t n = 1; n < 100000000000; n *= 10) {
    for (std::size_t rank = 0; rank < 9; ++rank) {
      const std::string bytes = npy_header("<f4", std::vector<std::size_t>(rank, n));
      EXPECT_EQ(bytes.size() % 64, 0u);
      EXPECT_EQ(bytes.back(), '\n');
      const auto length = static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
      EXPECT_EQ(bytes.size(), 10 + length);
    }
  }
}

TEST(Npy, ElementsFollowInCOrder) {
  const std::vector<float> values = {1, 2.5f, -3, 4, 5, 6e-30f};
  const std::string bytes = bytes_of(TensorView<float>{"x", {2, 3}, values, {}});
  ASSERT_EQ(bytes.size(), 128 + 24u);
  EXPECT_EQ(std::memcmp(bytes.data() + 128, values.data(), 24), 0);
  EXPECT_EQ(bytes.substr(128, 8),
            std::string("\x00\x00\x80\x3f\x00\x00\x20\x40", 8));  // 1 and 2.5, little-endian
}

TEST(Npy, WhatIsNotFiniteStaysBitForBit) {
  std::vector<float> values(4);
  const std::uint32_t bits[] = {0x7FC00000u, 0xFFC12345u, 0x7F800000u, 0xFF800000u};  // two NaN, ∞, −∞
  std::memcpy(values.data(), bits, sizeof bits);
  const std::string bytes = bytes_of(TensorView<float>{"x", {4}, values, {}});
  EXPECT_EQ(std::memcmp(bytes.data() + 128, bits, sizeof bits), 0);
}

TEST(Npy, DoublesToo) {
  const std::vector<double> values = {0.1};
  const std::string bytes = bytes_of(TensorView<double>{"x", {}, values, {}});
  EXPECT_THAT(bytes, testing::HasSubstr("'descr': '<f8'"));
  EXPECT_EQ(bytes.substr(128), std::string("\x9a\x99\x99\x99\x99\x99\xb9\x3f", 8));
}

TEST(NpyDeath, AShapeThatDoesNotFitStopsTheProgram) {
  const std::vector<float> values(5);
  EXPECT_DEATH((void)bytes_of(TensorView<float>{"x", {2, 3}, values, {}}), "6 against 5");
}

}  // namespace
}  // namespace headlight::io
