#include "nn/tensor_ref.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "io/file_bytes.h"
#include "models/tensor_set.h"
#include "nn/flush.h"

namespace headlight::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

nn::TensorRef of_numbers(const std::vector<float>& numbers) {
  std::string bytes(numbers.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  nn::TensorRef out;
  out.bytes = std::make_shared<io::MemoryBytes>(bytes, "some.file"), out.name = "w";
  return out;
}

/// 0, 1, 2, … as a matrix that is stored in C order.
nn::TensorRef counting(int rows, int cols) {
  std::vector<float> numbers(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  nn::TensorRef out = of_numbers(numbers);
  out.rows = rows, out.cols = cols, out.row_step = cols;
  return out;
}

TEST(TensorRef, EveryFloat16IsWidenedExactlyWhateverTheProcessorFlushes) {
  for (const bool flushed : {false, true}) {
    std::optional<nn::FlushSubnormals> flush;
    if (flushed) flush.emplace();
    for (unsigned bits = 0; bits < 65536; ++bits) {
      const auto half = static_cast<std::uint16_t>(bits);
      const int exponent = bits >> 10 & 31;
      const double fraction = bits & 1023, sign = bits & 0x8000 ? -1 : 1;
      float got = 0;
      const bool finite = nn::widen(nn::ElementType::f16, reinterpret_cast<const std::byte*>(&half), 1, &got);
      ASSERT_EQ(finite, exponent != 31) << bits;
      if (exponent == 31) {
        ASSERT_EQ(std::isnan(got), fraction != 0) << bits;
        continue;
      }
      const double expected =
          exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1 + fraction / 1024, exponent - 15);
      ASSERT_EQ(static_cast<double>(got), sign * expected) << bits;
    }
  }
}

TEST(TensorRef, RowsAndColumnsInBothLayouts) {
  const nn::TensorRef w = counting(3, 4);
  std::vector<float> got(8);
  ASSERT_TRUE(nn::read_rows(w, 1, 3, got.data()));
  EXPECT_THAT(got, ElementsAre(4, 5, 6, 7, 8, 9, 10, 11));
  nn::TensorRef turned = counting(4, 3);  // the same numbers as [in, out]: 3 outputs of 4 inputs
  turned.rows = 3, turned.cols = 4, turned.row_step = 1, turned.col_step = 3;
  got.resize(6);
  ASSERT_TRUE(nn::read_columns(turned, 2, 4, got.data()));
  EXPECT_THAT(got, ElementsAre(6, 7, 8, 9, 10, 11));
}

TEST(TensorRef, PartsOfAFusedMatrix) {
  const nn::TensorRef conv = [] {
    nn::TensorRef out = counting(2, 6);  // [in 2, out 6]
    out.rows = 6, out.cols = 2, out.row_step = 1, out.col_step = 6;
    return out;
  }();
  std::vector<float> got(4);
  ASSERT_TRUE(nn::read_columns(models::rows_of(conv, 2, 2), 0, 2, got.data()));
  EXPECT_THAT(got, ElementsAre(2, 3, 8, 9));
  // Two heads of two rows each: q, k, v of head 0, then of head 1.
  const nn::TensorRef k = models::part_of_heads(counting(12, 1), 1, 3, 2);
  EXPECT_EQ(k.rows, 4);
  ASSERT_TRUE(nn::read_rows(k, 0, 4, got.data()));
  EXPECT_THAT(got, ElementsAre(2, 3, 8, 9));
  ASSERT_TRUE(nn::read_rows(k, 1, 3, got.data()));
  EXPECT_THAT(std::vector<float>(got.begin(), got.begin() + 2), ElementsAre(3, 8));
}

TEST(TensorRef, NumbersThatAreNotFiniteAreNamed) {
  nn::TensorRef w = of_numbers({1, 2, std::numeric_limits<float>::quiet_NaN(), 4});
  w.rows = 4, w.cols = 1;
  const base::Status status = nn::check_finite(w);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error(), HasSubstr("some.file: tensor \"w\""));
  w.rows = 5;
  EXPECT_THAT(nn::check_finite(w).error(), HasSubstr("past its end"));
}

}  // namespace
}  // namespace headlight::tests
