#include "pages/memory/sizes.h"

#include <algorithm>
#include <cmath>

#include "nn/linear_attention.h"
#include "nn/projected_attention.h"
#include "nn/random_features.h"
#include "pages/memory/experiments.h"
#include "scene/scene.h"

namespace headlight::scene {

namespace {

constexpr std::uint64_t direction_stream = 0x4F4D454741;

/// Mean over queries of ‖y − exact‖ / ‖exact‖.
double relative_error(const nn::MatrixF64& y, const nn::MatrixF64& exact) {
  double error = 0;
  for (int i = 0; i < y.rows(); ++i) {
    double off = 0, length = 0;
    for (int c = 0; c < y.cols(); ++c) {
      off += (y.at(i, c) - exact.at(i, c)) * (y.at(i, c) - exact.at(i, c));
      length += exact.at(i, c) * exact.at(i, c);
    }
    error += std::sqrt(off / length) / y.rows();
  }
  return error;
}

double keys_error(const ErrorDraw& draw, const nn::MatrixF64& exact, int r) {
  const nn::MatrixF64 projection = nn::mean_projection(r, draw.k.rows());
  return relative_error(nn::projected_attention(draw.q, draw.k, draw.v, projection), exact);
}

/// Weighted means of v, [T, T] similarities as weights. They are those of the first features of φ(q) and
/// φ(k): the factor 1/√m is the same in all weights of a row, and the normaliser cancels it.
nn::MatrixF64 weighted(const nn::MatrixF64& similar, const nn::MatrixF64& v) {
  nn::MatrixF64 y(similar.rows(), v.cols());
  for (int i = 0; i < y.rows(); ++i) {
    const double* weights = similar.row(i).data();
    double* out = y.row(i).data();
    double sum = 0;
    for (int j = 0; j < v.rows(); ++j) {
      sum += weights[j];
      const double* value = v.row(j).data();
      for (int c = 0; c < v.cols(); ++c) out[c] += weights[j] * value[c];
    }
    for (int c = 0; c < v.cols(); ++c) out[c] /= sum;
  }
  return y;
}

/// [T, m] to [m, T]: the values of a feature for all tokens are contiguous.
nn::MatrixF64 by_feature(const nn::MatrixF64& phi) {
  nn::MatrixF64 out(phi.cols(), phi.rows());
  for (int t = 0; t < phi.rows(); ++t) {
    for (int m = 0; m < phi.cols(); ++m) out.at(m, t) = phi.at(t, m);
  }
  return out;
}

/// Adds the errors of the first 1, 2, 4, … features of each draw of ω, and of the scene's first m.
void add_features(const ErrorDraw& draw, const nn::MatrixF64& exact, std::uint64_t seed, SizeErrors& out) {
  const int T = draw.q.rows();
  for (int n = 0; n < size_draws; ++n) {
    const auto stream = direction_stream + static_cast<std::uint64_t>(n);
    const nn::Matrix directions = nn::random_directions(most_memory_features, out.width, seed, stream);
    const nn::MatrixF64 phi_q = by_feature(nn::random_features(draw.q, directions)),
                        phi_k = by_feature(nn::random_features(draw.k, directions));
    nn::MatrixF64 similar(T, T);
    std::size_t next = 0;
    for (int m = 1; m <= most_memory_features; ++m) {
      const double *of_q = phi_q.row(m - 1).data(), *of_k = phi_k.row(m - 1).data();
      for (int i = 0; i < T; ++i) {
        double* row = similar.row(i).data();
        for (int j = 0; j < T; ++j) row[j] += of_q[i] * of_k[j];
      }
      const bool listed = out.sizes[next].size == m;
      if (!listed && m != out.m) continue;
      const double error = relative_error(weighted(similar, draw.v), exact) / size_draws;
      if (listed) out.sizes[next++].features += error;
      if (m == out.m) out.at_m += error;
    }
  }
}

}  // namespace

SizeErrors memory_sizes(const Scene& scene) {
  const auto seed = static_cast<std::uint64_t>(scene.seed);
  SizeErrors out;
  out.width = scene.memory.width;
  out.m = scene.memory.features, out.r = scene.memory.keys;
  for (int size = 1; size <= most_memory_features; size *= 2) out.sizes.push_back({.size = size});
  const ErrorDraw draw = error_draw(size_tokens, out.width, seed);
  const nn::MatrixF64 exact =
      nn::projected_attention(draw.q, draw.k, draw.v, nn::mean_projection(size_tokens, size_tokens));
  add_features(draw, exact, seed, out);
  for (SizeError& one : out.sizes) {
    if (one.size <= size_tokens) one.keys = keys_error(draw, exact, one.size);
  }
  out.at_r = keys_error(draw, exact, out.r);
  nn::LinearAttentionOptions elu1;
  elu1.feature = nn::Feature::elu1;
  out.elu1 = relative_error(nn::linear_attention(draw.q, draw.k, draw.v, elu1).output, exact);
  return out;
}

}  // namespace headlight::scene
