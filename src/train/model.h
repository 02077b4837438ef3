// A small Transformer language model, from tokens to logits, for whole batches. The trainer trains this
// model, and "trained weights" are its weights.
//
//   x = wte[token] + position,  x ← block_l(x) for every layer,  x ← lnf(x)
//   logits = x wteᵀ (tied) or x w_head
//   loss = mean over targets ≠ −100 of −log softmax(logits)[target]
// and, where one head is guided,  + weight · mean over guided queries q of −log A[q, goal of q].
//
// Positions: none; sinusoidal or learned ones are added to x; T5 (32 buckets up to distance 128, both
// directions unless causal) and ALiBi add to the scaled scores; RoPE rotates q and k, in pairs (j, j + d/2)
// or (2j, 2j + 1) of every head, as rope_pairs says. Rows of a batch: sequence b, token t is row b·T + t. A
// model can omit residual connections, layer norms (including lnf) or feed-forward layers; block.h lists the
// equations. Dropout (dropout.h) is set per batch: measurements use none.
// Gradients are derived by hand, stage by stage, with the equations of backward.h. They are checked against
// PyTorch and against the double twin (reference_model.h); the twin is checked by finite differences.
// Tested in tests/train/golden_gradients.cpp and tests/train/model_test.cpp.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "base/parallel.h"
#include "kernels/tensor.h"
#include "nn/block.h"
#include "train/dropout.h"

namespace headlight::nn {

enum class ModelPositions { none, sinusoidal, learned, t5, alibi, rope };

struct ModelConfig {
  int vocabulary = 0;  // V
  int context = 0;     // the longest T in training; rows of wpe
  int d_model = 64, heads = 4, layers = 2, d_ff = 256;
  bool causal = true;
  ModelPositions positions = ModelPositions::sinusoidal;
  double position_base = 10000;
  RopePairs rope_pairs = RopePairs::half;  // which components of a head RoPE rotates together
  NormPlace norm = NormPlace::pre;         // none: no layer norm anywhere, lnf included
  bool residual = true, feed_forward = true;
  Activation activation = Activation::gelu_tanh;
  bool attention_bias = true;
  bool tied = true;
  double eps = 1e-5;  // of the layer norms
  bool operator==(const ModelConfig&) const = default;
};

/// Holds weights, gradients or the optimizer's moments.
struct ModelWeights {
  Matrix wte;          // [V, D]
  Matrix wpe;          // [context, D] with learned positions, else empty
  Matrix t5_table;     // [32, H] with T5, shared by the layers, else empty
  StackWeights stack;  // tensors of parts that the config omits are empty
  Matrix w_head;       // [D, V] when not tied, else empty
};

/// Calls visit(name, tensor) for every tensor, including empty ones: "wte", "wpe", "t5_table", "layer0_w_q",
/// …, "lnf_g", "lnf_b", "w_head". Loading, saving, counting, the optimizer, gradient checks and clipping use
/// this list.
template <class W, class F>
requires std::same_as<std::remove_const_t<W>, ModelWeights>
void tensors(W& w, F&& visit) {
  visit(std::string("wte"), w.wte), visit(std::string("wpe"), w.wpe),
      visit(std::string("t5_table"), w.t5_table);
  for (std::size_t l = 0; l < w.stack.layers.size(); ++l) {
    tensors(w.stack.layers[l],
            [&](const char* name, auto& tensor) { visit("layer" + std::to_string(l) + '_' + name, tensor); });
  }
  visit(std::string("lnf_g"), w.stack.lnf_g), visit(std::string("lnf_b"), w.stack.lnf_b);
  visit(std::string("w_head"), w.w_head);
}

inline constexpr int no_target = -100;

/// One head whose weights are trained directly: weight · the mean of −log A[q, goal] over the queries q that
/// have a goal is added to the batch's loss. 0 = every head is free.
struct Guide {
  int layer = 0, head = 0;  // counted from 0
  double weight = 0;
  bool operator==(const Guide&) const = default;
};

struct Batch {
  int B = 0, T = 0;
  std::vector<int> tokens;   // [B·T] 0 … V−1
  std::vector<int> targets;  // [B·T] 0 … V−1, or no_target; empty: forward only
  std::vector<int> goals;    // [B·T] key 0 … T−1 of the same sequence, or −1; empty: none
  Guide guide;               // the head that the goals are for; no head while its weight is 0
  Dropout dropout;           // for this pass; rate 0: none

  bool guided() const { return guide.weight > 0 && !goals.empty(); }
};

/// Every intermediate result of one batch; buffers are reused between calls. A stage that would be a copy of
/// another one is empty; the functions below the tensors return the right one.
struct ModelTrace {
  struct Layer {
    Matrix attention_input;  // [B·T, D] ln1(x) with pre-norm; else empty: x
    Matrix q, k, v;          // [B·T, D], rotated with RoPE
    Matrix weights;          // [B·H, T, T], plane b·H + h; the output of the softmax, before dropout
    Matrix context;          // [B·T, D]
    Matrix attention_sum;    // [B·T, D] x + attention; without residuals the attention alone
    Matrix after_attention;  // [B·T, D] ln1(attention_sum) with post-norm; else empty: attention_sum
    Matrix ffn_input;        // [B·T, D] ln2(attention_sum) with pre-norm; else empty: after_attention
    Matrix hidden;        // [B·T, D_ff] before the activation; empty without feed-forward, like the next two
    Matrix activated;     // [B·T, D_ff]
    Matrix ffn_sum;       // [B·T, D] after_attention + feed-forward, or the latter alone
    Matrix output;        // [B·T, D] ln2(ffn_sum) with post-norm; else empty: ffn_sum, or after_attention
    Matrix norm1, norm2;  // [2, B·T] mean and 1/√(var + ε) of the two layer norms
  };
  int B = 0, T = 0;
  std::vector<Layer> layers;
  Matrix embedded;        // [B·T, D] input of the first layer
  Matrix final;           // [B·T, D] after lnf; empty without layer norms: see last()
  Matrix final_norm;      // [2, B·T]
  Matrix logits;          // [B·T, V]
  Matrix probabilities;   // [B·T, V] where a target was given; other rows are unspecified
  double loss = 0;        // without the guide's part
  int targets = 0;        // number of counted targets
  double guide_loss = 0;  // mean −log A[q, goal] of the guided head, before its weight; 0 without a guide
  int goals = 0;          // number of counted goals

  const Matrix& input(int layer) const { return layer == 0 ? embedded : output(layer - 1); }
  const Matrix& attention_input(int layer) const {
    return at(layer).attention_input.empty() ? input(layer) : at(layer).attention_input;
  }
  const Matrix& after_attention(int layer) const {
    return at(layer).after_attention.empty() ? at(layer).attention_sum : at(layer).after_attention;
  }
  const Matrix& ffn_input(int layer) const {
    return at(layer).ffn_input.empty() ? after_attention(layer) : at(layer).ffn_input;
  }
  const Matrix& output(int layer) const {
    if (!at(layer).output.empty()) return at(layer).output;
    return at(layer).ffn_sum.empty() ? after_attention(layer) : at(layer).ffn_sum;
  }
  /// Returns the input of the model's output head.
  const Matrix& last() const {
    if (!final.empty()) return final;
    return layers.empty() ? embedded : output(static_cast<int>(layers.size()) - 1);
  }

 private:
  const Layer& at(int layer) const { return layers[static_cast<std::size_t>(layer)]; }
};

/// Describes a tensor that tensors() visits for such a model, without the data. Files use these shapes to
/// compare sizes before anything is allocated; empty tensors are left out.
struct TensorShape {
  std::string name;
  int rows = 0, cols = 0;
};
std::vector<TensorShape> tensor_shapes(const ModelConfig& config);

/// Returns the number of parameters without allocating any.
std::size_t parameters(const ModelConfig& config);

/// Draws N(0, σ²) with σ = 0.02·√(768/D) for matrices and tables (0.5 for embeddings with sinusoidal
/// positions and an untied head, 0.02 for T5's table); W_O and W_2 are divided by √(2 L). At D = 768 this is
/// GPT-2's initialization. γ = 1, biases 0. (config, seed) gives the same bits on every machine.
ModelWeights random_model(const ModelConfig& config, std::uint64_t seed);

/// Returns zeros in the shapes of the config.
ModelWeights zero_model(const ModelConfig& config);

/// Computes the logits of a batch, and its loss if there are targets. Every token must be within the
/// vocabulary. T may exceed context except with learned positions. The result does not depend on the number
/// of threads: a task takes whole sequences, about 64 rows. From the second call with the same shapes on,
/// nothing is allocated.
void model_forward(const ModelConfig& config, const ModelWeights& weights, const Batch& batch,
                   base::Parallel& parallel, ModelTrace& trace);

/// Computes d (loss + guide.weight · guide_loss) / d weights into `gradients` (shapes of the config,
/// overwritten), from the trace of the same batch and weights. Any number of threads gives the same bits. The
/// scratch memory (about as large as the trace) belongs to the calling thread and is kept.
void model_backward(const ModelConfig& config, const ModelWeights& weights, const Batch& batch,
                    const ModelTrace& trace, base::Parallel& parallel, ModelWeights& gradients);

}  // namespace headlight::nn
