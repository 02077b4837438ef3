#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/flush.h"
#include "kernels/kernels.h"
#include "kernels/panels.h"
#include "network/network_parts.h"

namespace headlight::nn {

namespace {

using std::size_t;

/// One head: its queries with the keys and values of its group.
class Head {
 public:
  Head(const NetworkAttention& a, int head, Matrix& weights, Matrix* scores, Matrix& context)
      : a_(a), head_(head), weights_(weights), scores_(scores), context_(context) {
    d_ = a.layer.head_dim;
    from_ = head / (a.layer.heads / a.layer.kv_heads) * d_;
    T_ = a.q->rows(), S_ = a.k->rows();
  }

  void run() {
    static thread_local Matrix keys, values;
    const Kernels& kernels = headlight::nn::kernels();
    float* const packed_keys = floats(keys, packed_size(kernels, d_, S_));
    float* const packed_values = floats(values, packed_size(kernels, S_, d_));
    kernels.pack_transposed(a_.k->data() + from_, static_cast<size_t>(a_.k->cols()), d_, S_, packed_keys);
    kernels.pack(a_.v->data() + from_, static_cast<size_t>(a_.v->cols()), S_, d_, packed_values);
    multiply(kernels, {a_.q->data() + head_ * d_, static_cast<size_t>(a_.q->cols())}, packed_keys, d_, S_,
             {weights_.plane(head_), static_cast<size_t>(S_)});
    for (int t = 0; t < T_; ++t) row(kernels, t);
    multiply(kernels, {weights_.plane(head_), static_cast<size_t>(S_)}, packed_values, S_, d_,
             {context_.data() + head_ * d_, static_cast<size_t>(context_.cols())});
  }

 private:
  void multiply(const Kernels& kernels, ConstRows a, const float* b, int depth, int cols, Rows c) const {
    const int width = 2 * kernels.panel;
    for (int col = 0; col < cols; col += width) {
      ProductJob job{};
      job.rows = T_, job.cols = std::min(width, cols - col), job.depth = depth;
      job.a = a.data, job.a_stride = a.stride;
      job.b = b + static_cast<size_t>(col) * static_cast<size_t>(depth);
      job.c = c.data + col, job.c_stride = c.stride;
      kernels.product(job);
    }
  }

  /// Turns products into weights.
  void row(const Kernels& kernels, int t) const {
    float* const w = weights_.row(head_, t).data();
    const int position = S_ - T_ + t;
    const int end = a_.causal ? position + 1 : S_;
    const int begin = a_.causal && a_.layer.window > 0 ? std::max(0, position - a_.layer.window + 1) : 0;
    const bool all = scores_ != nullptr;
    const auto scale = static_cast<float>(a_.layer.scale), cap = static_cast<float>(a_.cap);
    for (int s = all ? 0 : begin; s < (all ? S_ : end); ++s) w[s] *= scale;
    if (cap > 0)
      for (int s = all ? 0 : begin; s < (all ? S_ : end); ++s) w[s] = cap * std::tanh(w[s] / cap);
    if (all) std::copy_n(w, S_, scores_->row(head_, t).data());
    if (!a_.visible.empty()) {
      for (int s = begin; s < end; ++s)
        if (a_.visible[static_cast<size_t>(s)] == 0) w[s] = -std::numeric_limits<float>::infinity();
    }
    kernels.softmax(w + begin, w + begin, end - begin);
    std::fill_n(w, begin, 0.0f);
    std::fill_n(w + end, S_ - end, 0.0f);
  }

  const NetworkAttention& a_;
  int head_, d_, from_, T_, S_;
  Matrix& weights_;
  Matrix* scores_;
  Matrix& context_;
};

}  // namespace

void attend(const NetworkAttention& attention, base::Parallel& parallel, Matrix& weights, Matrix* scores,
            Matrix& context) {
  const NetworkLayer& layer = attention.layer;
  const int T = attention.q->rows(), S = attention.k->rows();
  HEADLIGHT_CHECK_OP(layer.heads % layer.kv_heads, ==, 0);
  HEADLIGHT_CHECK_OP(attention.q->cols(), ==, layer.heads * layer.head_dim);
  HEADLIGHT_CHECK_OP(attention.k->cols(), ==, layer.kv_heads * layer.head_dim);
  HEADLIGHT_CHECK_OP(attention.v->cols(), ==, layer.kv_heads * layer.head_dim);
  HEADLIGHT_CHECK_OP(S, >=, T);
  weights.resize(layer.heads, T, S);
  if (scores != nullptr) scores->resize(layer.heads, T, S);
  context.resize(T, layer.heads * layer.head_dim);
  const auto run = [&](int head) {
    const FlushSubnormals flush;
    Head(attention, head, weights, scores, context).run();
  };
  constexpr double worth_sharing = 1e6;  // multiplications
  if (2.0 * layer.heads * T * S * layer.head_dim >= worth_sharing) {
    parallel.run(layer.heads, run);
  } else {
    for (int head = 0; head < layer.heads; ++head) run(head);
  }
}

}  // namespace headlight::nn
