#include <algorithm>
#include <cmath>

#include "kernels/flush.h"
#include "kernels/kernels.h"
#include "network/network_parts.h"
#include "nn/linear.h"

namespace headlight::nn {

namespace {

using std::size_t;

float sigmoid(float x) {
  return 1 / (1 + std::exp(-x));
}

/// Returns the number of the activation in the kernels; −1: they do not have it.
int kernel_of(NetworkActivation activation) {
  switch (activation) {
    case NetworkActivation::relu:
      return static_cast<int>(Activation::relu);
    case NetworkActivation::gelu_erf:
      return static_cast<int>(Activation::gelu_erf);
    case NetworkActivation::gelu_tanh:
      return static_cast<int>(Activation::gelu_tanh);
    default:
      return -1;
  }
}

void activate_some(NetworkActivation activation, float* x, size_t count) {
  if (const int kernel = kernel_of(activation); kernel >= 0) return kernels().activate(kernel, x, x, count);
  for (size_t i = 0; i < count; ++i) {
    switch (activation) {
      case NetworkActivation::silu:
        x[i] *= sigmoid(x[i]);
        break;
      case NetworkActivation::gelu_quick:
        x[i] *= sigmoid(1.702f * x[i]);
        break;
      default:
        x[i] = std::tanh(x[i]);
    }
  }
}

/// Normalises one row, or one head of it. The sums are in double, so that rows of thousands lose no digits.
void normalise_row(const NormSpec& spec, const float* x, const float* gamma, const float* beta, int width,
                   float* y) {
  double mean = 0, square = 0;
  if (spec.kind == NormKind::layer) {
    for (int i = 0; i < width; ++i) mean += static_cast<double>(x[i]);
    mean /= width;
  }
  for (int i = 0; i < width; ++i) {
    const double from_mean = static_cast<double>(x[i]) - mean;
    square += from_mean * from_mean;
  }
  const double inverse = 1 / std::sqrt(square / width + spec.eps);
  for (int i = 0; i < width; ++i) {
    double value = (static_cast<double>(x[i]) - mean) * inverse;
    if (gamma != nullptr)
      value *= static_cast<double>(gamma[i]) + (spec.kind == NormKind::rms_plus_one ? 1.0 : 0.0);
    if (beta != nullptr) value += static_cast<double>(beta[i]);
    y[i] = static_cast<float>(value);
  }
}

base::Status read_vector(const TensorRef& vector, int width, Matrix& to) {
  if (vector.empty()) return {};
  HEADLIGHT_CHECK_OP(vector.rows, ==, width);
  to.resize(1, width);
  return read_rows(vector, 0, width, to.data());
}

}  // namespace

base::Status normalise(const NormSpec& spec, const NormRef& norm, const Matrix& x, Matrix& y) {
  if (spec.kind == NormKind::none) {
    if (&x != &y) y = x;
    return {};
  }
  const int width = x.cols() / spec.heads;
  Matrix gamma, beta;
  if (const base::Status read = read_vector(norm.gamma, width, gamma); !read) return read;
  if (const base::Status read = read_vector(norm.beta, width, beta); !read) return read;
  y.resize(x.rows(), x.cols());
  const size_t parts = static_cast<size_t>(x.rows()) * static_cast<size_t>(spec.heads);
  for (size_t part = 0; part < parts; ++part) {
    const size_t at = part * static_cast<size_t>(width);
    normalise_row(spec, x.data() + at, gamma.empty() ? nullptr : gamma.data(),
                  beta.empty() ? nullptr : beta.data(), width, y.data() + at);
  }
  return {};
}

void activate(NetworkActivation activation, base::Parallel& parallel, Matrix& x) {
  constexpr size_t at_once = 16384;
  const size_t size = x.size();
  constexpr size_t worth_sharing = 4 * at_once;
  if (size < worth_sharing) {
    const FlushSubnormals flush;
    return activate_some(activation, x.data(), size);
  }
  parallel.run(static_cast<int>((size + at_once - 1) / at_once), [&](int task) {
    const FlushSubnormals flush;
    const size_t begin = static_cast<size_t>(task) * at_once;
    activate_some(activation, x.data() + begin, std::min(at_once, size - begin));
  });
}

void add(const Matrix& y, Matrix& x) {
  HEADLIGHT_CHECK_OP(x.rows(), ==, y.rows());
  HEADLIGHT_CHECK_OP(x.cols(), ==, y.cols());
  const float* from = y.data();
  float* to = x.data();
  for (size_t i = 0; i < x.size(); ++i) to[i] += from[i];
}

}  // namespace headlight::nn
