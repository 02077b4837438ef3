#include "nn/reference_variants.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace headlight::nn {

namespace {

constexpr double score_of_masked = -std::numeric_limits<double>::infinity();

template <class E>
double plane_value(const Tensor<E>& planes, int head, int i, int j) {
  return static_cast<double>(planes.at(planes.depth() == 1 ? 0 : head, i, j));
}

}  // namespace

AttentionTraceF64 attention_from_qkv_f64(const MatrixF64& q, const MatrixF64& k, const MatrixF64& v,
                                         const AttentionOptions& options, const MatrixF64* add) {
  const int T = q.rows(), S = k.rows(), H = options.heads;
  HEADLIGHT_CHECK_OP(H, >=, 1);
  HEADLIGHT_CHECK_OP(q.cols(), ==, k.cols());
  HEADLIGHT_CHECK_OP(v.rows(), ==, k.rows());
  HEADLIGHT_CHECK_OP(q.cols() % H, ==, 0);
  HEADLIGHT_CHECK_OP(v.cols() % H, ==, 0);
  const int d_k = q.cols() / H, d_v = v.cols() / H;
  double scale = options.custom_scale;
  if (options.divide_by_sqrt_d_k) scale = 1 / std::sqrt(static_cast<double>(d_k));
  scale /= options.temperature;
  const PairMask* pairs = options.pairs;
  const std::vector<base::Interval> allowed = allowed_keys(options.mask, T, S);

  AttentionTraceF64 trace;
  trace.q = q, trace.k = k, trace.v = v;
  trace.scores = MatrixF64(H, T, S);
  trace.weights = MatrixF64(H, T, S);
  trace.context = MatrixF64(T, v.cols());
  for (int head = 0; head < H; ++head) {
    for (int i = 0; i < T; ++i) {
      const double* query = q.row(i).data() + head * d_k;
      double* score = trace.scores.row(head, i).data();
      double* weight = trace.weights.row(head, i).data();
      const base::Interval keys = allowed[static_cast<std::size_t>(i)];
      const auto may_read = [&](int j) {
        if (j < keys.begin || j >= keys.end || score[j] == score_of_masked) return false;
        return pairs == nullptr || pairs->allow.empty() || plane_value(pairs->allow, head, i, j) != 0;
      };
      double largest = score_of_masked, sum = 0;
      for (int j = 0; j < S; ++j) {
        const double* key = k.row(j).data() + head * d_k;
        double dot = 0;
        for (int c = 0; c < d_k; ++c) dot += query[c] * key[c];
        score[j] = scale * dot;
        if (add != nullptr) {
          score[j] += plane_value(*add, head, i, j);
        } else if (pairs != nullptr && !pairs->add.empty()) {
          score[j] += plane_value(pairs->add, head, i, j);
        }
        if (may_read(j)) largest = std::max(largest, score[j]);
      }
      for (int j = 0; j < S; ++j) {
        if (may_read(j)) weight[j] = std::exp(score[j] - largest), sum += weight[j];
      }
      if (sum == 0) continue;
      double* context = trace.context.row(i).data() + head * d_v;
      for (int j = 0; j < S; ++j) {
        weight[j] /= sum;
        const double* value = v.row(j).data() + head * d_v;
        for (int c = 0; c < d_v; ++c) context[c] += weight[j] * value[c];
      }
    }
  }
  trace.output = trace.context;
  return trace;
}

MatrixF64 widened(const Matrix& m) {
  MatrixF64 out(m.depth(), m.rows(), m.cols());
  std::copy(m.values().begin(), m.values().end(), out.data());
  return out;
}

}  // namespace headlight::nn
