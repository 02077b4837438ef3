#include "nn/order.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "nn/linear.h"
#include "nn/reference_variants.h"
#include "nn/rope.h"

namespace headlight::nn {

namespace {

using std::size_t;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Returns [H, T, T]: scale · q_i · k_j for every head.
MatrixF64 products(const MatrixF64& q, const MatrixF64& k, int heads, double scale) {
  MatrixF64 out;
  out.resize(heads, q.rows(), k.rows());
  const Eigen::Map<const Rows> queries(q.data(), q.rows(), q.cols()), keys(k.data(), k.rows(), k.cols());
  const Eigen::Index d = q.cols() / heads;
  for (int head = 0; head < heads; ++head) {
    Eigen::Map<Rows>(out.plane(head), q.rows(), k.rows()) =
        scale * (queries.middleCols(head * d, d) * keys.middleCols(head * d, d).transpose());
  }
  return out;
}

MatrixF64 sum_of(MatrixF64 a, const MatrixF64& b) {
  for (size_t i = 0; i < a.size(); ++i) a.data()[i] += b.data()[i];
  return a;
}

}  // namespace

template <class E>
Tensor<E> permuted_rows(const Tensor<E>& x, std::span<const int> order) {
  HEADLIGHT_CHECK_OP(order.size(), ==, static_cast<size_t>(x.rows()));
  Tensor<E> out;
  out.resize(x.rows(), x.cols());
  std::vector<bool> taken(order.size(), false);
  for (int t = 0; t < x.rows(); ++t) {
    const int from = order[static_cast<size_t>(t)];
    HEADLIGHT_CHECK(from >= 0 && from < x.rows() && !taken[static_cast<size_t>(from)]);
    taken[static_cast<size_t>(from)] = true;
    std::copy(x.row(from).begin(), x.row(from).end(), out.row(t).begin());
  }
  return out;
}

template Tensor<float> permuted_rows(const Tensor<float>&, std::span<const int>);
template Tensor<double> permuted_rows(const Tensor<double>&, std::span<const int>);

ScoreParts split_scores(const Matrix& x, const Matrix& p, const AttentionWeights& weights,
                        const AttentionOptions& options) {
  HEADLIGHT_CHECK_OP(x.rows(), ==, p.rows());
  HEADLIGHT_CHECK_OP(x.cols(), ==, p.cols());
  HEADLIGHT_CHECK_OP(options.heads, >=, 1);
  HEADLIGHT_CHECK_OP(weights.w_q.cols() % options.heads, ==, 0);
  base::Parallel alone(1);
  const Matrix no_bias;
  MatrixF64 q_x, q_p, k_x, k_p;
  linear(widened(x), weights.w_q, weights.b_q, alone, q_x);
  linear(widened(p), weights.w_q, no_bias, alone, q_p);
  linear(widened(x), weights.w_k, weights.b_k, alone, k_x);
  linear(widened(p), weights.w_k, no_bias, alone, k_p);
  const double d_k = static_cast<double>(q_x.cols()) / options.heads;
  const double scale =
      (options.divide_by_sqrt_d_k ? 1 / std::sqrt(d_k) : options.custom_scale) / options.temperature;
  ScoreParts parts{products(q_x, k_x, options.heads, scale), products(q_x, k_p, options.heads, scale),
                   products(q_p, k_x, options.heads, scale), products(q_p, k_p, options.heads, scale),
                   MatrixF64()};
  if (!options.rope) return parts;
  MatrixF64 q = sum_of(q_x, q_p), k = sum_of(k_x, k_p);
  const MatrixF64 straight = products(q, k, options.heads, scale);
  rotate(*options.rope, options.heads, q), rotate(*options.rope, options.heads, k);
  parts.rotation = products(q, k, options.heads, scale);
  for (size_t i = 0; i < straight.size(); ++i) parts.rotation.data()[i] -= straight.data()[i];
  return parts;
}

}  // namespace headlight::nn
