#include "train/backward.h"

#include <algorithm>
#include <cmath>

#include "kernels/flush.h"
#include "kernels/panels.h"
#include "nn/reference_variants.h"

namespace headlight::nn {

namespace {

using std::size_t;

template <class E>
void check_same(const Tensor<E>& a, const Tensor<E>& b) {
  HEADLIGHT_CHECK_OP(a.rows(), ==, b.rows());
  HEADLIGHT_CHECK_OP(a.cols(), ==, b.cols());
}

/// Returns f'(x).
double slope(Activation activation, double x) {
  switch (activation) {
    case Activation::relu:
      return x > 0 ? 1 : 0;
    case Activation::gelu_erf: {
      constexpr double half_root = 0.70710678118654752440, density = 0.39894228040143267794;
      return 0.5 * (1 + std::erf(x * half_root)) + x * density * std::exp(-0.5 * x * x);
    }
    case Activation::gelu_tanh: {
      constexpr double root = 0.79788456080286535588;
      const double t = std::tanh(root * (x + 0.044715 * x * x * x));
      return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * root * (1 + 3 * 0.044715 * x * x);
    }
  }
  return 0;
}

/// The threads take parts of about this many rows of x.
constexpr int rows_at_once = 256;

void input_back(const Matrix& w, const Matrix& dy, base::Parallel& parallel, Matrix& dx) {
  const Kernels& kernels = headlight::nn::kernels();
  Panels panels;
  set_shape(kernels, w.cols(), w.rows(), panels);
  run(kernels, Packing{&w, true, &panels, 0});
  dx.resize(dy.rows(), w.rows());
  parallel.run((dy.rows() + rows_at_once - 1) / rows_at_once, [&](int part) {
    const FlushSubnormals flush;
    const int row = part * rows_at_once;
    multiply(kernels, std::min(rows_at_once, dy.rows() - row), rows_from(dy, row), panels, nullptr, {},
             rows_from(dx, row));
  });
}
void input_back(const MatrixF64& w, const MatrixF64& dy, base::Parallel&, MatrixF64& dx) {
  dx.resize(dy.rows(), w.rows());
  for (int t = 0; t < dy.rows(); ++t) {
    for (int i = 0; i < w.rows(); ++i) {
      double sum = 0;
      for (int o = 0; o < w.cols(); ++o) sum += dy.at(t, o) * w.at(i, o);
      dx.at(t, i) = sum;
    }
  }
}

void weight_back(const Matrix& x, const Matrix& dy, Matrix& d_w, Matrix* d_b) {
  const FlushSubnormals flush;
  const Kernels& kernels = headlight::nn::kernels();
  Matrix scratch;
  TransposedJob job{};
  job.a = x.data(), job.a_stride = static_cast<size_t>(x.cols());
  job.b = dy.data(), job.b_stride = static_cast<size_t>(dy.cols());
  job.c = d_w.data(), job.c_stride = static_cast<size_t>(d_w.cols());
  job.rows = x.cols(), job.cols = dy.cols(), job.depth = x.rows();
  job.scratch = floats(scratch, static_cast<size_t>(transposed_depth) * static_cast<size_t>(kernels.panel));
  kernels.transposed(job);
  if (d_b != nullptr) kernels.column_sums(dy.data(), job.b_stride, dy.rows(), dy.cols(), d_b->data());
}
void weight_back(const MatrixF64& x, const MatrixF64& dy, MatrixF64& d_w, MatrixF64* d_b) {
  d_w.fill(0);
  for (int t = 0; t < x.rows(); ++t) {
    for (int i = 0; i < x.cols(); ++i) {
      for (int o = 0; o < dy.cols(); ++o) d_w.at(i, o) += x.at(t, i) * dy.at(t, o);
    }
    for (int o = 0; d_b != nullptr && o < dy.cols(); ++o) d_b->at(0, o) += dy.at(t, o);
  }
}

void norm_back(const Matrix& x, const Matrix& gamma, double eps, const Matrix& dy, Matrix& dx,
               Matrix& d_gamma, Matrix& d_beta) {
  const FlushSubnormals flush;
  const Kernels& kernels = headlight::nn::kernels();
  Matrix y(x.rows(), x.cols()), statistics(2, x.rows());
  NormJob forward{};
  forward.x = x.data(), forward.gamma = gamma.data(), forward.beta = gamma.data(), forward.y = y.data();
  forward.mean = statistics.row(0).data(), forward.inverse = statistics.row(1).data();
  forward.eps = static_cast<float>(eps), forward.rows = x.rows(), forward.width = x.cols();
  kernels.norm(forward);
  NormGradient job{};
  job.x = x.data(), job.mean = forward.mean, job.inverse = forward.inverse, job.gamma = gamma.data();
  job.dy = dy.data(), job.dx = dx.data(), job.d_gamma = d_gamma.data(), job.d_beta = d_beta.data();
  job.rows = x.rows(), job.width = x.cols();
  kernels.norm_gradient(job);
}
void norm_back(const MatrixF64& x, const MatrixF64& gamma, double eps, const MatrixF64& dy, MatrixF64& dx,
               MatrixF64& d_gamma, MatrixF64& d_beta) {
  const int D = x.cols();
  std::vector<double> unit(static_cast<size_t>(D)), g(static_cast<size_t>(D));
  for (int t = 0; t < x.rows(); ++t) {
    double mean = 0, variance = 0, mean_g = 0, mean_product = 0;
    for (double value : x.row(t)) mean += value / D;
    for (double value : x.row(t)) variance += (value - mean) * (value - mean) / D;
    const double inverse = 1 / std::sqrt(variance + eps);
    for (size_t c = 0; c < unit.size(); ++c) {
      const double d = dy.row(t)[c];
      unit[c] = (x.row(t)[c] - mean) * inverse, g[c] = d * gamma.data()[c];
      mean_g += g[c] / D, mean_product += g[c] * unit[c] / D;
      d_gamma.data()[c] += d * unit[c], d_beta.data()[c] += d;
    }
    for (size_t c = 0; c < unit.size(); ++c)
      dx.row(t)[c] = (g[c] - mean_g - unit[c] * mean_product) * inverse;
  }
}

}  // namespace

AttentionWeightsF64 widened(const AttentionWeights& w) {
  return {widened(w.w_q), widened(w.w_k), widened(w.w_v), widened(w.w_o),
          widened(w.b_q), widened(w.b_k), widened(w.b_v), widened(w.b_o)};
}

BlockWeightsF64 widened(const BlockWeights& w) {
  return {widened(w.attention), widened(w.w_1),   widened(w.b_1),   widened(w.w_2),  widened(w.b_2),
          widened(w.ln1_g),     widened(w.ln1_b), widened(w.ln2_g), widened(w.ln2_b)};
}

template <class E>
void softmax_backward(const Tensor<E>& y, const Tensor<E>& dy, Tensor<E>& dx) {
  check_same(y, dy);
  dx.resize(y.rows(), y.cols());
  for (int r = 0; r < y.rows(); ++r) {
    E sum = 0;
    for (int c = 0; c < y.cols(); ++c) sum += y.at(r, c) * dy.at(r, c);
    for (int c = 0; c < y.cols(); ++c) dx.at(r, c) = y.at(r, c) * (dy.at(r, c) - sum);
  }
}

template <class E>
void activate_backward(Activation activation, const Tensor<E>& x, const Tensor<E>& dy, Tensor<E>& dx) {
  HEADLIGHT_CHECK_OP(x.size(), ==, dy.size());
  if (&dx != &dy) dx.resize(x.depth(), x.rows(), x.cols());
  if constexpr (std::is_same_v<E, float>) {
    const FlushSubnormals flush;
    kernels().activation_gradient(static_cast<int>(activation), x.data(), dy.data(), dx.data(), x.size());
  } else {
    for (size_t i = 0; i < x.size(); ++i) dx.data()[i] = dy.data()[i] * slope(activation, x.data()[i]);
  }
}

template <class E>
void layer_norm_backward(const Tensor<E>& x, const Tensor<E>& gamma, double eps, const Tensor<E>& dy,
                         Tensor<E>& dx, Tensor<E>& d_gamma, Tensor<E>& d_beta) {
  check_same(x, dy);
  HEADLIGHT_CHECK_OP(static_cast<int>(gamma.size()), ==, x.cols());
  if (&dx != &dy) dx.resize(x.rows(), x.cols());
  d_gamma.resize(1, x.cols()), d_beta.resize(1, x.cols());
  d_gamma.fill(0), d_beta.fill(0);
  norm_back(x, gamma, eps, dy, dx, d_gamma, d_beta);
}

template <class E>
void linear_backward(const Tensor<E>& x, const Tensor<E>& w, const Tensor<E>& dy, base::Parallel& parallel,
                     Tensor<E>* dx, Tensor<E>& d_w, Tensor<E>* d_b) {
  HEADLIGHT_CHECK_OP(x.cols(), ==, w.rows());
  HEADLIGHT_CHECK_OP(dy.cols(), ==, w.cols());
  HEADLIGHT_CHECK_OP(x.rows(), ==, dy.rows());
  d_w.resize(w.rows(), w.cols());
  if (d_b != nullptr) d_b->resize(1, w.cols()), d_b->fill(0);
  weight_back(x, dy, d_w, d_b);
  if (dx != nullptr) input_back(w, dy, parallel, *dx);
}

template <class E>
void embedding_backward(const std::vector<int>& tokens, const Tensor<E>& dx, Tensor<E>& d_table) {
  HEADLIGHT_CHECK_OP(static_cast<int>(tokens.size()), ==, dx.rows());
  HEADLIGHT_CHECK_OP(dx.cols(), ==, d_table.cols());
  d_table.fill(0);
  for (int t = 0; t < dx.rows(); ++t) {
    for (int c = 0; c < dx.cols(); ++c) d_table.at(tokens[static_cast<size_t>(t)], c) += dx.at(t, c);
  }
}

template <class E>
double cross_entropy(const Tensor<E>& logits, const std::vector<int>& targets, Tensor<E>& d_logits) {
  HEADLIGHT_CHECK_OP(static_cast<int>(targets.size()), ==, logits.rows());
  d_logits.resize(logits.rows(), logits.cols());
  d_logits.fill(0);
  const auto counts = [](int target) { return target != -100; };
  const auto count = static_cast<double>(std::count_if(targets.begin(), targets.end(), counts));
  double loss = 0;
  for (int r = 0; r < logits.rows(); ++r) {
    const int target = targets[static_cast<size_t>(r)];
    if (!counts(target)) continue;
    HEADLIGHT_CHECK(target >= 0 && target < logits.cols());
    const auto row = logits.row(r);
    const E largest = *std::max_element(row.begin(), row.end());
    E sum = 0;
    for (E x : row) sum += std::exp(x - largest);
    for (int c = 0; c < logits.cols(); ++c) {
      const E p = std::exp(row[static_cast<size_t>(c)] - largest) / sum;
      d_logits.at(r, c) = (p - E(c == target ? 1 : 0)) / static_cast<E>(count);
    }
    loss += std::log(static_cast<double>(sum)) + static_cast<double>(largest - logits.at(r, target));
  }
  return count > 0 ? loss / count : 0;
}

#define HEADLIGHT_FOR_ELEMENT(E)                                                                       \
  template void softmax_backward(const Tensor<E>&, const Tensor<E>&, Tensor<E>&);                      \
  template void activate_backward(Activation, const Tensor<E>&, const Tensor<E>&, Tensor<E>&);         \
  template void layer_norm_backward(const Tensor<E>&, const Tensor<E>&, double, const Tensor<E>&,      \
                                    Tensor<E>&, Tensor<E>&, Tensor<E>&);                               \
  template void linear_backward(const Tensor<E>&, const Tensor<E>&, const Tensor<E>&, base::Parallel&, \
                                Tensor<E>*, Tensor<E>&, Tensor<E>*);                                   \
  template void embedding_backward(const std::vector<int>&, const Tensor<E>&, Tensor<E>&);             \
  template double cross_entropy(const Tensor<E>&, const std::vector<int>&, Tensor<E>&)
HEADLIGHT_FOR_ELEMENT(float);
HEADLIGHT_FOR_ELEMENT(double);
#undef HEADLIGHT_FOR_ELEMENT

}  // namespace headlight::nn
