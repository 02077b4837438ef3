// The backward pass of the block: feed-forward, and the two orders of norm and residual.
#include "train/backward.h"

namespace headlight::nn {

namespace {

template <class E>
void add_to(Tensor<E>& sum, const Tensor<E>& more) {
  HEADLIGHT_CHECK_OP(sum.size(), ==, more.size());
  for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += more.data()[i];
}

/// Passes the gradient back from stage to stage.
template <class E>
class BlockBack {
 public:
  BlockBack(const BlockWeightsOf<E>& weights, const BlockOptions& options, const BlockTrace<E>& trace,
            base::Parallel& parallel, BlockGradients<E>& gradients, const Tensor<E>* d_weights)
      : w_(weights),
        options_(options),
        trace_(trace),
        parallel_(parallel),
        g_(gradients),
        d_weights_(d_weights) {}

  /// The forward pass is y = ln2(a + ffn(ln2(a))), a = ln1(x + attn(ln1(x))). Of the two ln1 at most one
  /// applies, and of the two ln2 likewise; without residual connections the sums have one term.
  void run(const Tensor<E>& dy) {
    const bool pre = options_.norm == NormPlace::pre, post = options_.norm == NormPlace::post;
    Tensor<E> d_sum = dy, d_after = dy;
    if (options_.feed_forward) {
      if (post) norm2(trace_.ffn_sum, dy, d_sum);
      d_after = feed_forward(dropped(d_sum, trace_.kept_ffn));
      if (pre) norm2(trace_.after_attention, d_after, d_after);
      if (options_.residual) add_to(d_after, d_sum);
    }
    if (post) norm1(trace_.attention_sum, d_after, d_after);
    g_.x = attention(dropped(d_after, trace_.kept_attention));
    if (pre) norm1(trace_.input, g_.x, g_.x);
    if (options_.residual) add_to(g_.x, d_after);
  }

 private:
  static Tensor<E> dropped(const Tensor<E>& d, const Tensor<E>& kept) {
    Tensor<E> out = d;
    for (std::size_t i = 0; i < kept.size(); ++i) out.data()[i] *= kept.data()[i];
    return out;
  }

  Tensor<E> feed_forward(const Tensor<E>& dy) {
    Tensor<E> dx;
    ffn_backward(trace_.ffn_input, trace_.hidden, trace_.activated, w_, options_.activation, dy, parallel_,
                 dx, g_.weights);
    return dx;
  }

  Tensor<E> attention(const Tensor<E>& dy) {
    const Tensor<E>& x = trace_.attention_input;
    AttentionGradients<E> g;
    attention_backward(x, x, w_.attention, trace_.attention, options_.attention, dy, parallel_, g,
                       d_weights_);
    g_.weights.attention = std::move(g.weights);
    g_.scores = std::move(g.heads.scores);
    add_to(g.x, g.x_kv);
    return std::move(g.x);
  }

  void norm1(const Tensor<E>& x, const Tensor<E>& dy, Tensor<E>& dx) {
    layer_norm_backward(x, w_.ln1_g, options_.eps, dy, dx, g_.weights.ln1_g, g_.weights.ln1_b);
  }
  void norm2(const Tensor<E>& x, const Tensor<E>& dy, Tensor<E>& dx) {
    layer_norm_backward(x, w_.ln2_g, options_.eps, dy, dx, g_.weights.ln2_g, g_.weights.ln2_b);
  }

  const BlockWeightsOf<E>& w_;
  const BlockOptions& options_;
  const BlockTrace<E>& trace_;
  base::Parallel& parallel_;
  BlockGradients<E>& g_;
  const Tensor<E>* d_weights_;
};

}  // namespace

template <class E>
void ffn_backward(const Tensor<E>& x, const Tensor<E>& hidden, const Tensor<E>& activated,
                  const BlockWeightsOf<E>& weights, Activation activation, const Tensor<E>& dy,
                  base::Parallel& parallel, Tensor<E>& dx, BlockWeightsOf<E>& g) {
  Tensor<E> d_hidden;
  linear_backward(activated, weights.w_2, dy, parallel, &d_hidden, g.w_2,
                  weights.b_2.empty() ? nullptr : &g.b_2);
  activate_backward(activation, hidden, d_hidden, d_hidden);
  linear_backward(x, weights.w_1, d_hidden, parallel, &dx, g.w_1, weights.b_1.empty() ? nullptr : &g.b_1);
}

template <class E>
void block_backward(const BlockWeightsOf<E>& weights, const BlockOptions& options, const BlockTrace<E>& trace,
                    const Tensor<E>& dy, base::Parallel& parallel, BlockGradients<E>& gradients,
                    const Tensor<E>* d_weights) {
  BlockBack<E> back(weights, options, trace, parallel, gradients, d_weights);
  back.run(dy);
}

#define HEADLIGHT_FOR_ELEMENT(E)                                                                             \
  template void ffn_backward(const Tensor<E>&, const Tensor<E>&, const Tensor<E>&, const BlockWeightsOf<E>&, \
                             Activation, const Tensor<E>&, base::Parallel&, Tensor<E>&, BlockWeightsOf<E>&); \
  template void block_backward(const BlockWeightsOf<E>&, const BlockOptions&, const BlockTrace<E>&,          \
                               const Tensor<E>&, base::Parallel&, BlockGradients<E>&, const Tensor<E>*)
HEADLIGHT_FOR_ELEMENT(float);
HEADLIGHT_FOR_ELEMENT(double);
#undef HEADLIGHT_FOR_ELEMENT

}  // namespace headlight::nn
