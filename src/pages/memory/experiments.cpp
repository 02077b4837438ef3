#include "pages/memory/experiments.h"

#include <algorithm>
#include <cmath>

#include "nn/cost.h"
#include "nn/linear_attention.h"
#include "nn/random.h"
#include "scene/scene.h"

namespace headlight::scene {

namespace {

constexpr std::uint64_t error_stream = 0x4C494E, influence_stream = 0x464F52;

nn::MatrixF64 drawn(int rows, int cols, std::uint64_t seed, std::uint64_t stream) {
  nn::Matrix values(rows, cols);
  nn::Random(seed, stream).normals(0, values.values());
  nn::MatrixF64 out(rows, cols);
  std::copy(values.values().begin(), values.values().end(), out.values().begin());
  return out;
}

/// softmax(q kᵀ / √d) for one query.
std::vector<double> softmax_row(const nn::MatrixF64& q, int i, const nn::MatrixF64& k) {
  const int T = k.rows(), d = k.cols();
  std::vector<double> weights(static_cast<std::size_t>(T));
  double largest = -INFINITY, sum = 0;
  for (int j = 0; j < T; ++j) {
    double dot = 0;
    for (int c = 0; c < d; ++c) dot += q.at(i, c) * k.at(j, c);
    weights[static_cast<std::size_t>(j)] = dot / std::sqrt(static_cast<double>(d));
    largest = std::max(largest, weights[static_cast<std::size_t>(j)]);
  }
  for (double& weight : weights) sum += weight = std::exp(weight - largest);
  for (double& weight : weights) weight /= sum;
  return weights;
}

LinearError error_at(int T, int d, std::uint64_t seed) {
  const auto [q, k, v] = error_draw(T, d, seed);
  LinearError out;
  out.T = T;
  const nn::LayerSize size{T, d, 1};
  out.softmax_cost = nn::cost_of(nn::Architecture::self_attention, size).multiplications;
  out.linear_cost = nn::cost_of(nn::Architecture::linear_attention, size).multiplications;
  nn::LinearAttentionOptions options;
  options.feature = nn::Feature::elu1;
  const nn::MatrixF64 elu1 = nn::linear_attention(q, k, v, options).output;
  options.feature = nn::Feature::identity;
  const nn::MatrixF64 identity = nn::linear_attention(q, k, v, options).output;
  for (int i = 0; i < T; ++i) {
    const std::vector<double> weights = softmax_row(q, i, k);
    double length = 0, off_elu1 = 0, off_identity = 0;
    for (int c = 0; c < d; ++c) {
      double y = 0;
      for (int j = 0; j < T; ++j) y += weights[static_cast<std::size_t>(j)] * v.at(j, c);
      length += y * y;
      off_elu1 += (elu1.at(i, c) - y) * (elu1.at(i, c) - y);
      off_identity += (identity.at(i, c) - y) * (identity.at(i, c) - y);
    }
    out.elu1 += std::sqrt(off_elu1 / length) / T;
    out.identity += std::sqrt(off_identity / length) / T;
  }
  return out;
}

/// Adds up the length of J = ∂h_T / ∂h_t at every distance. Walks back from h_T: J becomes J · ∂h_t /
/// ∂h_(t−1).
void add_recurrence(int d, std::uint64_t seed, std::vector<Influence>& influence) {
  constexpr int T = influence_tokens;
  const nn::RecurrenceWeights weights = nn::random_recurrence_weights(d, d, seed);
  nn::Matrix x(T, d), h;
  nn::Random(seed, influence_stream).normals(0, x.values());
  nn::recurrence(x, weights, h);
  std::vector<double> j(static_cast<std::size_t>(d * d), 0.0), next(j.size());
  const auto at = [d](int r, int c) { return static_cast<std::size_t>(r * d + c); };
  for (int c = 0; c < d; ++c) j[at(c, c)] = 1;
  for (int distance = 0; distance < T; ++distance) {
    double square = 0;
    for (const double value : j) square += value * value;
    influence[static_cast<std::size_t>(distance)].recurrence += std::sqrt(square / d) / influence_draws;
    // ∂h_t[r] / ∂h_(t−1)[c] = (1 − h_t[r]²) W_h[c, r]
    const int t = T - 1 - distance;
    for (int r = 0; r < d; ++r) {
      for (int c = 0; c < d; ++c) {
        double sum = 0;
        for (int m = 0; m < d; ++m) {
          const double state = static_cast<double>(h.at(t, m));
          sum += j[at(r, m)] * (1 - state * state) * static_cast<double>(weights.w_h.at(c, m));
        }
        next[at(r, c)] = sum;
      }
    }
    j.swap(next);
  }
}

void add_attention(int d, std::uint64_t seed, std::vector<Influence>& influence) {
  constexpr int T = influence_tokens;
  const std::vector<double> weights =
      softmax_row(drawn(T, d, seed, influence_stream + 1), T - 1, drawn(T, d, seed, influence_stream + 2));
  for (int distance = 0; distance < T; ++distance)
    influence[static_cast<std::size_t>(distance)].attention +=
        weights[static_cast<std::size_t>(T - 1 - distance)] / influence_draws;
}

}  // namespace

ErrorDraw error_draw(int T, int d, std::uint64_t seed) {
  return {drawn(T, d, seed, error_stream), drawn(T, d, seed, error_stream + 1),
          drawn(T, d, seed, error_stream + 2)};
}

MemoryExperiments memory_experiments(const Scene& scene) {
  MemoryExperiments out;
  out.width = scene.memory.width;
  const auto seed = static_cast<std::uint64_t>(scene.seed);
  for (int T = 4; T <= longest_error; T *= 2) out.errors.push_back(error_at(T, out.width, seed));
  for (int distance = 0; distance < influence_tokens; ++distance) out.influence.push_back({distance, 0, 0});
  for (int draw = 0; draw < influence_draws; ++draw) {
    const std::uint64_t one = seed * influence_draws + static_cast<std::uint64_t>(draw);
    add_recurrence(out.width, one, out.influence);
    add_attention(out.width, one, out.influence);
  }
  return out;
}

}  // namespace headlight::scene
