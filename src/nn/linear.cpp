#include "nn/linear.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/flush.h"
#include "kernels/kernels.h"

namespace headlight::nn {

namespace {

using std::size_t;

constexpr std::array<const char*, 3> activation_names = {"relu", "gelu_erf", "gelu_tanh"};

void check_shapes(int x_cols, const Matrix& w, const Matrix& b) {
  HEADLIGHT_CHECK_OP(x_cols, ==, w.rows());
  if (!b.empty()) HEADLIGHT_CHECK_OP(b.size(), ==, static_cast<size_t>(w.cols()));
}

}  // namespace

void linear(const Matrix& x, const Matrix& w, const Matrix& b, base::Parallel& parallel, Matrix& y) {
  check_shapes(x.cols(), w, b);
  HEADLIGHT_CHECK(&x != &y);
  const Kernels& kernels = headlight::nn::kernels();
  const int rows = x.rows(), cols = w.cols(), depth = w.rows();
  y.resize(rows, cols);
  const int width = 2 * kernels.panel, groups = (cols + width - 1) / width;
  constexpr int rows_at_once = 384;
  const int parts = (rows + rows_at_once - 1) / rows_at_once;
  const auto work = [&](int task) {
    const FlushSubnormals flush;
    static thread_local Matrix panels;
    const int col = task / parts * width, row = task % parts * rows_at_once;
    ProductJob job{};
    job.rows = std::min(rows_at_once, rows - row);
    job.cols = std::min(width, cols - col);
    job.depth = depth;
    panels.resize(1, static_cast<int>(packed_size(kernels, depth, job.cols)));
    kernels.pack(w.data() + col, static_cast<size_t>(cols), depth, job.cols, panels.data());
    job.a = x.row(row).data();
    job.a_stride = static_cast<size_t>(depth);
    job.b = panels.data();
    job.bias = b.empty() ? nullptr : b.data() + col;
    job.c = y.row(row).data() + col;
    job.c_stride = static_cast<size_t>(cols);
    kernels.product(job);
  };
  constexpr double worth_sharing = 3e6;  // multiplications; with fewer, waking a thread costs more than it
                                         // saves
  if (static_cast<double>(rows) * cols * depth >= worth_sharing) {
    parallel.run(groups * parts, work);
  } else {
    for (int task = 0; task < groups * parts; ++task) work(task);
  }
}

void linear(const MatrixF64& x, const Matrix& w, const Matrix& b, base::Parallel&, MatrixF64& y) {
  check_shapes(x.cols(), w, b);
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using RowsF32 = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  y.resize(x.rows(), w.cols());
  Eigen::Map<Rows> out(y.data(), y.rows(), y.cols());
  out.noalias() = Eigen::Map<const Rows>(x.data(), x.rows(), x.cols()) *
                  Eigen::Map<const RowsF32>(w.data(), w.rows(), w.cols()).cast<double>();
  if (b.empty()) return;
  for (int c = 0; c < y.cols(); ++c) out.col(c).array() += static_cast<double>(b.data()[c]);
}

Matrix transposed(const Matrix& m) {
  Matrix out(m.cols(), m.rows());
  for (int r = 0; r < m.rows(); ++r) {
    for (int c = 0; c < m.cols(); ++c) out.at(c, r) = m.at(r, c);
  }
  return out;
}

Matrix first_rows(const Matrix& m, int rows) {
  HEADLIGHT_CHECK_OP(rows, <=, m.rows());
  Matrix out(rows, m.cols());
  std::copy_n(m.data(), out.size(), out.data());
  return out;
}

const char* name_of(Activation activation) {
  return activation_names[static_cast<size_t>(activation)];
}

std::optional<Activation> activation_named(std::string_view name) {
  for (size_t i = 0; i < activation_names.size(); ++i) {
    if (name == activation_names[i]) return static_cast<Activation>(i);
  }
  return std::nullopt;
}

template <class E>
E activate(Activation activation, E x) {
  switch (activation) {
    case Activation::relu:
      return std::max(x, E(0));
    case Activation::gelu_erf:
      return x / 2 * (1 + std::erf(x * E(0.70710678118654752440)));
    case Activation::gelu_tanh:
      return x / 2 * (1 + std::tanh(E(0.79788456080286535588) * (x + E(0.044715) * x * x * x)));
  }
  return x;
}

template <class E>
void activate(Activation activation, const Tensor<E>& x, base::Parallel& parallel, Tensor<E>& y) {
  y.resize(x.depth(), x.rows(), x.cols());
  constexpr size_t at_once = 16384;
  const size_t size = x.size();
  const E* in = x.data();
  E* out = y.data();
  parallel.run(static_cast<int>((size + at_once - 1) / at_once), [&](int task) {
    const size_t begin = static_cast<size_t>(task) * at_once, end = std::min(size, begin + at_once);
    for (size_t i = begin; i < end; ++i) out[i] = activate(activation, in[i]);
  });
}

template float activate(Activation, float);
template double activate(Activation, double);
template void activate(Activation, const Tensor<float>&, base::Parallel&, Tensor<float>&);
template void activate(Activation, const Tensor<double>&, base::Parallel&, Tensor<double>&);

}  // namespace headlight::nn
