#include "nn/principal_plane.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace headlight::nn {

namespace {

/// A symmetric matrix as its eigenvalues, in no order, and its eigenvectors as the rows of `vectors` [d, d].
struct Eigenvectors {
  std::vector<double> values;
  MatrixF64 vectors;
};

double product(const double* a, const double* b, int count) {
  return std::inner_product(a, a + count, b, 0.0);
}

/// Turns rows i and i + 1 into (c a_i − s a_{i+1}, s a_i + c a_{i+1}).
void turn(MatrixF64& rows, int i, double c, double s) {
  double *const a = rows.row(i).data(), *const b = rows.row(i + 1).data();
  for (int k = 0; k < rows.cols(); ++k) {
    const double ak = a[k], bk = b[k];
    a[k] = c * ak - s * bk, b[k] = s * ak + c * bk;
  }
}

/// Reflections H = I − 2vvᵀ leave three diagonals of A (Householder 1958): in `values` the middle one, in
/// `beside` the one next to it, and their product as the rows of `vectors`.
Eigenvectors three_diagonals(MatrixF64 a, std::vector<double>& beside) {
  const int d = a.rows();
  Eigenvectors out{std::vector<double>(static_cast<std::size_t>(d)), MatrixF64(d, d)};
  for (int i = 0; i < d; ++i) out.vectors.at(i, i) = 1;
  beside.assign(static_cast<std::size_t>(d), 0);
  std::vector<double> v(static_cast<std::size_t>(d)), w(v), sums;
  for (int k = 0; k + 1 < d; ++k) {
    const int below = k + 1, count = d - below;
    for (int i = 0; i < count; ++i) v[static_cast<std::size_t>(i)] = a.at(below + i, k);
    const double length = std::sqrt(product(v.data(), v.data(), count));
    const double first = std::copysign(length, -v[0]);
    beside[static_cast<std::size_t>(k)] = first;
    v[0] -= first;
    const double size = std::sqrt(product(v.data(), v.data(), count));
    if (size == 0) continue;  // nothing is left below the diagonals
    for (int i = 0; i < count; ++i) v[static_cast<std::size_t>(i)] /= size;
    // A − 2(v wᵀ + w vᵀ), where w = Av − (v·Av)v
    const auto row = [&a, below](int i) { return a.row(below + i).data() + below; };
    for (int i = 0; i < count; ++i) w[static_cast<std::size_t>(i)] = product(row(i), v.data(), count);
    const double along = product(v.data(), w.data(), count);
    for (int i = 0; i < count; ++i) w[static_cast<std::size_t>(i)] -= along * v[static_cast<std::size_t>(i)];
    for (int i = 0; i < count; ++i) {
      const double vi = 2 * v[static_cast<std::size_t>(i)], wi = 2 * w[static_cast<std::size_t>(i)];
      double* const of = row(i);
      for (int j = 0; j < count; ++j)
        of[j] -= vi * w[static_cast<std::size_t>(j)] + wi * v[static_cast<std::size_t>(j)];
    }
    // Rows of the product from `below` on: minus 2 v (vᵀ rows).
    sums.assign(static_cast<std::size_t>(d), 0);
    for (int i = 0; i < count; ++i) {
      const double* const of = out.vectors.row(below + i).data();
      for (int j = 0; j < d; ++j) sums[static_cast<std::size_t>(j)] += v[static_cast<std::size_t>(i)] * of[j];
    }
    for (int i = 0; i < count; ++i) {
      double* const of = out.vectors.row(below + i).data();
      for (int j = 0; j < d; ++j)
        of[j] -= 2 * v[static_cast<std::size_t>(i)] * sums[static_cast<std::size_t>(j)];
    }
  }
  for (int i = 0; i < d; ++i) out.values[static_cast<std::size_t>(i)] = a.at(i, i);
  return out;
}

/// The QL method with implicit shifts (Dubrulle, Martin, Wilkinson 1968): rotations from below take away the
/// numbers beside the diagonal. False: they do not vanish.
bool take_away_beside(Eigenvectors& of, std::vector<double>& beside) {
  const int d = static_cast<int>(of.values.size());
  double *const a = of.values.data(), *const b = beside.data();
  double largest = 0;
  for (int i = 0; i < d; ++i) largest = std::max(largest, std::abs(a[i]) + std::abs(b[i]));
  const double nothing = std::numeric_limits<double>::epsilon() * largest;
  for (int l = 0; l < d; ++l) {
    for (int times = 0;; ++times) {
      int m = l;  // from l to m the matrix does not fall apart
      while (m + 1 < d && std::abs(b[m]) > nothing) ++m;
      if (m == l) break;
      if (times == 60) return false;
      const double half = (a[l + 1] - a[l]) / (2 * b[l]);
      double g = a[m] - a[l] + b[l] / (half + std::copysign(std::hypot(half, 1.0), half));
      double s = 1, c = 1, p = 0;
      int i = m - 1;
      for (; i >= l; --i) {
        const double f = s * b[i], h = c * b[i], r = std::hypot(f, g);
        b[i + 1] = r;
        if (r == 0) break;
        s = f / r, c = g / r;
        g = a[i + 1] - p;
        const double both = (a[i] - g) * s + 2 * c * h;
        p = s * both;
        a[i + 1] = g + p, g = c * both - h;
        turn(of.vectors, i, c, s);
      }
      a[i + 1] -= p;
      b[m] = 0;
      if (i < l) b[l] = g;
    }
  }
  return true;
}

}  // namespace

PrincipalPlane principal_plane(const MatrixF64& x) {
  const int n = x.rows(), d = x.cols();
  HEADLIGHT_CHECK(n >= 1 && d >= 1);
  PrincipalPlane out;
  out.points = MatrixF64(n, 2), out.directions = MatrixF64(2, d);
  out.share.fill(std::numeric_limits<double>::quiet_NaN());
  const std::span<const double> values = x.values();
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
    return out;
  std::vector<double> mean(static_cast<std::size_t>(d));
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < d; ++c) mean[static_cast<std::size_t>(c)] += x.at(i, c);
  }
  MatrixF64 centred(n, d), covariance(d, d);
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < d; ++c) centred.at(i, c) = x.at(i, c) - mean[static_cast<std::size_t>(c)] / n;
  }
  double largest_part = 0;
  for (const double one : centred.values()) largest_part = std::max(largest_part, std::abs(one));
  if (!(largest_part > 0) || !std::isfinite(largest_part)) return out;
  // In units of a power of two, so that no square of a small or a large number leaves the range.
  const double unit = std::ldexp(1.0, std::ilogb(largest_part));
  std::vector<double> point(static_cast<std::size_t>(d));
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < d; ++c) point[static_cast<std::size_t>(c)] = centred.at(i, c) / unit;
    for (int a = 0; a < d; ++a) {
      double* const sums = covariance.row(a).data();
      for (int b = 0; b < d; ++b)
        sums[b] += point[static_cast<std::size_t>(a)] * point[static_cast<std::size_t>(b)];
    }
  }
  for (double& one : covariance.values()) one /= n;
  double whole = 0;
  for (int c = 0; c < d; ++c) whole += covariance.at(c, c);
  if (!(whole > 0) || !std::isfinite(whole)) return out;
  std::vector<double> beside;
  Eigenvectors found = three_diagonals(std::move(covariance), beside);
  if (!take_away_beside(found, beside)) return out;
  std::vector<int> order(static_cast<std::size_t>(d));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return found.values[static_cast<std::size_t>(a)] > found.values[static_cast<std::size_t>(b)];
  });
  for (int c = 0; c < std::min(2, d); ++c) {
    const int at = order[static_cast<std::size_t>(c)];
    const double* const u = found.vectors.row(at).data();
    const double* const largest =
        std::max_element(u, u + d, [](double a, double b) { return std::abs(a) < std::abs(b); });
    const double sign = *largest < 0 ? -1 : 1;
    out.share[static_cast<std::size_t>(c)] =
        std::max(0.0, found.values[static_cast<std::size_t>(at)]) / whole;
    for (int i = 0; i < n; ++i) out.points.at(i, c) = sign * product(centred.row(i).data(), u, d);
    for (int i = 0; i < d; ++i) out.directions.at(c, i) = sign * u[i];
  }
  if (d == 1) out.share[1] = 0;
  return out;
}

}  // namespace headlight::nn
