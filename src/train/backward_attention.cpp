// The backward pass of attention: the heads, the projections around them, and learned relative positions.
#include <cmath>

#include "kernels/flush.h"
#include "kernels/panels.h"
#include "nn/positional.h"
#include "train/backward.h"

namespace headlight::nn {

namespace {

using std::size_t;

/// One head on its kernel. Blocked pairs are recognized by their weight, 0.
void head_back(const AttentionTrace& trace, int head, double scale, const Matrix& d_context,
               const Matrix* d_weights, HeadGradients<float>& g) {
  HEADLIGHT_CHECK(d_weights == nullptr);  // model_backward() passes this part to the kernel itself
  const FlushSubnormals flush;
  const Kernels& kernels = headlight::nn::kernels();
  const int T = trace.q.rows(), S = trace.k.rows(), H = trace.weights.depth();
  const int d_k = trace.q.cols() / H, d_v = trace.v.cols() / H;
  const std::vector<KeyRange> everything(static_cast<size_t>(T), KeyRange{0, S});
  Matrix scratch;
  HeadGradient job{};
  job.T = T, job.S = S, job.d_k_width = d_k, job.d_v_width = d_v;
  job.q = trace.q.data() + head * d_k, job.k = trace.k.data() + head * d_k;
  job.v = trace.v.data() + head * d_v, job.d_context = d_context.data() + head * d_v;
  job.q_stride = job.k_stride = job.d_q_stride = job.d_k_stride = static_cast<size_t>(trace.q.cols());
  job.v_stride = job.d_context_stride = job.d_v_stride = static_cast<size_t>(trace.v.cols());
  job.weights = trace.weights.plane(head);
  job.allowed = everything.data();
  job.d_q = g.q.data() + head * d_k, job.d_k = g.k.data() + head * d_k, job.d_v = g.v.data() + head * d_v;
  job.d_scores = g.scores.plane(head);
  job.scratch = floats(scratch, head_gradient_scratch(kernels, T, S, d_k, d_v));
  job.scale = static_cast<float>(scale);
  kernels.head_gradient(job);
}

/// One head by the plain equations.
void head_back(const AttentionTraceF64& trace, int head, double scale, const MatrixF64& d_context,
               const MatrixF64* d_weights, HeadGradients<double>& g) {
  const int T = trace.q.rows(), S = trace.k.rows(), H = trace.weights.depth();
  const int d_k = trace.q.cols() / H, d_v = trace.v.cols() / H, at_k = head * d_k, at_v = head * d_v;
  for (int i = 0; i < T; ++i) {
    std::vector<double> d_weight(static_cast<size_t>(S));
    double mean = 0;
    for (int j = 0; j < S; ++j) {
      const double a = trace.weights.at(head, i, j);
      const double kept = trace.kept.empty() ? 1 : trace.kept.at(head, i, j);
      double d = d_weights != nullptr ? d_weights->at(head, i, j) : 0;
      for (int c = 0; c < d_v; ++c) {
        d += kept * d_context.at(i, at_v + c) * trace.v.at(j, at_v + c);
        g.v.at(j, at_v + c) += a * kept * d_context.at(i, at_v + c);
      }
      d_weight[static_cast<size_t>(j)] = d;
      mean += a * d;
    }
    for (int j = 0; j < S; ++j) {
      const double d = trace.weights.at(head, i, j) * (d_weight[static_cast<size_t>(j)] - mean);
      g.scores.at(head, i, j) = d;
      for (int c = 0; c < d_k; ++c) {
        g.q.at(i, at_k + c) += scale * d * trace.k.at(j, at_k + c);
        g.k.at(j, at_k + c) += scale * d * trace.q.at(i, at_k + c);
      }
    }
  }
}

template <class E>
void project_back(const Tensor<E>& x, const Tensor<E>& w, const Tensor<E>& b, const Tensor<E>& dy,
                  base::Parallel& parallel, Tensor<E>& dx, Tensor<E>& d_w, Tensor<E>& d_b) {
  if (b.empty()) d_b.resize(0, 0);
  linear_backward(x, w, dy, parallel, &dx, d_w, b.empty() ? nullptr : &d_b);
}

}  // namespace

double score_scale(const AttentionOptions& options, int d_k) {
  const double scale =
      options.divide_by_sqrt_d_k ? 1 / std::sqrt(static_cast<double>(d_k)) : options.custom_scale;
  return scale / options.temperature;
}

template <class E>
void heads_backward(const AttentionTraceOf<E>& trace, double scale, const Tensor<E>& d_context,
                    base::Parallel& parallel, HeadGradients<E>& g, const Tensor<E>* d_weights) {
  const int T = trace.q.rows(), S = trace.k.rows(), H = trace.weights.depth();
  if (d_weights != nullptr) HEADLIGHT_CHECK_OP(d_weights->size(), ==, trace.weights.size());
  HEADLIGHT_CHECK_OP(d_context.rows(), ==, T);
  HEADLIGHT_CHECK_OP(d_context.cols(), ==, trace.v.cols());
  g.q.resize(T, trace.q.cols()), g.k.resize(S, trace.k.cols()), g.v.resize(S, trace.v.cols());
  g.scores.resize(H, T, S);
  g.q.fill(0), g.k.fill(0), g.v.fill(0);
  parallel.run(H, [&](int head) { head_back(trace, head, scale, d_context, d_weights, g); });
}

template <class E>
void attention_backward(const Tensor<E>& x, const Tensor<E>& x_kv, const AttentionWeightsOf<E>& weights,
                        const AttentionTraceOf<E>& trace, const AttentionOptions& options,
                        const Tensor<E>& dy, base::Parallel& parallel, AttentionGradients<E>& g,
                        const Tensor<E>* d_weights) {
  Tensor<E> d_context;
  if (weights.w_o.empty()) {
    d_context = dy;
    g.weights.w_o.resize(0, 0), g.weights.b_o.resize(0, 0);
  } else {
    project_back(trace.context, weights.w_o, weights.b_o, dy, parallel, d_context, g.weights.w_o,
                 g.weights.b_o);
  }
  const int heads = trace.weights.depth();
  heads_backward(trace, score_scale(options, trace.q.cols() / heads), d_context, parallel, g.heads,
                 d_weights);
  if (options.rope) {
    rotate_back(*options.rope, heads, g.heads.q, static_cast<long>(x_kv.rows()) - x.rows());
    rotate_back(*options.rope, heads, g.heads.k);
  }
  project_back(x, weights.w_q, weights.b_q, g.heads.q, parallel, g.x, g.weights.w_q, g.weights.b_q);
  Tensor<E> from_keys;
  project_back(x_kv, weights.w_k, weights.b_k, g.heads.k, parallel, from_keys, g.weights.w_k, g.weights.b_k);
  project_back(x_kv, weights.w_v, weights.b_v, g.heads.v, parallel, g.x_kv, g.weights.w_v, g.weights.b_v);
  for (size_t i = 0; i < from_keys.size(); ++i) g.x_kv.data()[i] += from_keys.data()[i];
}

template <class E>
void t5_bias_backward(const T5Buckets& buckets, const Tensor<E>& d_scores, int first_query,
                      Tensor<E>& d_table) {
  const int H = d_scores.depth();
  d_table.resize(buckets.count, H);
  d_table.fill(0);
  for (int i = 0; i < d_scores.rows(); ++i) {
    for (int j = 0; j < d_scores.cols(); ++j) {
      const int bucket = t5_bucket(buckets, j - i - first_query);
      for (int head = 0; head < H; ++head) d_table.at(bucket, head) += d_scores.at(head, i, j);
    }
  }
}

template <class E>
void rotate_back(const RopeSpec& spec, int heads, Tensor<E>& dq, long first) {
  HEADLIGHT_CHECK_OP(dq.cols() % heads, ==, 0);
  const int d = dq.cols() / heads, width = spec.rotary_dim == 0 ? d / 2 * 2 : spec.rotary_dim;
  HEADLIGHT_CHECK(width <= d && width % 2 == 0);
  if (width == 0) return;
  const std::vector<double> omega = frequencies(width, spec.base);
  const bool half = spec.pairs == RopePairs::half;
  for (int t = 0; t < dq.rows(); ++t) {
    for (int j = 0; j < width / 2; ++j) {
      const double angle = static_cast<double>(spec.offset + first + t) * omega[static_cast<size_t>(j)];
      const double cosine = std::cos(angle), sine = std::sin(angle);
      for (int head = 0; head < heads; ++head) {
        E& a = dq.at(t, head * d + (half ? j : 2 * j));
        E& b = dq.at(t, head * d + (half ? j + width / 2 : 2 * j + 1));
        const double da = static_cast<double>(a), db = static_cast<double>(b);
        a = static_cast<E>(da * cosine + db * sine);
        b = static_cast<E>(db * cosine - da * sine);
      }
    }
  }
}

#define HEADLIGHT_FOR_ELEMENT(E)                                                                          \
  template void heads_backward(const AttentionTraceOf<E>&, double, const Tensor<E>&, base::Parallel&,     \
                               HeadGradients<E>&, const Tensor<E>*);                                      \
  template void attention_backward(const Tensor<E>&, const Tensor<E>&, const AttentionWeightsOf<E>&,      \
                                   const AttentionTraceOf<E>&, const AttentionOptions&, const Tensor<E>&, \
                                   base::Parallel&, AttentionGradients<E>&, const Tensor<E>*);            \
  template void t5_bias_backward(const T5Buckets&, const Tensor<E>&, int, Tensor<E>&);                    \
  template void rotate_back(const RopeSpec&, int, Tensor<E>&, long)
HEADLIGHT_FOR_ELEMENT(float);
HEADLIGHT_FOR_ELEMENT(double);
#undef HEADLIGHT_FOR_ELEMENT

}  // namespace headlight::nn
