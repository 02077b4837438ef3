#include "support/oracles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "nn/linear.h"
#include "nn/reference_variants.h"

namespace headlight::nn {

namespace {

struct Projected {
  MatrixF64 q, k, v;
};

Projected projected(const MatrixF64& x, const MatrixF64& x_kv, const AttentionWeights& weights) {
  base::Parallel alone(1);
  Projected out;
  linear(x, weights.w_q, weights.b_q, alone, out.q);
  linear(x_kv, weights.w_k, weights.b_k, alone, out.k);
  linear(x_kv, weights.w_v, weights.b_v, alone, out.v);
  return out;
}

void project_output(const AttentionWeights& weights, AttentionTraceF64& trace) {
  base::Parallel alone(1);
  trace.output = trace.context;
  if (!weights.w_o.empty()) linear(trace.context, weights.w_o, weights.b_o, alone, trace.output);
}

/// The row of a table [2·clip + 1, d] for query i and key j.
int row_of(const Matrix& table, int i, int j) {
  const int clip = (table.rows() - 1) / 2;
  return std::clamp(j - i, -clip, clip) + clip;
}

}  // namespace

MatrixF64 softmax_rows_f64(const Matrix& x) {
  MatrixF64 y(x.depth(), x.rows(), x.cols());
  for (int n = 0; n < x.depth(); ++n) {
    for (int r = 0; r < x.rows(); ++r) {
      double largest = -std::numeric_limits<double>::infinity(), sum = 0;
      for (int c = 0; c < x.cols(); ++c) largest = std::max(largest, static_cast<double>(x.at(n, r, c)));
      if (std::isinf(largest)) continue;
      for (int c = 0; c < x.cols(); ++c) sum += std::exp(static_cast<double>(x.at(n, r, c)) - largest);
      for (int c = 0; c < x.cols(); ++c)
        y.at(n, r, c) = std::exp(static_cast<double>(x.at(n, r, c)) - largest) / sum;
    }
  }
  return y;
}

AttentionTraceF64 biased_attention_forward_f64(const MatrixF64& x, const MatrixF64& x_kv,
                                               const AttentionWeights& weights,
                                               const AttentionOptions& options, const MatrixF64& bias) {
  const Projected in = projected(x, x_kv, weights);
  AttentionTraceF64 trace = attention_from_qkv_f64(in.q, in.k, in.v, options, &bias);
  project_output(weights, trace);
  return trace;
}

AttentionTraceF64 shaw_attention_forward_f64(const MatrixF64& x, const MatrixF64& x_kv,
                                             const AttentionWeights& weights, const ShawTables& tables,
                                             const AttentionOptions& options) {
  const Projected in = projected(x, x_kv, weights);
  const int H = options.heads, T = x.rows(), S = x_kv.rows(), first = S - T;
  const int d_k = in.q.cols() / H, d_v = in.v.cols() / H;
  const double scale =
      (options.divide_by_sqrt_d_k ? 1 / std::sqrt(static_cast<double>(d_k)) : options.custom_scale) /
      options.temperature;
  MatrixF64 add(H, T, S);
  add.fill(0);
  for (int head = 0; head < H && !tables.rel_k.empty(); ++head)
    for (int i = 0; i < T; ++i)
      for (int j = 0; j < S; ++j)
        for (int c = 0; c < d_k; ++c)
          add.at(head, i, j) += scale * in.q.at(i, head * d_k + c) *
                                static_cast<double>(tables.rel_k.at(row_of(tables.rel_k, first + i, j), c));
  AttentionTraceF64 trace = attention_from_qkv_f64(in.q, in.k, in.v, options, &add);
  for (int head = 0; head < H && !tables.rel_v.empty(); ++head)
    for (int i = 0; i < T; ++i)
      for (int j = 0; j < S; ++j)
        for (int c = 0; c < d_v; ++c)
          trace.context.at(i, head * d_v + c) +=
              trace.weights.at(head, i, j) *
              static_cast<double>(tables.rel_v.at(row_of(tables.rel_v, first + i, j), c));
  project_output(weights, trace);
  return trace;
}

double hopfield_energy(const Matrix& patterns, double beta, const double* point, bool with_constants) {
  double sum = 0, own = 0, longest = 0;
  for (int c = 0; c < patterns.cols(); ++c) own += point[c] * point[c];
  std::vector<double> products;
  for (int n = 0; n < patterns.rows(); ++n) {
    double dot = 0, square = 0;
    for (int c = 0; c < patterns.cols(); ++c) {
      const auto value = static_cast<double>(patterns.at(n, c));
      dot += value * point[c], square += value * value;
    }
    products.push_back(beta * dot);
    longest = std::max(longest, square);
  }
  const double largest = *std::max_element(products.begin(), products.end());
  for (const double product : products) sum += std::exp(product - largest);
  const double energy = own / 2 - (largest + std::log(sum)) / beta;
  return with_constants ? energy + std::log(static_cast<double>(patterns.rows())) / beta + longest / 2
                        : energy;
}

}  // namespace headlight::nn
