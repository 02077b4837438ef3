// An encoder–decoder with its three attentions: the encoder's over the source, the decoder's over the tokens
// decoded so far, and the decoder's over the encoder's output.
//
//   encoder  x ← x + attn(ln1 x, ln1 x),  x ← x + ffn(ln2 x),  for every layer;  E = lne(x)
//   decoder  y ← y + attn(ln1 y, ln1 y) causal,  y ← y + attn(lnc y, E) over the source's own tokens,
//            y ← y + ffn(ln2 y),  for every layer;  logits = lnd(y) W_head
//   attn(a, b): queries from a, keys and values from b                  (Vaswani et al. 2017, 3.2.3)
//   loss = mean over targets ≠ −100 of −log softmax(logits)[target]
//
// Norms are placed before the sublayers (Xiong et al. 2020). Source and target share the embeddings. The
// sources of a batch have individual lengths: keys beyond them have weight 0. Rows: sequence b, token t is
// row b·T + t. E is float on the fast kernels, or double: the twin, against which the gradients are checked
// by finite differences. Tested in tests/train/encoder_decoder_test.cpp.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "base/parallel.h"
#include "train/backward.h"
#include "train/model.h"

namespace headlight::nn {

struct EncoderDecoderConfig {
  int vocabulary = 0;  // V
  int context = 0;     // the longest source and the longest target; rows of the learned positions
  int d_model = 32, heads = 2, layers = 1, d_ff = 64;  // layers: of the encoder, and the same number for the
                                                       // decoder
  ModelPositions positions = ModelPositions::sinusoidal;  // sinusoidal or learned: added to both inputs; or
                                                          // none
  Activation activation = Activation::relu;
  double eps = 1e-5;
  bool operator==(const EncoderDecoderConfig&) const = default;
};

/// A block whose attention is the masked one over the target, plus the attention over the source.
template <class E>
struct DecoderLayerOf {
  BlockWeightsOf<E> block;
  AttentionWeightsOf<E> cross;
  Tensor<E> lnc_g, lnc_b;  // [1, D] the norm before `cross`
};

/// Holds weights, their gradients or the optimizer's moments.
template <class E>
struct EncoderDecoderWeightsOf {
  Tensor<E> wte;                     // [V, D]
  Tensor<E> source_wpe, target_wpe;  // [context, D] with learned positions, else empty
  std::vector<BlockWeightsOf<E>> encoder;
  Tensor<E> lne_g, lne_b;  // [1, D]
  std::vector<DecoderLayerOf<E>> decoder;
  Tensor<E> lnd_g, lnd_b;  // [1, D]
  Tensor<E> w_head;        // [D, V]
};
using EncoderDecoderWeights = EncoderDecoderWeightsOf<float>;

template <class W>
concept EncoderDecoderTensors = std::same_as<std::remove_const_t<W>, EncoderDecoderWeightsOf<float>> ||
    std::same_as<std::remove_const_t<W>, EncoderDecoderWeightsOf<double>>;

/// Calls visit(name, tensor) for every tensor, including empty ones: "wte", "source_wpe", "target_wpe",
/// "encoder0_w_q", …, "lne_g", "lne_b", "decoder0_w_q", …, "decoder0_cross_w_q", …, "lnd_g", "lnd_b",
/// "w_head".
template <EncoderDecoderTensors W, class F>
void tensors(W& w, F&& visit) {
  visit(std::string("wte"), w.wte);
  visit(std::string("source_wpe"), w.source_wpe), visit(std::string("target_wpe"), w.target_wpe);
  for (std::size_t l = 0; l < w.encoder.size(); ++l) {
    tensors(w.encoder[l], [&](const char* name, auto& tensor) {
      visit("encoder" + std::to_string(l) + '_' + name, tensor);
    });
  }
  visit(std::string("lne_g"), w.lne_g), visit(std::string("lne_b"), w.lne_b);
  for (std::size_t l = 0; l < w.decoder.size(); ++l) {
    const std::string layer = "decoder" + std::to_string(l) + '_';
    tensors(w.decoder[l].block, [&](const char* name, auto& tensor) { visit(layer + name, tensor); });
    tensors(w.decoder[l].cross,
            [&](const char* name, auto& tensor) { visit(layer + "cross_" + name, tensor); });
    visit(layer + "lnc_g", w.decoder[l].lnc_g), visit(layer + "lnc_b", w.decoder[l].lnc_b);
  }
  visit(std::string("lnd_g"), w.lnd_g), visit(std::string("lnd_b"), w.lnd_b);
  visit(std::string("w_head"), w.w_head);
}

/// Equal numbers of sources and targets; shorter ones are padded with any token.
struct SequencePairs {
  int B = 0, S = 0, T = 0;
  std::vector<int> source;   // [B·S]
  std::vector<int> lengths;  // [B] 1 … S: source tokens before the padding
  std::vector<int> target;   // [B·T] input of the decoder: the begin token, then the tokens decoded before
  std::vector<int> wanted;   // [B·T] the next token, or no_target; empty: forward only
};

/// One attention of one layer, for every sequence of the batch.
template <class E>
struct AttentionStage {
  Tensor<E> q, k, v, context;                 // [B·T, D], [B·S, D], [B·S, D], [B·T, D]
  std::vector<AttentionTraceOf<E>> sequence;  // [B] weights [H, T, S]
};

template <class E>
struct EncoderDecoderTrace {
  struct Layer {
    Tensor<E> input;              // [rows, D]
    Tensor<E> normed;             // ln1(input)
    AttentionStage<E> self;       // masked in the decoder
    Tensor<E> self_sum;           // input + attention
    Tensor<E> cross_normed;       // lnc(self_sum); empty in the encoder, like the next two
    AttentionStage<E> cross;      // queries from the target, keys and values from the source
    Tensor<E> cross_sum;          // self_sum + attention
    Tensor<E> ffn_input;          // ln2(the latest sum)
    Tensor<E> hidden, activated;  // [rows, D_ff]
    Tensor<E> output;             // the latest sum + feed-forward
  };
  std::vector<Layer> encoder, decoder;
  Tensor<E> encoded;  // [B·S, D] E
  Tensor<E> decoded;  // [B·T, D] lnd(y)
  Tensor<E> logits;   // [B·T, V]
};

/// Returns Xavier uniform matrices (Glorot and Bengio 2010), embeddings from N(0, 1/4), learned positions
/// from N(0, 1/4), γ = 1, biases 0. (config, seed) gives the same bits on every machine.
EncoderDecoderWeights random_encoder_decoder(const EncoderDecoderConfig& config, std::uint64_t seed);
EncoderDecoderWeightsOf<double> widened(const EncoderDecoderWeights& weights);
/// Returns zeros in the shapes of `like`.
EncoderDecoderWeights zeros_like(const EncoderDecoderWeights& like);
std::size_t parameters(const EncoderDecoderWeights& weights);

/// Runs only the encoder: fills trace.encoder and trace.encoded. O(L (B·S·D² + B·S²·D)).
template <class E>
void encode(const EncoderDecoderConfig& config, const EncoderDecoderWeightsOf<E>& weights,
            const SequencePairs& batch, base::Parallel& parallel, EncoderDecoderTrace<E>& trace);
/// Runs the decoder over trace.encoded and fills the rest. No row depends on later tokens of its target.
template <class E>
void decode(const EncoderDecoderConfig& config, const EncoderDecoderWeightsOf<E>& weights,
            const SequencePairs& batch, base::Parallel& parallel, EncoderDecoderTrace<E>& trace);

/// Buffers that encoder_decoder_loss() keeps between calls: a trace and gradients for every part of a batch.
template <class E>
struct EncoderDecoderWorkspace {
  struct Part {
    SequencePairs batch;
    EncoderDecoderTrace<E> trace;
    EncoderDecoderWeightsOf<E> gradients;
    double loss = 0;
  };
  std::vector<Part> parts;
};

/// Returns the loss of a batch. If `gradients` is given, it is overwritten with the gradient of every weight.
/// A task takes 16 sequences, and the gradients of tasks are added in order, so any number of threads gives
/// the same bits.
template <class E>
double encoder_decoder_loss(const EncoderDecoderConfig& config, const EncoderDecoderWeightsOf<E>& weights,
                            const SequencePairs& batch, base::Parallel& parallel,
                            EncoderDecoderWorkspace<E>& work, EncoderDecoderWeightsOf<E>* gradients);

/// Decodes every source of the batch greedily: from `begin`, appends the likeliest token until `end` or until
/// `most` tokens. The targets are not used. A result ends with `end` if it was decoded, and does not include
/// `begin`. Ties go to the first token.
std::vector<std::vector<int>> decode_greedily(const EncoderDecoderConfig& config,
                                              const EncoderDecoderWeights& weights,
                                              const SequencePairs& sources, int begin, int end, int most,
                                              base::Parallel& parallel);

}  // namespace headlight::nn
