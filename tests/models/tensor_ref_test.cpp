#include "kernels/tensor_ref.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "io/file_bytes.h"
#include "kernels/flush.h"
#include "models/tensor_set.h"
#include "network/network_parts.h"

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

/// The same bytes, which have to be read.
class ReadOnly final : public nn::WeightBytes {
 public:
  explicit ReadOnly(std::shared_ptr<const nn::WeightBytes> bytes) : bytes_(std::move(bytes)) {}
  base::Status read(std::uint64_t begin, std::size_t bytes, std::byte* to) const override {
    return bytes_->read(begin, bytes, to);
  }
  const std::string& name() const override { return bytes_->name(); }

 private:
  std::shared_ptr<const nn::WeightBytes> bytes_;
};

/// In memory, that changed meanwhile.
class Changed final : public nn::WeightBytes {
 public:
  explicit Changed(std::shared_ptr<const nn::WeightBytes> bytes) : bytes_(std::move(bytes)) {}
  base::Status read(std::uint64_t, std::size_t, std::byte*) const override { return unchanged(); }
  const std::byte* in_memory(std::uint64_t begin, std::size_t bytes) const override {
    return bytes_->in_memory(begin, bytes);
  }
  base::Status unchanged() const override { return base::Error{"it has changed"}; }
  const std::string& name() const override { return bytes_->name(); }

 private:
  std::shared_ptr<const nn::WeightBytes> bytes_;
};

/// A product is the same to the bit whether the weights lie in memory or are read, for one row of x, for few
/// and for many; and it is the sum that it should be.
TEST(TensorRef, AProductIsTheSameWhereverTheWeightsLie) {
  base::Parallel parallel(2);
  constexpr int in = 203, out = 150;
  for (const bool by_rows : {true, false}) {
    for (const int beside : {0, 5}) {
      nn::TensorRef w = by_rows ? counting(out, in + beside) : counting(in, out + beside);
      w.rows = out, w.cols = in;
      if (!by_rows) w.row_step = 1, w.col_step = out + beside;
      for (const int T : {1, 2, 8, 9, 40}) {
        nn::Matrix x(T, in);
        for (std::size_t i = 0; i < x.size(); ++i)
          x.data()[i] = std::sin(static_cast<float>(i) * 0.7f) * 0.01f;
        nn::LinearRef linear;
        linear.w = w;
        nn::Matrix in_memory, read;
        ASSERT_TRUE(nn::apply(linear, x, parallel, in_memory));
        linear.w.bytes = std::make_shared<ReadOnly>(w.bytes);
        ASSERT_TRUE(nn::apply(linear, x, parallel, read));
        for (int t = 0; t < T; ++t) {
          for (int r = 0; r < out; ++r) {
            ASSERT_EQ(in_memory.at(t, r), read.at(t, r)) << by_rows << " " << beside << " " << T;
            double want = 0;
            for (int c = 0; c < in; ++c)
              want += static_cast<double>(x.at(t, c)) * static_cast<double>(r * w.row_step + c * w.col_step);
            ASSERT_NEAR(static_cast<double>(in_memory.at(t, r)), want, 0.05);
          }
        }
        linear.w.bytes = std::make_shared<Changed>(w.bytes);
        EXPECT_EQ(nn::apply(linear, x, parallel, read).error(), "it has changed");
      }
    }
  }
}

}  // namespace
}  // namespace headlight::tests
