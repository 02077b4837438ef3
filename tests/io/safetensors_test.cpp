// Tensors in and out of one file: what is written comes back, what others write is read, what is broken is
// named.
#include "io/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "support/scratch_folder.h"

namespace headlight::io::safetensors_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A file by hand: header text and data.
std::string file_of(const std::string& header, const std::string& data) {
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

std::string error_of(const std::string& bytes) {
  const auto file = read_safetensors(bytes, "m.safetensors");
  EXPECT_FALSE(file);
  const std::string error = file ? "" : file.error();
  EXPECT_THAT(error, HasSubstr("m.safetensors"));
  EXPECT_EQ(error.find('\n'), std::string::npos);
  return error;
}

TEST(Safetensors, ComesBackAsItWasWritten) {
  const std::vector<float> a = {1, -2, 3.5f, 0, 1e-30f, -0.0f}, b = {7};
  const std::string bytes = write_safetensors(
      {{"a", {2, 3}, a, {}}, {"empty", {0, 4}, {}, {}}, {"b", {}, b, {}}}, {{"note", "ψ \"quoted\"\n"}});
  const auto file = read_safetensors(bytes, "x");
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(file->tensors.at("a").values, a);
  EXPECT_THAT(file->tensors.at("a").shape, ElementsAre(2u, 3u));
  EXPECT_TRUE(file->tensors.at("empty").values.empty());
  EXPECT_EQ(file->tensors.at("b").values, b);
  EXPECT_EQ(file->metadata.at("note"), "ψ \"quoted\"\n");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ((8 + length) % 8, 0u);  // so that the data of others' readers is aligned
}

TEST(Safetensors, HalfPrecisionIsWidened) {
  // 1, −2, the smallest subnormal, the largest number, infinity as F16; 1 and −3 as BF16.
  const std::string f16("\x00\x3C\x00\xC0\x01\x00\xFF\x7B\x00\x7C", 10), bf16("\x80\x3F\x40\xC0", 4);
  const auto file = read_safetensors(
      file_of(
          R"({"h":{"dtype":"F16","shape":[5],"data_offsets":[0,10]},"b":{"dtype":"BF16","shape":[2],"data_offsets":[10,14]}})",
          f16 + bf16),
      "x");
  ASSERT_TRUE(file) << file.error();
  EXPECT_THAT(file->tensors.at("h").values, ElementsAre(1.0f, -2.0f, 0x1p-24f, 65504.0f, HUGE_VALF));
  EXPECT_THAT(file->tensors.at("b").values, ElementsAre(1.0f, -3.0f));
}

/// Every number that float16 has comes back; between two neighbours the nearer one is taken, in the middle
/// the even one. 65504 is the largest.
TEST(Safetensors, HalvesAreWrittenToTheNearest) {
  std::vector<float> halves;  // by their bits: 0, the smallest subnormal, …, 65504
  for (int exponent = 0; exponent < 31; ++exponent) {
    for (int fraction = 0; fraction < 1024; ++fraction)
      halves.push_back(std::ldexp(static_cast<float>(exponent == 0 ? fraction : 1024 + fraction),
                                  std::max(exponent, 1) - 25));
  }
  std::vector<float> values, wanted;
  const auto expect = [&](float value, float half) {
    for (const float sign : {1.0f, -1.0f}) values.push_back(sign * value), wanted.push_back(sign * half);
  };
  for (std::size_t n = 0; n + 1 < halves.size(); ++n) {
    const float low = halves[n], high = halves[n + 1], middle = low + (high - low) / 2;
    expect(low, low);
    expect(middle, n % 2 == 0 ? low : high);
    expect(std::nextafter(middle, 0.0f), low);
    expect(std::nextafter(middle, 1e9f), high);
  }
  expect(65504, 65504), expect(std::nextafter(65520.0f, 0.0f), 65504), expect(1e-30f, 0);
  const auto bytes =
      write_safetensors_f16({{"a", {values.size()}, values, {}}, {"empty", {0}, {}, {}}}, {{"note", "x"}});
  ASSERT_TRUE(bytes) << bytes.error();
  const auto file = read_safetensors(*bytes, "x");
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(file->metadata.at("note"), "x");
  const std::vector<float>& read = file->tensors.at("a").values;
  ASSERT_EQ(read.size(), wanted.size());
  for (std::size_t n = 0; n < read.size(); ++n)
    ASSERT_TRUE(read[n] == wanted[n] && std::signbit(read[n]) == std::signbit(wanted[n])) << values[n];
  EXPECT_LT(bytes->size(), 2 * values.size() + 400);
}

TEST(Safetensors, WhatAHalfCannotHoldIsAnError) {
  for (const float bad : {65520.0f, -1e6f, HUGE_VALF, std::nanf("")}) {
    const std::vector<float> good = {1}, values = {2, bad};
    const auto bytes = write_safetensors_f16({{"good", {1}, good, {}}, {"layer0_w", {2}, values, {}}}, {});
    ASSERT_FALSE(bytes) << bad;
    EXPECT_THAT(bytes.error(), HasSubstr("\"layer0_w\" has a number that float16 cannot hold"));
    EXPECT_THAT(bytes.error(), HasSubstr("element 1"));
  }
}

TEST(Safetensors, OtherTypesAreLeftOut) {
  const auto file = read_safetensors(
      file_of(R"({"ids":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", std::string(8, '\1')), "x");
  ASSERT_TRUE(file) << file.error();
  EXPECT_TRUE(file->tensors.empty());
}

/// Elements of four and six bits share bytes: their shapes are larger than the file, which is whole.
TEST(Safetensors, TypesOfLessThanAByteAreNotTakenForATruncatedFile) {
  const auto of = [](const std::string& type, int count, std::size_t bytes) {
    return file_of(R"({"a":{"dtype":")" + type + R"(","shape":[)" + std::to_string(count) +
                       R"(],"data_offsets":[0,)" + std::to_string(bytes) + "]}}",
                   std::string(bytes, '\0'));
  };
  for (const std::string& bytes :
       {of("F4", 8, 4), of("F6_E2M3", 4, 3), of("F6_E3M2", 8, 6), of("F8_E8M0", 3, 3)}) {
    const auto file = read_safetensors(bytes, "x");
    ASSERT_TRUE(file) << file.error();
    EXPECT_TRUE(file->tensors.empty());
  }
  EXPECT_THAT(error_of(of("F4", 3, 2)), HasSubstr("12 bits, which are not whole bytes"));
  EXPECT_THAT(error_of(of("F4", 6, 4)), HasSubstr("its shape and type need 3"));
  EXPECT_THAT(error_of(of("F4", 9, 4)), HasSubstr("truncated"));
  EXPECT_THAT(error_of(of("F8_E4M3", 5, 4)), HasSubstr("truncated"));
  EXPECT_THAT(
      error_of(of("F1", 64, 4)),
      HasSubstr("tensor \"a\" has the dtype \"F1\", which is not supported; supported are F32, F16, BF16"));
}

TEST(Safetensors, SaysWhatIsBroken) {
  const std::string four(4, '\0');
  EXPECT_THAT(error_of(""), HasSubstr("too short"));
  EXPECT_THAT(error_of(std::string(8, '\xFF')), HasSubstr("header"));
  EXPECT_THAT(error_of(file_of("[1]", "")), HasSubstr("JSON object"));
  EXPECT_THAT(error_of(file_of("{\"a\":", "")), HasSubstr("unexpected end"));
  EXPECT_THAT(error_of(file_of(R"({"a":{"dtype":"F32"}})", four)), HasSubstr("\"a\""));
  EXPECT_THAT(error_of(file_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", four)),
              HasSubstr("truncated"));
  EXPECT_THAT(error_of(file_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", four)),
              HasSubstr("need 8"));
  EXPECT_THAT(error_of(file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", four + four)),
              HasSubstr("starts at byte 4"));
  EXPECT_THAT(error_of(file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", four + four)),
              HasSubstr("after the last"));
  EXPECT_THAT(error_of(file_of(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", four)),
              HasSubstr("whole numbers"));
  EXPECT_THAT(error_of(file_of(
                  R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})", four)),
              HasSubstr("larger than the data of the file"));
  EXPECT_THAT(
      error_of(file_of(
          R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
          four)),
      HasSubstr("expected 4"));
  EXPECT_THAT(error_of(file_of(R"({"__metadata__":{"a":1}})", "")), HasSubstr("__metadata__"));
}

TEST(Safetensors, EveryCutAndEveryChangedByteIsAnswered) {
  const std::vector<float> a = {1, 2, 3, 4};
  const std::string bytes = write_safetensors({{"a", {4}, a, {}}}, {{"k", "v"}});
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(read_safetensors(bytes.substr(0, n), "x")) << n;
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    std::string changed = bytes;
    changed[n] = static_cast<char>(changed[n] ^ 0x15);
    (void)read_safetensors(changed, "x");  // any answer, no crash
  }
}

TEST(Safetensors, AFileThatIsNotThereIsNamed) {
  const tests::ScratchFolder folder;
  const auto file = load_safetensors(folder / "none.safetensors");
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error(), HasSubstr("none.safetensors"));
}

}  // namespace
}  // namespace headlight::io::safetensors_test
