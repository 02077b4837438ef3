#include "nn/random_features.h"

#include <cmath>

#include "nn/random.h"

namespace headlight::nn {

Matrix random_directions(int m, int d, std::uint64_t seed, std::uint64_t stream) {
  HEADLIGHT_CHECK_OP(m, >=, 1);
  Matrix directions(m, d);
  Random(seed, stream).normals(0, directions.values());
  return directions;
}

template <class E>
Tensor<E> random_features(const Tensor<E>& x, const Matrix& directions) {
  HEADLIGHT_CHECK_OP(x.cols(), ==, directions.cols());
  const int d = x.cols(), m = directions.rows();
  const double shrink = 1 / std::sqrt(std::sqrt(static_cast<double>(d))),
               each = 1 / std::sqrt(static_cast<double>(m));
  Tensor<E> phi(x.rows(), m);
  for (int t = 0; t < x.rows(); ++t) {
    double square = 0;
    for (const E value : x.row(t)) square += static_cast<double>(value) * static_cast<double>(value);
    square *= shrink * shrink;
    const E* vector = x.row(t).data();
    for (int i = 0; i < m; ++i) {
      const float* direction = directions.row(i).data();
      double dot = 0;
      for (int c = 0; c < d; ++c) dot += static_cast<double>(direction[c]) * static_cast<double>(vector[c]);
      phi.at(t, i) = static_cast<E>(std::exp(dot * shrink - square / 2) * each);
    }
  }
  return phi;
}

template Matrix random_features(const Matrix&, const Matrix&);
template MatrixF64 random_features(const MatrixF64&, const Matrix&);

}  // namespace headlight::nn
