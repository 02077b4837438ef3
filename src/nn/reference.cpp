#include "nn/reference.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "nn/rope.h"

namespace headlight::nn {

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

template <class E>
Rows widen(const Tensor<E>& m) {
  HEADLIGHT_CHECK_OP(m.depth(), <=, 1);
  Rows out(m.rows(), m.cols());
  for (int r = 0; r < m.rows(); ++r) {
    for (int c = 0; c < m.cols(); ++c) out(r, c) = static_cast<double>(m.row(r)[static_cast<std::size_t>(c)]);
  }
  return out;
}

MatrixF64 tensor(const Rows& m) {
  MatrixF64 out;
  out.resize(static_cast<int>(m.rows()), static_cast<int>(m.cols()));
  std::copy(m.data(), m.data() + m.size(), out.data());
  return out;
}

/// x W + b
Rows project(const Rows& x, const Matrix& w, const Matrix& b) {
  HEADLIGHT_CHECK_OP(static_cast<int>(x.cols()), ==, w.rows());
  Rows y = x * widen(w);
  if (b.empty()) return y;
  HEADLIGHT_CHECK_OP(static_cast<int>(b.size()), ==, w.cols());
  for (Eigen::Index c = 0; c < y.cols(); ++c) y.col(c).array() += static_cast<double>(b.data()[c]);
  return y;
}

double added(const PairMask* pairs, int head, int i, int j) {
  if (pairs == nullptr || pairs->add.empty()) return 0;
  return static_cast<double>(pairs->add.at(pairs->add.depth() == 1 ? 0 : head, i, j));
}

bool may_read(const AttentionOptions& options, int T, int S, int head, int i, int j) {
  const MaskSpec& mask = options.mask;
  if (mask.causal && j > i + S - T) return false;
  if (mask.window_left && j < i - *mask.window_left) return false;
  if (mask.window_right && j > i + *mask.window_right) return false;
  if (mask.valid_length && j >= *mask.valid_length) return false;
  const PairMask* pairs = options.pairs;
  if (pairs == nullptr) return true;
  if (!pairs->allow.empty() && pairs->allow.at(pairs->allow.depth() == 1 ? 0 : head, i, j) == 0) return false;
  return added(pairs, head, i, j) != minus_infinity;
}

AttentionTraceF64 attend(const Rows& q, const Rows& k, const Rows& v, const AttentionOptions& options) {
  const int T = static_cast<int>(q.rows()), S = static_cast<int>(k.rows()), H = options.heads;
  HEADLIGHT_CHECK_OP(H, >=, 1);
  HEADLIGHT_CHECK_OP(q.cols(), ==, k.cols());
  HEADLIGHT_CHECK_OP(v.rows(), ==, k.rows());
  HEADLIGHT_CHECK_OP(q.cols() % H, ==, 0);
  HEADLIGHT_CHECK_OP(v.cols() % H, ==, 0);
  const Eigen::Index d_k = q.cols() / H, d_v = v.cols() / H;
  double scale = options.custom_scale;
  if (options.divide_by_sqrt_d_k) scale = 1 / std::sqrt(static_cast<double>(d_k));
  scale /= options.temperature;

  AttentionTraceF64 trace;
  trace.scores = MatrixF64(H, T, S);
  trace.weights = MatrixF64(H, T, S);
  Rows context = Rows::Zero(T, v.cols());
  for (int head = 0; head < H; ++head) {
    Eigen::Map<Rows> scores(trace.scores.plane(head), T, S), weights(trace.weights.plane(head), T, S);
    scores = scale * (q.middleCols(head * d_k, d_k) * k.middleCols(head * d_k, d_k).transpose());
    for (int i = 0; i < T; ++i) {
      double largest = minus_infinity;
      for (int j = 0; j < S; ++j) {
        scores(i, j) += added(options.pairs, head, i, j);
        if (may_read(options, T, S, head, i, j)) largest = std::max(largest, scores(i, j));
      }
      double sum = 0;
      for (int j = 0; j < S; ++j) {
        if (!may_read(options, T, S, head, i, j)) continue;
        weights(i, j) = std::exp(scores(i, j) - largest);
        sum += weights(i, j);
      }
      if (largest > minus_infinity) weights.row(i) /= sum;
    }
    context.middleCols(head * d_v, d_v) = weights * v.middleCols(head * d_v, d_v);
  }
  trace.q = tensor(q), trace.k = tensor(k), trace.v = tensor(v);
  trace.context = tensor(context);
  trace.output = trace.context;
  return trace;
}

Rows rotated(const RopeSpec& spec, int heads, const Rows& q, long first) {
  MatrixF64 turned = tensor(q);
  rotate(spec, heads, turned, first);
  return widen(turned);
}

AttentionTraceF64 forward(const Rows& x, const Rows& x_kv, const AttentionWeights& w,
                          const AttentionOptions& options) {
  Rows q = project(x, w.w_q, w.b_q), k = project(x_kv, w.w_k, w.b_k);
  if (options.rope) {
    q = rotated(*options.rope, options.heads, q, static_cast<long>(x_kv.rows() - x.rows()));
    k = rotated(*options.rope, options.heads, k, 0);
  }
  AttentionTraceF64 trace = attend(q, k, project(x_kv, w.w_v, w.b_v), options);
  if (!w.w_o.empty()) trace.output = tensor(project(widen(trace.context), w.w_o, w.b_o));
  return trace;
}

}  // namespace

AttentionTraceF64 attention_forward_f64(const Matrix& x, const Matrix& x_kv, const AttentionWeights& weights,
                                        const AttentionOptions& options) {
  return forward(widen(x), widen(x_kv), weights, options);
}

AttentionTraceF64 attention_forward_f64(const MatrixF64& x, const MatrixF64& x_kv,
                                        const AttentionWeights& weights, const AttentionOptions& options) {
  return forward(widen(x), widen(x_kv), weights, options);
}

AttentionTraceF64 attention_from_qkv_f64(const Matrix& q, const Matrix& k, const Matrix& v,
                                         const AttentionOptions& options) {
  return attend(widen(q), widen(k), widen(v), options);
}

double weights_residual(const AttentionTrace& trace, const AttentionTraceF64& reference) {
  HEADLIGHT_CHECK_OP(trace.weights.size(), ==, reference.weights.size());
  double largest = 0;
  for (std::size_t i = 0; i < trace.weights.size(); ++i) {
    largest = std::max(largest,
                       std::fabs(static_cast<double>(trace.weights.data()[i]) - reference.weights.data()[i]));
  }
  return largest;
}

}  // namespace headlight::nn
