// The plane of largest variance, against eigenvectors by Jacobi rotations in double precision.
#include "nn/principal_plane.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "nn/random.h"

namespace headlight::nn {
namespace {

MatrixF64 random_points(int n, int d, std::uint64_t seed) {
  const Random random(seed, 3);
  MatrixF64 x(n, d);
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < d; ++c)  // components of different spread, and not independent
      x.at(i, c) = (1.0 + c) * static_cast<double>(random.normal(static_cast<std::uint64_t>(i * d + c))) +
                   (c > 0 ? 0.7 * x.at(i, c - 1) : 3.0);
  }
  return x;
}

struct Eigen2 {
  std::vector<double> values;
  MatrixF64 vectors;  // [d, d] by row
};

/// Jacobi 1846: a pair of components is turned until they do not covary, again and again.
Eigen2 jacobi(MatrixF64 a) {
  const int d = a.rows();
  MatrixF64 v(d, d);
  for (int i = 0; i < d; ++i) v.at(i, i) = 1;
  for (int sweep = 0; sweep < 60; ++sweep) {
    for (int p = 0; p < d; ++p) {
      for (int q = p + 1; q < d; ++q) {
        if (std::abs(a.at(p, q)) < 1e-300) continue;
        const double theta = 0.5 * std::atan2(2 * a.at(p, q), a.at(q, q) - a.at(p, p));
        const double c = std::cos(theta), s = std::sin(theta);
        for (int k = 0; k < d; ++k) {
          const double kp = a.at(k, p), kq = a.at(k, q);
          a.at(k, p) = c * kp - s * kq, a.at(k, q) = s * kp + c * kq;
        }
        for (int k = 0; k < d; ++k) {
          const double pk = a.at(p, k), qk = a.at(q, k);
          a.at(p, k) = c * pk - s * qk, a.at(q, k) = s * pk + c * qk;
        }
        for (int k = 0; k < d; ++k) {
          const double vp = v.at(p, k), vq = v.at(q, k);
          v.at(p, k) = c * vp - s * vq, v.at(q, k) = s * vp + c * vq;
        }
      }
    }
  }
  Eigen2 out{{}, v};
  for (int i = 0; i < d; ++i) out.values.push_back(a.at(i, i));
  return out;
}

TEST(PrincipalPlane, IsThatOfJacobiRotations) {
  for (const auto& [n, d] :
       {std::pair{40, 2}, std::pair{30, 8}, std::pair{9, 16}, std::pair{200, 32}, std::pair{80, 64}}) {
    SCOPED_TRACE(std::to_string(n) + " points of " + std::to_string(d));
    const MatrixF64 x = random_points(n, d, 11);
    const PrincipalPlane plane = principal_plane(x);
    std::vector<double> mean(static_cast<std::size_t>(d));
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < d; ++c) mean[static_cast<std::size_t>(c)] += x.at(i, c) / n;
    }
    MatrixF64 covariance(d, d);
    for (int i = 0; i < n; ++i) {
      for (int a = 0; a < d; ++a) {
        for (int b = 0; b < d; ++b)
          covariance.at(a, b) += (x.at(i, a) - mean[static_cast<std::size_t>(a)]) *
                                 (x.at(i, b) - mean[static_cast<std::size_t>(b)]) / n;
      }
    }
    const Eigen2 twin = jacobi(covariance);
    double whole = 0;
    for (const double value : twin.values) whole += value;
    std::vector<int> order(static_cast<std::size_t>(d));
    for (int i = 0; i < d; ++i) order[static_cast<std::size_t>(i)] = i;
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return twin.values[static_cast<std::size_t>(a)] > twin.values[static_cast<std::size_t>(b)];
    });
    for (int axis = 0; axis < 2; ++axis) {
      const int at = order[static_cast<std::size_t>(axis)];
      EXPECT_NEAR(plane.share[static_cast<std::size_t>(axis)],
                  twin.values[static_cast<std::size_t>(at)] / whole, 1e-10);
      double along = 0, length = 0;
      for (int c = 0; c < d; ++c) {
        along += plane.directions.at(axis, c) * twin.vectors.at(at, c);
        length += plane.directions.at(axis, c) * plane.directions.at(axis, c);
      }
      EXPECT_NEAR(std::abs(along), 1, 1e-8);
      EXPECT_NEAR(length, 1, 1e-12);
      // Points lie where the direction says, and their variance is the eigenvalue.
      double variance = 0;
      for (int i = 0; i < n; ++i) {
        double wanted = 0;
        for (int c = 0; c < d; ++c)
          wanted += plane.directions.at(axis, c) * (x.at(i, c) - mean[static_cast<std::size_t>(c)]);
        EXPECT_NEAR(plane.points.at(i, axis), wanted, 1e-9);
        variance += wanted * wanted / n;
      }
      EXPECT_NEAR(variance, twin.values[static_cast<std::size_t>(at)], 1e-8 * whole);
    }
  }
}

TEST(PrincipalPlane, PointsOnALineHaveOneAxis) {
  MatrixF64 x(9, 12);
  for (int i = 0; i < 9; ++i) {
    for (int c = 0; c < 12; ++c) x.at(i, c) = (i + 1) * (c - 3.0);
  }
  const PrincipalPlane plane = principal_plane(x);
  EXPECT_NEAR(plane.share[0], 1, 1e-12);
  EXPECT_NEAR(plane.share[1], 0, 1e-12);
  for (int c = 0; c < 12; ++c) EXPECT_NEAR(plane.directions.at(0, c), (c - 3) / std::sqrt(218), 1e-12);
  double across = 0, length = 0;
  for (int c = 0; c < 12; ++c) {
    across += plane.directions.at(0, c) * plane.directions.at(1, c);
    length += plane.directions.at(1, c) * plane.directions.at(1, c);
  }
  EXPECT_NEAR(across, 0, 1e-10);
  EXPECT_NEAR(length, 1, 1e-12);
}

/// No direction is preferred where all components have the same variance and are independent.
TEST(PrincipalPlane, EqualVariancesHaveAnyTwoAxes) {
  MatrixF64 x(8, 4);
  for (int i = 0; i < 8; ++i) x.at(i, i / 2) = i % 2 == 0 ? 1 : -1;
  const PrincipalPlane plane = principal_plane(x);
  EXPECT_NEAR(plane.share[0], 0.25, 1e-12);
  EXPECT_NEAR(plane.share[1], 0.25, 1e-12);
}

TEST(PrincipalPlane, OneComponentHasOneAxis) {
  const PrincipalPlane plane = principal_plane(random_points(5, 1, 2));
  EXPECT_NEAR(plane.share[0], 1, 1e-12);
  EXPECT_EQ(plane.share[1], 0);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(plane.points.at(i, 1), 0);
}

TEST(PrincipalPlane, OnePointHasNoVarianceAndNaNHasNoPlane) {
  EXPECT_TRUE(std::isnan(principal_plane(random_points(1, 4, 2)).share[0]));
  MatrixF64 x = random_points(4, 4, 2);
  x.at(2, 1) = std::nan("");
  const PrincipalPlane plane = principal_plane(x);
  EXPECT_TRUE(std::isnan(plane.share[0]));
  EXPECT_EQ(plane.points.at(0, 0), 0);
}

}  // namespace
}  // namespace headlight::nn
