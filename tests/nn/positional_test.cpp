#include "nn/positional.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace headlight::nn {
namespace {

base::Parallel& two_threads() {
  static base::Parallel parallel(2);
  return parallel;
}

Matrix positions(const PositionalSpec& spec) {
  Matrix p;
  sinusoidal(spec, two_threads(), p);
  return p;
}

/// The definition with 64 bits of mantissa where the machine has them.
long double exact(const PositionalSpec& spec, int row, int col) {
  const long double omega = static_cast<long double>(std::pow(spec.base, -2.0 * (col / 2) / spec.width));
  const long double angle = static_cast<long double>(spec.offset + row) * omega;
  return col % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

TEST(Frequencies, FallGeometrically) {
  EXPECT_EQ(frequencies(1, 10000), std::vector<double>{1});
  const std::vector<double> omega = frequencies(4, 10000);
  ASSERT_EQ(omega.size(), 2u);
  EXPECT_DOUBLE_EQ(omega[0], 1);
  EXPECT_DOUBLE_EQ(omega[1], 0.01);
  EXPECT_EQ(frequencies(5, 100).size(), 3u);
  EXPECT_DOUBLE_EQ(frequencies(5, 100)[1], std::pow(100.0, -0.4));
}

TEST(Sinusoidal, ErrorAtMostTwoTenMillionths) {
  double largest = 0, largest_f64 = 0;
  for (int width : {1, 2, 3, 7, 16, 32, 33, 50, 64, 130}) {
    for (double base : {10000.0, 2.0, 1.0, 0.01, 1e6}) {
      for (long offset : {0L, 1L, 777L, 123456L, 1000000L, -5000L}) {
        const PositionalSpec spec{2600, width, base, offset};
        const Matrix p = positions(spec);
        ASSERT_EQ(p.rows(), 2600);
        ASSERT_EQ(p.cols(), width);
        for (int row : {0, 1, 2, 3, 4, 5, 63, 64, 1022, 1023, 1024, 1025, 2047, 2048, 2598, 2599}) {
          for (int col = 0; col < width; ++col) {
            const double error =
                std::fabs(static_cast<double>(p.at(row, col)) - static_cast<double>(exact(spec, row, col)));
            largest = std::max(largest, error);
            ASSERT_LE(error, 2e-7) << "width " << width << " base " << base << " offset " << offset << " row "
                                   << row << " column " << col;
          }
        }
      }
    }
  }
  const PositionalSpec far{40, 31, 10000, 1000000};
  const MatrixF64 p = sinusoidal_f64(far);
  for (int row = 0; row < 40; ++row) {
    for (int col = 0; col < 31; ++col) {
      largest_f64 =
          std::max(largest_f64, std::fabs(p.at(row, col) - static_cast<double>(exact(far, row, col))));
    }
  }
  EXPECT_LE(largest_f64, 1e-13);  // as good as the angle of exact()
  RecordProperty("largest_error", std::to_string(largest));
}

// The matrix large enough to be written past the caches, and one that is no whole number of blocks.
TEST(Sinusoidal, LargeMatrix) {
  const PositionalSpec spec{20011, 256, 10000, 17};
  const Matrix p = positions(spec);
  for (int row = 0; row < spec.length; row += 331) {
    for (int col = 0; col < spec.width; ++col) {
      ASSERT_NEAR(static_cast<double>(p.at(row, col)), static_cast<double>(exact(spec, row, col)), 2e-7);
    }
  }
}

TEST(Sinusoidal, ThreadsDoNotMatter) {
  base::Parallel one(1), seven(7);
  const PositionalSpec spec{5000, 33, 10000, 5};
  Matrix a, b;
  sinusoidal(spec, one, a);
  sinusoidal(spec, seven, b);
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(float)), 0);
}

TEST(Sinusoidal, NoRows) {
  EXPECT_TRUE(positions({0, 8, 10000, 0}).empty());
}

TEST(Rotation, MovesOnePositionToAnother) {
  for (double omega : {1.0, 0.3, 1e-4}) {
    for (double delta : {0.0, 1.0, -7.0, 1000.0}) {
      const Rotation r = rotation(delta, omega);
      const double s = std::sin(12 * omega), c = std::cos(12 * omega);
      EXPECT_NEAR(r[0][0] * s + r[0][1] * c, std::sin((12 + delta) * omega), 1e-13);
      EXPECT_NEAR(r[1][0] * s + r[1][1] * c, std::cos((12 + delta) * omega), 1e-13);
      EXPECT_NEAR(r[0][0] * r[1][1] - r[0][1] * r[1][0], 1, 1e-15);
    }
  }
}

TEST(RotationResidual, IsTheRoundingOfP) {
  const PositionalSpec spec{200, 16, 10000, 3};
  const std::vector<double> omega = frequencies(16, 10000);
  Matrix p = positions(spec);
  for (int delta : {-199, -3, 0, 1, 50, 199}) {
    for (int pair = 0; pair < 8; ++pair) {
      EXPECT_LE(rotation_residual(p, delta, omega[static_cast<std::size_t>(pair)], pair), 2.5e-7);
    }
  }
  EXPECT_EQ(rotation_residual(p, 200, 1, 0), 0);
  EXPECT_EQ(rotation_residual(p, std::numeric_limits<int>::min(), 1, 0), 0);
  p.at(100, 4) += 0.5f;
  EXPECT_NEAR(rotation_residual(p, 7, omega[2], 2), 0.5, 1e-6);
  EXPECT_LE(rotation_residual(p, 7, omega[3], 3), 2.5e-7);
}

TEST(NearestRows, AgreeWithAllPairs) {
  std::mt19937 generator(3);
  std::normal_distribution<float> normal;
  for (int width : {1, 5, 32, 67}) {
    Matrix p(75, width);
    for (float& v : p.values()) v = normal(generator);
    std::copy(p.row(70).begin(), p.row(70).end(), p.row(20).begin());  // twins
    const std::vector<NearestRow> nearest = nearest_rows(p, two_threads());
    ASSERT_EQ(nearest.size(), 75u);
    for (int i = 0; i < 75; ++i) {
      int row = -1;
      double smallest = std::numeric_limits<double>::infinity();
      for (int j = 0; j < 75; ++j) {
        double sum = 0;
        for (int c = 0; c < width; ++c) {
          const double d = static_cast<double>(p.at(i, c)) - static_cast<double>(p.at(j, c));
          sum += d * d;
        }
        if (j != i && sum < smallest) smallest = sum, row = j;
      }
      EXPECT_EQ(nearest[static_cast<std::size_t>(i)].row, row);
      EXPECT_NEAR(nearest[static_cast<std::size_t>(i)].distance, std::sqrt(smallest), 1e-12);
    }
    EXPECT_EQ(nearest[20].row, 70);
    EXPECT_EQ(nearest[20].distance, 0);
  }
}

TEST(NearestRows, NoneAndOne) {
  EXPECT_TRUE(nearest_rows(Matrix(0, 4), two_threads()).empty());
  const std::vector<NearestRow> one = nearest_rows(Matrix(1, 4), two_threads());
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].row, -1);
  EXPECT_EQ(one[0].distance, 0);
}

// p_i · p_j = Σ cos((i − j) ω): the same for every i.
TEST(DotByDistance, DependsOnTheDistanceAlone) {
  const Matrix p = positions({60, 32, 10000, 400});
  const std::vector<double> omega = frequencies(32, 10000);
  for (int from : {0, 13, 59}) {
    const std::vector<double> dots = dot_by_distance(p, from);
    ASSERT_EQ(dots.size(), static_cast<std::size_t>(60 - from));
    for (std::size_t delta = 0; delta < dots.size(); ++delta) {
      double sum = 0;
      for (double w : omega) sum += std::cos(static_cast<double>(delta) * w);
      EXPECT_NEAR(dots[delta], sum, 2e-6);
    }
  }
}

}  // namespace
}  // namespace headlight::nn
