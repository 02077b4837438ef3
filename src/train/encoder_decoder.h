// An encoder–decoder with its three attentions: the encoder's over the source, the decoder's over what is
// decoded so far, and the decoder's over the encoder's output.
//
//   encoder  x ← x + attn(ln1 x, ln1 x),  x ← x + ffn(ln2 x),  for every layer;  E = lne(x)
//   decoder  y ← y + attn(ln1 y, ln1 y) causal,  y ← y + attn(lnc y, E) over the source's own tokens,
//            y ← y + ffn(ln2 y),  for every layer;  logits = lnd(y) W_head
//   attn(a, b): queries from a, keys and values from b                  (Vaswani et al. 2017, 3.2.3)
//   loss = mean over targets ≠ −100 of −log softmax(logits)[target]
//
// Norms stand before the sublayers (Xiong et al. 2020). Source and target share the embeddings. A batch's
// sources have lengths of their own: keys beyond them have weight 0. Rows: sequence b, token t is row b·T +
// t. E is float on the fast kernels, or double: the twin that the gradients are checked with, by differences.
// Tested in tests/train/encoder_decoder_test.cpp.
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
  int d_model = 32, heads = 2, layers = 1, d_ff = 64;  // layers: of the encoder, and as many of the decoder
  ModelPositions positions = ModelPositions::sinusoidal;  // added to both inputs; or learned, or none
  Activation activation = Activation::relu;
  double eps = 1e-5;
  bool operator==(const EncoderDecoderConfig&) const = default;
};

/// A block whose attention is the masked one over the target, and the attention over the source beside it.
template <class E>
struct DecoderLayerOf {
  BlockWeightsOf<E> block;
  AttentionWeightsOf<E> cross;
  Tensor<E> lnc_g, lnc_b;  // [1, D] the norm before `cross`
};

/// Weights, their gradients and the optimizer's moments.
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

/// visit(name, tensor) for every tensor, empty ones too: "wte", "source_wpe", "target_wpe", "encoder0_w_q",
/// …, "lne_g", "lne_b", "decoder0_w_q", …, "decoder0_cross_w_q", …, "lnd_g", "lnd_b", "w_head".
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

/// Sources and targets of equal number; shorter ones are filled up with any token.
struct SequencePairs {
  int B = 0, S = 0, T = 0;
  std::vector<int> source;   // [B·S]
  std::vector<int> lengths;  // [B] 1 … S: tokens of the source that are its own
  std::vector<int> target;   // [B·T] what the decoder gets: the begin token, then what was decoded before
  std::vector<int> wanted;   // [B·T] what comes next, or no_target; empty: forward only
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
    Tensor<E> cross_normed;       // lnc(self_sum); empty in the encoder, and so are the next two
    AttentionStage<E> cross;      // queries from the target, keys and values from the source
    Tensor<E> cross_sum;          // self_sum + attention
    Tensor<E> ffn_input;          // ln2(the newest sum)
    Tensor<E> hidden, activated;  // [rows, D_ff]
    Tensor<E> output;             // the newest sum + feed-forward
  };
  std::vector<Layer> encoder, decoder;
  Tensor<E> encoded;  // [B·S, D] E
  Tensor<E> decoded;  // [B·T, D] lnd(y)
  Tensor<E> logits;   // [B·T, V]
};

/// Xavier uniform matrices (Glorot and Bengio 2010), embeddings N(0, 1/4), learned positions N(0, 1/4), γ =
/// 1, biases 0. The same bits on every machine for (config, seed).
EncoderDecoderWeights random_encoder_decoder(const EncoderDecoderConfig& config, std::uint64_t seed);
EncoderDecoderWeightsOf<double> widened(const EncoderDecoderWeights& weights);
/// Zeros in the shapes of `like`.
EncoderDecoderWeights zeros_like(const EncoderDecoderWeights& like);
std::size_t parameters(const EncoderDecoderWeights& weights);

/// The encoder alone: fills trace.encoder and trace.encoded. O(L (B·S·D² + B·S²·D)).
template <class E>
void encode(const EncoderDecoderConfig& config, const EncoderDecoderWeightsOf<E>& weights,
            const SequencePairs& batch, base::Parallel& parallel, EncoderDecoderTrace<E>& trace);
/// The decoder over trace.encoded: fills the rest. No row depends on later tokens of its target.
template <class E>
void decode(const EncoderDecoderConfig& config, const EncoderDecoderWeightsOf<E>& weights,
            const SequencePairs& batch, base::Parallel& parallel, EncoderDecoderTrace<E>& trace);

/// What encoder_decoder_loss() keeps from call to call: a trace and gradients for every part of a batch.
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

/// The loss of a batch and, where wanted, its gradient by every weight, overwritten. A task takes 16
/// sequences, and their gradients are added in their order: the same bits for any number of threads.
template <class E>
double encoder_decoder_loss(const EncoderDecoderConfig& config, const EncoderDecoderWeightsOf<E>& weights,
                            const SequencePairs& batch, base::Parallel& parallel,
                            EncoderDecoderWorkspace<E>& work, EncoderDecoderWeightsOf<E>* gradients);

/// Greedy decoding, step by step: from `begin` on the likeliest token, again and again, until `end` or `most`
/// tokens; for every source of the batch (its targets are not used). What comes back has `end` at its end
/// where it was decoded, and never `begin` at its start. Equal logits: the first token.
std::vector<std::vector<int>> decode_greedily(const EncoderDecoderConfig& config,
                                              const EncoderDecoderWeights& weights,
                                              const SequencePairs& sources, int begin, int end, int most,
                                              base::Parallel& parallel);

}  // namespace headlight::nn
