#include "nn/principal_plane.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::nn {

PrincipalPlane principal_plane(const MatrixF64& x) {
  const int n = x.rows(), d = x.cols();
  HEADLIGHT_CHECK(n >= 1 && d >= 1);
  PrincipalPlane out;
  out.points = MatrixF64(n, 2), out.directions = MatrixF64(2, d);
  out.share.fill(std::numeric_limits<double>::quiet_NaN());
  const std::span<const double> values = x.values();
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
    return out;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Rows centred = Eigen::Map<const Rows>(x.data(), n, d);
  const Eigen::RowVectorXd mean = centred.colwise().mean();
  centred.rowwise() -= mean;
  const Eigen::MatrixXd covariance = centred.transpose() * centred / n;
  const double whole = covariance.trace();
  if (!(whole > 0) || !std::isfinite(whole)) return out;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);  // eigenvalues in ascending order
  if (solver.info() != Eigen::Success) return out;
  for (int c = 0; c < 2; ++c) {
    if (c >= d) {
      out.share[static_cast<std::size_t>(c)] = 0;
      break;
    }
    Eigen::VectorXd u = solver.eigenvectors().col(d - 1 - c);
    Eigen::Index largest = 0;
    u.cwiseAbs().maxCoeff(&largest);
    if (u[largest] < 0) u = -u;
    out.share[static_cast<std::size_t>(c)] = std::max(0.0, solver.eigenvalues()[d - 1 - c]) / whole;
    const Eigen::VectorXd along = centred * u;
    for (int i = 0; i < n; ++i) out.points.at(i, c) = along[i];
    for (int i = 0; i < d; ++i) out.directions.at(c, i) = u[i];
  }
  return out;
}

}  // namespace headlight::nn
