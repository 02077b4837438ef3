// One encoder block and a stack of them, with every stage kept.
//
//   layer norm  (x − mean) / √(var + ε) · γ + β, var = mean of squares about the mean
//                                                                     (Ba, Kiros, Hinton 2016)
//   post        a = ln1(x + attn(x)),  y = ln2(a + ffn(a))            (Vaswani et al. 2017)
//   pre         a = x + attn(ln1(x)),  y = a + ffn(ln2(a))            (Xiong et al. 2020)
//   ffn(x)      = activation(x W_1 + b_1) W_2 + b_2
//
// Without layer norms, ln1 and ln2 are the identity. Without residual connections, "x +" and "a +" are
// omitted. Without feed-forward layers, y = a.
//
// Dropout is omitted: at inference it changes nothing. E is float (attention on the fast kernels) or double
// (the twin, from the same float32 weights). Tested in tests/nn/golden_blocks.cpp and
// tests/nn/block_test.cpp.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

#include "nn/attention.h"
#include "nn/linear.h"
#include "nn/reference.h"
#include "nn/weights.h"

namespace headlight::nn {

/// y = layer norm of each row of x [T, D] with gamma, beta [1, D]; y may be x.
template <class E>
void layer_norm(const Tensor<E>& x, const Matrix& gamma, const Matrix& beta, double eps, Tensor<E>& y);

struct BlockWeights {
  AttentionWeights attention;
  Matrix w_1, b_1, w_2, b_2;          // [D, D_ff], [1, D_ff], [D_ff, D], [1, D]
  Matrix ln1_g, ln1_b, ln2_g, ln2_b;  // [1, D]
};

/// Visits every tensor by name, the tensors of the attention first.
template <class W, class F>
requires std::same_as<std::remove_const_t<W>, BlockWeights>
void tensors(W& w, F&& visit) {
  tensors(w.attention, visit);
  visit("w_1", w.w_1), visit("b_1", w.b_1), visit("w_2", w.w_2), visit("b_2", w.b_2);
  visit("ln1_g", w.ln1_g), visit("ln1_b", w.ln1_b), visit("ln2_g", w.ln2_g), visit("ln2_b", w.ln2_b);
}

struct StackWeights {
  std::vector<BlockWeights> layers;
  Matrix lnf_g, lnf_b;  // [1, D]; empty: no norm at the end
};

enum class NormPlace { pre, post, none };

struct BlockOptions {
  AttentionOptions attention;
  NormPlace norm = NormPlace::pre;
  bool residual = true, feed_forward = true;
  Activation activation = Activation::gelu_erf;
  double eps = 1e-5;
};

template <class E>
struct BlockTrace {
  std::conditional_t<std::is_same_v<E, float>, AttentionTrace, AttentionTraceF64> attention;
  Tensor<E> input;            // [T, D] x
  Tensor<E> attention_input;  // [T, D] ln1(x) with pre, else x
  Tensor<E> attention_sum;    // [T, D] x + attn
  Tensor<E> after_attention;  // [T, D] a
  Tensor<E> ffn_input;   // [T, D] ln2(a) with pre, else a; empty without feed-forward, like the next ones up
                         // to ffn_sum
  Tensor<E> hidden;      // [T, D_ff] before the activation
  Tensor<E> activated;   // [T, D_ff]
  Tensor<E> ffn_output;  // [T, D]
  Tensor<E> ffn_sum;     // [T, D] a + ffn
  Tensor<E> output;      // [T, D] y
  // In a training pass with dropout, 0 or 1 / (1 − rate) for each element of the attention's and the
  // feed-forward's output, [T, D]; else empty.
  Tensor<E> kept_attention, kept_ffn;
};

template <class E>
struct StackTrace {
  std::vector<BlockTrace<E>> layers;
  Tensor<E> output;  // [T, D] after the last norm
};

/// One block; the buffers of `trace` are reused. O(T·D² + T·D·D_ff + T²·D).
template <class E>
void encoder_block(const Tensor<E>& x, const BlockWeights& weights, const BlockOptions& options,
                   base::Parallel& parallel, BlockTrace<E>& trace);

/// Applies the blocks in sequence, then the final norm if there is one. With no layers the output is x, or
/// its norm.
template <class E>
void encoder_stack(const Tensor<E>& x, const StackWeights& weights, const BlockOptions& options,
                   base::Parallel& parallel, StackTrace<E>& trace);

enum class BlockInit {
  xavier_uniform,  // U(±√(6 / (fan_in + fan_out))) for every matrix (Glorot and Bengio 2010), as in the
                   // transformer of 2017
  normal_0_02,     // N(0, 0.02²), with W_O and W_2 divided by √(2 · layers) (GPT-2)
};

/// Sets γ to 1 and every bias to 0. Apart from its scale, element (r, c) of a matrix depends only on the
/// seed, the layer, the matrix and (r, c). `final_norm` adds lnf.
StackWeights random_stack_weights(int layers, int d_model, int d_ff, BlockInit init, bool final_norm,
                                  std::uint64_t seed);

/// Measures the residual stream after one stage.
struct StageStatistics {
  std::string stage;    // "input", "layer 1 attention", "layer 1 feed-forward", …, "final norm"
  double mean = 0;      // of all elements
  double variance = 0;  // mean over the tokens of the variance within a token
  double norm = 0;      // mean over the tokens of the Euclidean norm
};

template <class E>
std::vector<StageStatistics> residual_statistics(const StackTrace<E>& trace, bool final_norm);

}  // namespace headlight::nn
