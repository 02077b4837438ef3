#include "nn/positional.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.h"

namespace headlight::nn {

namespace {

using std::size_t;

struct SineCosine {
  double sine, cosine;
};

/// Returns the sine and cosine of position · omega. It corrects for the rounding error of the product, which
/// at large positions can exceed the error allowed for the sine when omega is large.
SineCosine at_position(double position, double omega) {
  const double angle = position * omega, rest = std::fma(position, omega, -angle);
  const double s = std::sin(angle), c = std::cos(angle);
  return {s + rest * c, c - rest * s};
}

/// Sines and cosines in the layout that the kernel expects: [4][pairs rounded up to a multiple of 8].
struct RotationState {
  int pairs;
  MatrixF64 values;
  explicit RotationState(int count) : pairs(count) {
    values.resize(4, static_cast<int>(rounded_up(static_cast<size_t>(count), 8)));
    values.fill(0);
  }
  double* sine() { return values.row(0).data(); }
  double* cosine() { return values.row(1).data(); }
  double* step_sine() { return values.row(2).data(); }
  double* step_cosine() { return values.row(3).data(); }
};

double squared_distance(const Matrix& p, int a, int b) {
  double sum = 0;
  const float *x = p.row(a).data(), *y = p.row(b).data();
  for (int c = 0; c < p.cols(); ++c) {
    const double d = static_cast<double>(x[c]) - static_cast<double>(y[c]);
    sum += d * d;
  }
  return sum;
}

/// The kernel sums in single precision. Distances close to its smallest one are summed again in double. Ties
/// go to the earlier row.
NearestRow nearest_of(const Matrix& p, int row, const std::vector<float>& squares) {
  constexpr float margin = 1 + 1e-4f;
  float smallest = std::numeric_limits<float>::infinity();
  for (int other = 0; other < p.rows(); ++other) {
    if (other != row) smallest = std::min(smallest, squares[static_cast<size_t>(other)]);
  }
  NearestRow nearest{-1, std::numeric_limits<double>::infinity()};
  for (int other = 0; other < p.rows(); ++other) {
    if (other == row || !(squares[static_cast<size_t>(other)] <= smallest * margin)) continue;
    const double square = squared_distance(p, row, other);
    if (nearest.row < 0 || square < nearest.distance) nearest = {other, square};
  }
  nearest.distance = nearest.row < 0 ? 0 : std::sqrt(nearest.distance);
  return nearest;
}

}  // namespace

std::vector<double> frequencies(int width, double base) {
  HEADLIGHT_CHECK_OP(width, >=, 1);
  HEADLIGHT_CHECK(base > 0);
  std::vector<double> omega(static_cast<size_t>(width + 1) / 2);
  for (size_t j = 0; j < omega.size(); ++j) omega[j] = std::pow(base, -2.0 * static_cast<double>(j) / width);
  return omega;
}

void sinusoidal(const PositionalSpec& spec, base::Parallel& parallel, Matrix& p) {
  const Kernels& kernels = headlight::nn::kernels();
  const std::vector<double> omega = frequencies(spec.width, spec.base);
  p.resize(spec.length, spec.width);
  const int pairs = static_cast<int>(omega.size());
  RotationState step(pairs);
  for (int j = 0; j < pairs; ++j) {
    const SineCosine one = at_position(1, omega[static_cast<size_t>(j)]);
    step.step_sine()[j] = one.sine, step.step_cosine()[j] = one.cosine;
  }
  constexpr int rows_at_once = 1024;
  constexpr size_t stream_bytes = size_t(16) << 20;
  const bool stream = p.size() * sizeof(float) > stream_bytes && spec.width % 16 == 0;
  auto work = [&](int task) {
    RotationState state(pairs);
    SinusoidBlock block{};
    const int row = task * rows_at_once;
    block.rows = std::min(rows_at_once, spec.length - row);
    block.width = spec.width;
    for (int j = 0; j < pairs; ++j) {
      const SineCosine first = at_position(static_cast<double>(spec.offset) + static_cast<double>(row),
                                           omega[static_cast<size_t>(j)]);
      state.sine()[j] = first.sine, state.cosine()[j] = first.cosine;
    }
    block.sine = state.sine(), block.cosine = state.cosine();
    block.step_sine = step.step_sine(), block.step_cosine = step.step_cosine();
    block.p = p.row(row).data();
    block.stream = stream;
    kernels.sinusoid(block);
  };
  const int tasks = (spec.length + rows_at_once - 1) / rows_at_once;
  parallel.run(tasks, work);
}

MatrixF64 sinusoidal_f64(const PositionalSpec& spec) {
  const std::vector<double> omega = frequencies(spec.width, spec.base);
  MatrixF64 p(spec.length, spec.width);
  for (int i = 0; i < spec.length; ++i) {
    const double position = static_cast<double>(spec.offset) + i;
    for (int c = 0; c < spec.width; ++c) {
      const SineCosine both = at_position(position, omega[static_cast<size_t>(c / 2)]);
      p.at(i, c) = c % 2 == 0 ? both.sine : both.cosine;
    }
  }
  return p;
}

Rotation rotation(double delta, double omega) {
  const SineCosine both = at_position(delta, omega);
  return {{{both.cosine, both.sine}, {-both.sine, both.cosine}}};
}

double rotation_residual(const Matrix& p, int delta, double omega, int pair) {
  HEADLIGHT_CHECK(pair >= 0 && 2 * pair + 1 < p.cols());
  const Rotation r = rotation(delta, omega);
  double largest = 0;
  const long long rows = p.rows();
  for (long long i = std::max(0LL, -static_cast<long long>(delta)); i < rows && i + delta < rows; ++i) {
    const float* from = p.row(static_cast<int>(i)).data() + 2 * pair;
    const float* to = p.row(static_cast<int>(i + delta)).data() + 2 * pair;
    const double s = static_cast<double>(from[0]), c = static_cast<double>(from[1]);
    largest = std::max(largest, std::fabs(static_cast<double>(to[0]) - (r[0][0] * s + r[0][1] * c)));
    largest = std::max(largest, std::fabs(static_cast<double>(to[1]) - (r[1][0] * s + r[1][1] * c)));
  }
  return largest;
}

std::vector<NearestRow> nearest_rows(const Matrix& p, base::Parallel& parallel) {
  const Kernels& kernels = headlight::nn::kernels();
  const int n = p.rows();
  std::vector<NearestRow> nearest(static_cast<size_t>(n));
  // Compares some rows with as many other rows as fit in the first-level cache, then with the next ones.
  constexpr int rows_at_once = 8;
  const int others_at_once = std::max(1, 8192 / std::max(1, p.cols()));
  parallel.run((n + rows_at_once - 1) / rows_at_once, [&](int task) {
    const int begin = task * rows_at_once, end = std::min(n, begin + rows_at_once);
    std::vector<std::vector<float>> squares(rows_at_once, std::vector<float>(static_cast<size_t>(n)));
    for (int other = 0; other < n; other += others_at_once) {
      for (int row = begin; row < end; ++row) {
        kernels.distances(p.row(row).data(), p.row(other).data(), std::min(others_at_once, n - other),
                          p.cols(), squares[static_cast<size_t>(row - begin)].data() + other);
      }
    }
    for (int row = begin; row < end; ++row) {
      nearest[static_cast<size_t>(row)] = nearest_of(p, row, squares[static_cast<size_t>(row - begin)]);
    }
  });
  return nearest;
}

std::vector<double> dot_by_distance(const Matrix& p, int from_row) {
  HEADLIGHT_CHECK(from_row >= 0 && from_row < p.rows());
  const float* from = p.row(from_row).data();
  std::vector<double> dots;
  dots.reserve(static_cast<size_t>(p.rows() - from_row));
  for (int row = from_row; row < p.rows(); ++row) {
    const float* other = p.row(row).data();
    double dot = 0;
    for (int c = 0; c < p.cols(); ++c) dot += static_cast<double>(from[c]) * static_cast<double>(other[c]);
    dots.push_back(dot);
  }
  return dots;
}

}  // namespace headlight::nn
