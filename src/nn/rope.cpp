#include "nn/rope.h"

#include <cmath>
#include <vector>

#include "nn/positional.h"

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
  AttentionOptions rotated = options;
  rotated.rope = spec;
  attention_forward(x, x_kv, weights, rotated, parallel, trace);
}

}  // namespace headlight::nn
