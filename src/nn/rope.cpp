#include "nn/rope.h"

#include <cmath>
#include <vector>

#include "nn/linear.h"
#include "nn/positional.h"
#include "nn/reference_variants.h"

namespace headlight::nn {

template <class E>
void rotate(const RopeSpec& spec, int heads, Tensor<E>& q, long first) {
  HEADLIGHT_CHECK_OP(heads, >=, 1);
  HEADLIGHT_CHECK_OP(q.cols() % heads, ==, 0);
  const int d = q.cols() / heads, width = spec.rotary_dim == 0 ? d / 2 * 2 : spec.rotary_dim;
  HEADLIGHT_CHECK_OP(width, <=, d);
  HEADLIGHT_CHECK_OP(width % 2, ==, 0);
  if (width == 0) return;
  const std::vector<double> omega = frequencies(width, spec.base);
  const int pairs = width / 2;
  const int step = spec.pairs == RopePairs::interleaved ? 2 : 1;
  const int across = spec.pairs == RopePairs::interleaved ? 1 : pairs;
  for (int t = 0; t < q.rows(); ++t) {
    const double position = static_cast<double>(spec.offset + first + t);
    for (int j = 0; j < pairs; ++j) {
      const Rotation turn = rotation(position, omega[static_cast<std::size_t>(j)]);
      const double cosine = turn[0][0], sine = turn[0][1];
      E* a = q.row(t).data() + step * j;
      for (int head = 0; head < heads; ++head, a += d) {
        const double x = static_cast<double>(a[0]), y = static_cast<double>(a[across]);
        a[0] = static_cast<E>(x * cosine - y * sine);
        a[across] = static_cast<E>(x * sine + y * cosine);
      }
    }
  }
}

template void rotate(const RopeSpec&, int, Tensor<float>&, long);
template void rotate(const RopeSpec&, int, Tensor<double>&, long);

void rope_attention_forward(const Matrix& x, const Matrix& x_kv, const AttentionWeights& weights,
                            const AttentionOptions& options, const RopeSpec& spec, base::Parallel& parallel,
                            AttentionTrace& trace) {
  linear(x, weights.w_q, weights.b_q, parallel, trace.q);
  linear(x_kv, weights.w_k, weights.b_k, parallel, trace.k);
  linear(x_kv, weights.w_v, weights.b_v, parallel, trace.v);
  rotate(spec, options.heads, trace.q, static_cast<long>(x_kv.rows()) - x.rows());
  rotate(spec, options.heads, trace.k);
  attention_from_qkv(options, parallel, trace);
  if (!weights.w_o.empty()) linear(trace.context, weights.w_o, weights.b_o, parallel, trace.output);
}

AttentionTraceF64 rope_attention_forward_f64(const MatrixF64& x, const MatrixF64& x_kv,
                                             const AttentionWeights& weights, const AttentionOptions& options,
                                             const RopeSpec& spec) {
  base::Parallel alone(1);
  MatrixF64 q, k, v;
  linear(x, weights.w_q, weights.b_q, alone, q);
  linear(x_kv, weights.w_k, weights.b_k, alone, k);
  linear(x_kv, weights.w_v, weights.b_v, alone, v);
  rotate(spec, options.heads, q, static_cast<long>(x_kv.rows()) - x.rows());
  rotate(spec, options.heads, k);
  AttentionTraceF64 trace = attention_from_qkv_f64(q, k, v, options, nullptr);
  if (!weights.w_o.empty()) linear(trace.context, weights.w_o, weights.b_o, alone, trace.output);
  return trace;
}

}  // namespace headlight::nn
