#include "train/depth.h"

#include <cmath>
#include <limits>

#include "nn/random.h"
#include "train/backward.h"

namespace headlight::nn {

namespace {

double norm(const Matrix& x) {
  double sum = 0;
  for (const float value : x.values()) sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum);
}

}  // namespace

double token_similarity(const Matrix& x) {
  const int T = x.rows(), D = x.cols();
  // For unit vectors u, Σ over pairs of cosines = (‖Σ u‖² − Σ ‖u‖²) / 2.
  std::vector<double> sum(static_cast<std::size_t>(D));
  double own = 0;
  for (int t = 0; t < T; ++t) {
    double square = 0;
    for (const float value : x.row(t)) square += static_cast<double>(value) * static_cast<double>(value);
    if (square == 0) continue;
    const double length = std::sqrt(square);
    for (int c = 0; c < D; ++c) sum[static_cast<std::size_t>(c)] += static_cast<double>(x.at(t, c)) / length;
    own += 1;
  }
  double all = 0;
  for (const double value : sum) all += value * value;
  return own < 2 ? std::numeric_limits<double>::quiet_NaN() : (all - own) / (own * (own - 1));
}

double token_spread(const Matrix& x) {
  const int T = x.rows(), D = x.cols();
  const double whole = norm(x);
  if (whole == 0) return std::numeric_limits<double>::quiet_NaN();
  double apart = 0;
  for (int c = 0; c < D; ++c) {
    double mean = 0;
    for (int t = 0; t < T; ++t) mean += static_cast<double>(x.at(t, c)) / T;
    for (int t = 0; t < T; ++t) {
      const double off = static_cast<double>(x.at(t, c)) - mean;
      apart += off * off;
    }
  }
  return std::sqrt(apart) / whole;
}

std::vector<DepthStatistics> depth_statistics(const StackWeights& weights, const BlockOptions& options,
                                              const StackTrace<float>& trace, std::uint64_t seed,
                                              base::Parallel& parallel) {
  std::vector<DepthStatistics> statistics;
  if (trace.layers.empty()) return statistics;
  const auto add = [&](const Matrix& x) { statistics.push_back({token_similarity(x), token_spread(x), 0}); };
  add(trace.layers.front().input);
  for (const BlockTrace<float>& layer : trace.layers) add(layer.output);
  const Matrix& last = trace.layers.back().output;
  Matrix d(last.rows(), last.cols());
  const Random random(seed, 0x6465707468ull);
  random.normals(0, d.values());
  const float share = 1 / std::sqrt(static_cast<float>(d.size()));
  for (float& value : d.values()) value *= share;
  statistics.back().gradient = norm(d);
  for (std::size_t l = trace.layers.size(); l-- > 0;) {
    BlockGradients<float> gradients;
    block_backward(weights.layers[l], options, trace.layers[l], d, parallel, gradients);
    d = std::move(gradients.x);
    statistics[l].gradient = norm(d);
  }
  return statistics;
}

}  // namespace headlight::nn
