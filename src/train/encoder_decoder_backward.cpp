// The backward pass goes through the decoder, then through the encoder. Each decoder layer's attention over
// the source adds its gradient to the encoder's output.
#include "train/encoder_decoder_parts.h"

namespace headlight::nn {

namespace {

using std::size_t;

template <class E>
using LayerOf = typename EncoderDecoderTrace<E>::Layer;

template <class E>
void add_to(Tensor<E>& sum, const Tensor<E>& more) {
  HEADLIGHT_CHECK_OP(sum.size(), ==, more.size());
  for (size_t i = 0; i < sum.size(); ++i) sum.data()[i] += more.data()[i];
}

template <class E>
class Back {
 public:
  Back(const EncoderDecoderConfig& config, const SequencePairs& batch, base::Parallel& parallel)
      : config_(config), batch_(batch), parallel_(parallel) {}

  void norm(const Tensor<E>& x, const Tensor<E>& gamma, const Tensor<E>& dy, Tensor<E>& dx,
            Tensor<E>& d_gamma, Tensor<E>& d_beta) {
    layer_norm_backward(x, gamma, config_.eps, dy, dx, d_gamma, d_beta);
  }

  /// Computes d_x and adds to d_kv of attn(x, kv), from dy.
  void attention(const AttentionWeightsOf<E>& w, const AttentionPlace& at, const AttentionStage<E>& stage,
                 const Tensor<E>& x, const Tensor<E>& kv, const Tensor<E>& dy, Tensor<E>& d_x,
                 Tensor<E>& d_kv, AttentionWeightsOf<E>& g) {
    Tensor<E> d_context, d_q, d_k, d_v, rows, part;
    project(stage.context, w.w_o, w.b_o, dy, d_context, g.w_o, g.b_o);
    d_q.resize(stage.q.rows(), stage.q.cols());
    d_k.resize(stage.k.rows(), stage.k.cols()), d_v.resize(stage.v.rows(), stage.v.cols());
    const double scale = score_scale(attention_options(config_, at), stage.q.cols() / config_.heads);
    HeadGradients<E> heads;
    for (int b = 0; b < at.B; ++b) {
      take_rows(d_context, b * at.T, at.T, rows);
      heads_backward(stage.sequence[static_cast<size_t>(b)], scale, rows, parallel_, heads);
      put_rows(heads.q, b * at.T, d_q);
      put_rows(heads.k, b * at.S, d_k), put_rows(heads.v, b * at.S, d_v);
    }
    project(x, w.w_q, w.b_q, d_q, d_x, g.w_q, g.b_q);
    project(kv, w.w_k, w.b_k, d_k, part, g.w_k, g.b_k);
    add_to(d_kv, part);
    project(kv, w.w_v, w.b_v, d_v, part, g.w_v, g.b_v);
    add_to(d_kv, part);
  }

  /// Turns d into the gradient at x of x + ffn(ln2 x), in place.
  void feed_forward(const BlockWeightsOf<E>& w, const LayerOf<E>& t, const Tensor<E>& x, Tensor<E>& d,
                    BlockWeightsOf<E>& g) {
    Tensor<E> dx;
    ffn_backward(t.ffn_input, t.hidden, t.activated, w, config_.activation, d, parallel_, dx, g);
    norm(x, w.ln2_g, dx, dx, g.ln2_g, g.ln2_b);
    add_to(d, dx);
  }

  /// Turns d into the gradient at x of x + attn(ln1 x, ln1 x), in place.
  void self_attention(const BlockWeightsOf<E>& w, const AttentionPlace& at, const LayerOf<E>& t, Tensor<E>& d,
                      BlockWeightsOf<E>& g) {
    Tensor<E> d_x, d_kv(t.normed.rows(), t.normed.cols());
    attention(w.attention, at, t.self, t.normed, t.normed, d, d_x, d_kv, g.attention);
    add_to(d_x, d_kv);
    norm(t.input, w.ln1_g, d_x, d_x, g.ln1_g, g.ln1_b);
    add_to(d, d_x);
  }

  /// Turns d into the gradient at the decoder layer's input; adds the encoder's part to d_encoded.
  void decoder_layer(const DecoderLayerOf<E>& w, const LayerOf<E>& t, const Tensor<E>& encoded, Tensor<E>& d,
                     Tensor<E>& d_encoded, DecoderLayerOf<E>& g) {
    const AttentionPlace self{batch_.B, batch_.T, batch_.T, true, nullptr},
        cross{batch_.B, batch_.T, batch_.S, false, &batch_.lengths};
    feed_forward(w.block, t, t.cross_sum, d, g.block);
    Tensor<E> d_x;
    attention(w.cross, cross, t.cross, t.cross_normed, encoded, d, d_x, d_encoded, g.cross);
    norm(t.self_sum, w.lnc_g, d_x, d_x, g.lnc_g, g.lnc_b);
    add_to(d, d_x);
    self_attention(w.block, self, t, d, g.block);
  }

  void encoder_layer(const BlockWeightsOf<E>& w, const LayerOf<E>& t, Tensor<E>& d, BlockWeightsOf<E>& g) {
    feed_forward(w, t, t.self_sum, d, g);
    self_attention(w, {batch_.B, batch_.S, batch_.S, false, &batch_.lengths}, t, d, g);
  }

 private:
  void project(const Tensor<E>& x, const Tensor<E>& w, const Tensor<E>& b, const Tensor<E>& dy, Tensor<E>& dx,
               Tensor<E>& d_w, Tensor<E>& d_b) {
    if (b.empty()) d_b.resize(0, 0);
    linear_backward(x, w, dy, parallel_, &dx, d_w, b.empty() ? nullptr : &d_b);
  }

  const EncoderDecoderConfig& config_;
  const SequencePairs& batch_;
  base::Parallel& parallel_;
};

/// Adds the embeddings' part of d [B·T, D] to d_table, and overwrites the learned positions' gradient.
template <class E>
void embedding_back(const std::vector<int>& tokens, int T, const Tensor<E>& d, const Tensor<E>& positions,
                    Tensor<E>& d_table, Tensor<E>& d_positions) {
  Tensor<E> share(d_table.rows(), d_table.cols());
  embedding_backward(tokens, d, share);
  add_to(d_table, share);
  d_positions.resize(positions.rows(), positions.cols());
  if (positions.empty()) return;
  d_positions.fill(0);
  for (int r = 0; r < d.rows(); ++r) {
    for (int c = 0; c < d.cols(); ++c) d_positions.at(r % T, c) += d.at(r, c);
  }
}

}  // namespace

template <class E>
void encoder_decoder_backward(const EncoderDecoderConfig& config, const EncoderDecoderWeightsOf<E>& w,
                              const SequencePairs& batch, const EncoderDecoderTrace<E>& trace,
                              const Tensor<E>& d_logits, base::Parallel& parallel,
                              EncoderDecoderWeightsOf<E>& g) {
  g.encoder.resize(w.encoder.size()), g.decoder.resize(w.decoder.size());
  g.wte.resize(w.wte.rows(), w.wte.cols());
  g.wte.fill(0);
  Back<E> back(config, batch, parallel);
  Tensor<E> d, d_decoded, d_encoded(trace.encoded.rows(), trace.encoded.cols());
  linear_backward<E>(trace.decoded, w.w_head, d_logits, parallel, &d_decoded, g.w_head, nullptr);
  back.norm(trace.decoder.back().output, w.lnd_g, d_decoded, d, g.lnd_g, g.lnd_b);
  for (size_t l = w.decoder.size(); l-- > 0;)
    back.decoder_layer(w.decoder[l], trace.decoder[l], trace.encoded, d, d_encoded, g.decoder[l]);
  embedding_back(batch.target, batch.T, d, w.target_wpe, g.wte, g.target_wpe);
  back.norm(trace.encoder.back().output, w.lne_g, d_encoded, d, g.lne_g, g.lne_b);
  for (size_t l = w.encoder.size(); l-- > 0;)
    back.encoder_layer(w.encoder[l], trace.encoder[l], d, g.encoder[l]);
  embedding_back(batch.source, batch.S, d, w.source_wpe, g.wte, g.source_wpe);
}

#define HEADLIGHT_FOR_ELEMENT(E)                                                                         \
  template void encoder_decoder_backward(const EncoderDecoderConfig&, const EncoderDecoderWeightsOf<E>&, \
                                         const SequencePairs&, const EncoderDecoderTrace<E>&,            \
                                         const Tensor<E>&, base::Parallel&, EncoderDecoderWeightsOf<E>&)
HEADLIGHT_FOR_ELEMENT(float);
HEADLIGHT_FOR_ELEMENT(double);
#undef HEADLIGHT_FOR_ELEMENT

}  // namespace headlight::nn
