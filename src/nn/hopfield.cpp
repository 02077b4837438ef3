#include "nn/hopfield.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace headlight::nn {

namespace {

/// Writes softmax(β X ξ) into weights [N]; returns −lse(β, X ξ) + ½ ξᵀξ.
template <class E, class P>
E attend(const Tensor<P>& patterns, E beta, const E* point, E* weights) {
  const int N = patterns.rows(), d = patterns.cols();
  E largest = -std::numeric_limits<E>::infinity();
  for (int n = 0; n < N; ++n) {
    const P* pattern = patterns.row(n).data();
    E dot = 0;
    for (int c = 0; c < d; ++c) dot += static_cast<E>(pattern[c]) * point[c];
    weights[n] = beta * dot;
    largest = std::max(largest, weights[n]);
  }
  E sum = 0, square = 0;
  for (int n = 0; n < N; ++n) weights[n] = std::exp(weights[n] - largest), sum += weights[n];
  for (int n = 0; n < N; ++n) weights[n] /= sum;
  for (int c = 0; c < d; ++c) square += point[c] * point[c];
  return square / 2 - (largest + std::log(sum)) / beta;
}

/// Returns log(N)/β + ½ M².
template <class E, class P>
E constants(const Tensor<P>& patterns, E beta) {
  E largest = 0;
  for (int n = 0; n < patterns.rows(); ++n) {
    E square = 0;
    for (P value : patterns.row(n)) square += static_cast<E>(value) * static_cast<E>(value);
    largest = std::max(largest, square);
  }
  return std::log(static_cast<E>(patterns.rows())) / beta + largest / 2;
}

}  // namespace

template <class E>
HopfieldTrace<E> hopfield(const Tensor<E>& patterns, const Tensor<E>& probes, double beta, int steps) {
  HEADLIGHT_CHECK_OP(patterns.rows(), >=, 1);
  HEADLIGHT_CHECK_OP(patterns.cols(), ==, probes.cols());
  HEADLIGHT_CHECK(beta > 0);
  HEADLIGHT_CHECK_OP(steps, >=, 0);
  const int N = patterns.rows(), M = probes.rows(), d = probes.cols();
  const E b = static_cast<E>(beta), constant = constants<E>(patterns, b);
  HopfieldTrace<E> trace;
  trace.states = Tensor<E>(steps + 1, M, d);
  trace.weights = Tensor<E>(steps, M, N);
  trace.energy = Tensor<E>(steps + 1, M);
  trace.energy_without_constants = Tensor<E>(steps + 1, M);
  std::copy(probes.values().begin(), probes.values().end(), trace.states.plane(0));
  std::vector<E> last(static_cast<std::size_t>(N));
  for (int step = 0; step <= steps; ++step) {
    for (int m = 0; m < M; ++m) {
      E* weights = step < steps ? trace.weights.row(step, m).data() : last.data();
      const E energy = attend(patterns, b, trace.states.row(step, m).data(), weights);
      trace.energy_without_constants.at(step, m) = energy;
      trace.energy.at(step, m) = energy + constant;
      if (step == steps) continue;
      E* next = trace.states.row(step + 1, m).data();
      for (int n = 0; n < N; ++n) {
        const E* pattern = patterns.row(n).data();
        for (int c = 0; c < d; ++c) next[c] += weights[n] * pattern[c];
      }
    }
  }
  return trace;
}

template HopfieldTrace<float> hopfield(const Tensor<float>&, const Tensor<float>&, double, int);
template HopfieldTrace<double> hopfield(const Tensor<double>&, const Tensor<double>&, double, int);

MatrixF64 hopfield_landscape(const Matrix& patterns, double beta, const PlaneBox& box, int rows, int cols) {
  HEADLIGHT_CHECK_OP(patterns.cols(), ==, 2);
  HEADLIGHT_CHECK_OP(patterns.rows(), >=, 1);
  HEADLIGHT_CHECK(beta > 0);
  const double constant = constants<double>(patterns, beta);
  std::vector<double> weights(static_cast<std::size_t>(patterns.rows()));
  MatrixF64 energy(rows, cols);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      const double point[2] = {box.left + (box.right - box.left) * c / std::max(1, cols - 1),
                               box.top + (box.bottom - box.top) * r / std::max(1, rows - 1)};
      energy.at(r, c) = attend(patterns, beta, point, weights.data()) + constant;
    }
  }
  return energy;
}

double hopfield_capacity_1982(int d) {
  return 0.14 * d;
}

double hopfield_capacity_2017(int d) {
  return std::exp2(0.5 * d);
}

double hopfield_growth_2020(int d, const HopfieldBound& bound) {
  if (d < 2) return std::nan("");
  const double squared = bound.radius * bound.radius, width = d - 1;
  const double a = 2 / width * (1 + std::log(2 * bound.beta * squared * bound.failure * width));
  const double b = 0.4 * squared * bound.beta;
  const double target = std::exp(a + std::log(b));
  // Solves w exp(w) = target by Newton's method. The left side is convex, and log(1 + target) is at least the
  // solution.
  double w = std::log1p(target);
  for (int n = 0; n < 50; ++n) {
    const double e = std::exp(w);
    w -= (w * e - target) / (e * (1 + w));
  }
  return b / w;
}

double hopfield_capacity_2020(int d, const HopfieldBound& bound) {
  const double c = hopfield_growth_2020(d, bound), root = std::sqrt(bound.failure);
  if (!(c >= std::pow(2 / root, 4.0 / (d - 1)))) return std::nan("");
  return root * std::pow(c, (d - 1) / 4.0);
}

}  // namespace headlight::nn
