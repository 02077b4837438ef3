#include "nn/projected_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace headlight::nn {

namespace {

MatrixF64 product(const MatrixF64& a, const MatrixF64& b) {
  MatrixF64 out(a.rows(), b.cols());
  for (int r = 0; r < a.rows(); ++r) {
    for (int m = 0; m < a.cols(); ++m) {
      const double factor = a.at(r, m);
      if (factor == 0) continue;
      for (int c = 0; c < b.cols(); ++c) out.at(r, c) += factor * b.at(m, c);
    }
  }
  return out;
}

}  // namespace

MatrixF64 mean_projection(int r, int T) {
  HEADLIGHT_CHECK(1 <= r && r <= T);
  MatrixF64 out(r, T);
  std::vector<int> tokens(static_cast<std::size_t>(r), 0);
  for (int t = 0; t < T; ++t) ++tokens[static_cast<std::size_t>(t * r / T)];
  for (int t = 0; t < T; ++t) out.at(t * r / T, t) = 1.0 / tokens[static_cast<std::size_t>(t * r / T)];
  return out;
}

MatrixF64 projected_attention(const MatrixF64& q, const MatrixF64& k, const MatrixF64& v,
                              const MatrixF64& projection) {
  HEADLIGHT_CHECK_OP(q.cols(), ==, k.cols());
  HEADLIGHT_CHECK_OP(k.rows(), ==, v.rows());
  HEADLIGHT_CHECK_OP(projection.cols(), ==, k.rows());
  const MatrixF64 keys = product(projection, k), values = product(projection, v);
  const double scale = 1 / std::sqrt(static_cast<double>(q.cols()));
  MatrixF64 out(q.rows(), v.cols());
  std::vector<double> weights(static_cast<std::size_t>(keys.rows()));
  for (int i = 0; i < q.rows(); ++i) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int j = 0; j < keys.rows(); ++j) {
      double dot = 0;
      for (int c = 0; c < q.cols(); ++c) dot += q.at(i, c) * keys.at(j, c);
      weights[static_cast<std::size_t>(j)] = dot * scale;
      largest = std::max(largest, dot * scale);
    }
    for (double& weight : weights) sum += weight = std::exp(weight - largest);
    for (int j = 0; j < keys.rows(); ++j) {
      const double weight = weights[static_cast<std::size_t>(j)] / sum;
      for (int c = 0; c < v.cols(); ++c) out.at(i, c) += weight * values.at(j, c);
    }
  }
  return out;
}

}  // namespace headlight::nn
