#include "nn/binary_hopfield.h"

#include <numeric>
#include <utility>

#include "nn/random.h"

namespace headlight::nn {

namespace {

constexpr std::uint64_t order_stream = 0x4F52444552, pattern_stride = 1 << 20;

/// Returns the first `count` of a random order of 0 … D − 1 (Fisher and Yates); the draws are numbered from
/// `first`.
std::vector<int> shuffled(int D, int count, const Random& random, std::uint64_t first) {
  std::vector<int> order(static_cast<std::size_t>(D));
  std::iota(order.begin(), order.end(), 0);
  for (int i = 0; i < count; ++i) {
    const auto index = first + static_cast<std::uint64_t>(i);
    const int other = i + static_cast<int>(random.below(index, static_cast<std::uint32_t>(D - i)));
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(other)]);
  }
  order.resize(static_cast<std::size_t>(count));
  return order;
}

}  // namespace

MatrixF64 binary_patterns(int N, int D, std::uint64_t seed, std::uint64_t stream) {
  const Random random(seed, stream);
  MatrixF64 patterns(N, D);
  for (int n = 0; n < N; ++n) {
    const std::uint64_t first = static_cast<std::uint64_t>(n) * pattern_stride;
    for (int c = 0; c < D; ++c)
      patterns.at(n, c) = random.below(first + static_cast<std::uint64_t>(c), 2) == 0 ? -1 : 1;
  }
  return patterns;
}

MatrixF64 hebbian_weights(const MatrixF64& patterns) {
  const int D = patterns.cols();
  MatrixF64 weights(D, D);
  for (int n = 0; n < patterns.rows(); ++n) {
    for (int r = 0; r < D; ++r) {
      for (int c = 0; c < D; ++c) weights.at(r, c) += patterns.at(n, r) * patterns.at(n, c);
    }
  }
  for (int r = 0; r < D; ++r) {
    for (int c = 0; c < D; ++c) weights.at(r, c) = r == c ? 0 : weights.at(r, c) / D;
  }
  return weights;
}

double binary_energy(const MatrixF64& weights, const std::vector<double>& s) {
  HEADLIGHT_CHECK_OP(static_cast<int>(s.size()), ==, weights.rows());
  double energy = 0;
  for (int r = 0; r < weights.rows(); ++r) {
    double field = 0;
    for (int c = 0; c < weights.cols(); ++c) field += weights.at(r, c) * s[static_cast<std::size_t>(c)];
    energy -= s[static_cast<std::size_t>(r)] * field / 2;
  }
  return energy;
}

BinaryTrace binary_retrieval(const MatrixF64& weights, const std::vector<double>& probe,
                             const std::vector<double>& target, std::uint64_t seed, int most_sweeps) {
  const int D = weights.rows();
  HEADLIGHT_CHECK_OP(static_cast<int>(probe.size()), ==, D);
  HEADLIGHT_CHECK_OP(static_cast<int>(target.size()), ==, D);
  const Random random(seed, order_stream);
  BinaryTrace trace;
  trace.state = probe;
  double energy = binary_energy(weights, probe), agree = 0;
  for (std::size_t i = 0; i < probe.size(); ++i) agree += probe[i] * target[i];
  trace.energy.push_back(energy), trace.overlap.push_back(agree / D);
  for (int sweep = 0; sweep < most_sweeps && !trace.settled; ++sweep) {
    trace.settled = true;
    for (const int i : shuffled(D, D, random, static_cast<std::uint64_t>(sweep) * pattern_stride)) {
      const double* row = weights.row(i).data();
      double field = 0;
      for (int j = 0; j < D; ++j) field += row[j] * trace.state[static_cast<std::size_t>(j)];
      double& s = trace.state[static_cast<std::size_t>(i)];
      if (field * s < 0) {
        energy += 2 * field * s;  // the term −s_i Σ_j W_ij s_j of E changes its sign
        s = -s;
        agree += 2 * s * target[static_cast<std::size_t>(i)];
        trace.settled = false, ++trace.flipped;
      }
      trace.energy.push_back(energy), trace.overlap.push_back(agree / D);
    }
  }
  return trace;
}

std::vector<double> with_flips(std::vector<double> s, int flips, std::uint64_t seed, std::uint64_t stream) {
  const int D = static_cast<int>(s.size());
  HEADLIGHT_CHECK(0 <= flips && flips <= D);
  for (const int i : shuffled(D, flips, Random(seed, stream), 0)) s[static_cast<std::size_t>(i)] *= -1;
  return s;
}

}  // namespace headlight::nn
