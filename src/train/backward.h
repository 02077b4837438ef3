// Gradients derived by hand, one function for each stage of attention and its block. dX means d loss / d X.
// Each function takes the inputs of its stage's forward pass and dY, the gradient of its output, and
// overwrites its results.
//
//   softmax       y = softmax(x)             dx = y ∘ (dy − Σ_j y_j dy_j)
//   linear        y = x W + b                dx = dy Wᵀ,  dW = xᵀ dy,  db = Σ_t dy_t
//   activation    y = f(x)                   dx = dy ∘ f'(x):  relu' = [x > 0]
//                   gelu_erf' = Φ(x) + x φ(x);  gelu_tanh' = σ + x σ (1 − σ) · 2u',  σ = (1 + tanh u)/2
//   layer norm    y = x̂ γ + β                dγ = Σ_t dy x̂,  dβ = Σ_t dy,  g = dy γ
//                                            dx = (g − mean(g) − x̂ mean(g x̂)) / √(var + ε)
//   cross-entropy l = −mean log p[target]    dlogits = (p − 1 at the target) / number of counted targets
//   embedding     x_t = table[token_t]       dtable[v] = Σ over t with token_t = v of dx_t
//   head          S = scale Q Kᵀ + bias,  A = softmax(S),  C = A V:
//                   dV = Aᵀ dC,  dA = dC Vᵀ,  dS = A ∘ (dA − Σ_j A dA)
//                   dQ = scale dS K,  dK = scale dSᵀ Q,  dbias = dS
//   T5            bias = table[bucket(j − i)]: dtable[u] = Σ dS over the pairs of bucket u
//   ALiBi         has nothing to learn
//   RoPE          q = R(θ) q0                dq0 = R(−θ) dq
//
// A blocked pair has A = 0, and so dS = 0 for every kind of mask. A query that may not attend to any key
// passes no gradient back. E is float, on the fast kernels, or double, in plain loops; the weights have the
// same E. Shapes that do not fit stop the program. Tested in tests/train/golden_gradients.cpp, and by finite
// differences in tests/train/gradient_check_test.cpp.
#pragma once

#include <vector>

#include "nn/block.h"
#include "nn/relative.h"
#include "nn/rope.h"

namespace headlight::nn {

/// The same as AttentionWeights and BlockWeights, in double.
struct AttentionWeightsF64 {
  MatrixF64 w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o;
};
struct BlockWeightsF64 {
  AttentionWeightsF64 attention;
  MatrixF64 w_1, b_1, w_2, b_2, ln1_g, ln1_b, ln2_g, ln2_b;
};
template <class W, class F>
requires std::same_as<std::remove_const_t<W>, AttentionWeightsF64>
void tensors(W& w, F&& visit) {
  visit("w_q", w.w_q), visit("w_k", w.w_k), visit("w_v", w.w_v), visit("w_o", w.w_o);
  visit("b_q", w.b_q), visit("b_k", w.b_k), visit("b_v", w.b_v), visit("b_o", w.b_o);
}
template <class W, class F>
requires std::same_as<std::remove_const_t<W>, BlockWeightsF64>
void tensors(W& w, F&& visit) {
  tensors(w.attention, visit);
  visit("w_1", w.w_1), visit("b_1", w.b_1), visit("w_2", w.w_2), visit("b_2", w.b_2);
  visit("ln1_g", w.ln1_g), visit("ln1_b", w.ln1_b), visit("ln2_g", w.ln2_g), visit("ln2_b", w.ln2_b);
}

/// Selects one of two types, depending on whether E is float or double.
template <class E, class Single, class Double>
struct OfElement {
  using type = Single;
};
template <class Single, class Double>
struct OfElement<double, Single, Double> {
  using type = Double;
};

/// Weights and their gradients for E, and the trace of attention.
template <class E>
using AttentionWeightsOf = typename OfElement<E, AttentionWeights, AttentionWeightsF64>::type;
template <class E>
using BlockWeightsOf = typename OfElement<E, BlockWeights, BlockWeightsF64>::type;
template <class E>
using AttentionTraceOf = typename OfElement<E, AttentionTrace, AttentionTraceF64>::type;

AttentionWeightsF64 widened(const AttentionWeights& weights);
BlockWeightsF64 widened(const BlockWeights& weights);

/// y [n, m] is the output of the softmax.
template <class E>
void softmax_backward(const Tensor<E>& y, const Tensor<E>& dy, Tensor<E>& dx);

/// x is the input of the activation; dx may be dy.
template <class E>
void activate_backward(Activation activation, const Tensor<E>& x, const Tensor<E>& dy, Tensor<E>& dx);

/// x [T, D] is the input of the norm; dx may be dy.
template <class E>
void layer_norm_backward(const Tensor<E>& x, const Tensor<E>& gamma, double eps, const Tensor<E>& dy,
                         Tensor<E>& dx, Tensor<E>& d_gamma, Tensor<E>& d_beta);

/// x [T, D_in], w [D_in, D_out], dy [T, D_out]; dx and d_b may be null.
template <class E>
void linear_backward(const Tensor<E>& x, const Tensor<E>& w, const Tensor<E>& dy, base::Parallel& parallel,
                     Tensor<E>* dx, Tensor<E>& d_w, Tensor<E>* d_b);

/// Sets d_table [V, D], whose shape is set before, to Σ dx [T, D] by token; 0 for tokens that do not occur.
template <class E>
void embedding_backward(const std::vector<int>& tokens, const Tensor<E>& dx, Tensor<E>& d_table);

/// Returns the mean loss of logits [n, V] over the rows whose target is not −100, and computes its gradient.
/// 0 if no row counts.
template <class E>
double cross_entropy(const Tensor<E>& logits, const std::vector<int>& targets, Tensor<E>& d_logits);

/// Returns the factor on q·k.
double score_scale(const AttentionOptions& options, int d_k);

template <class E>
struct HeadGradients {
  Tensor<E> q, k, v;  // [T, H·d_k], [S, H·d_k], [S, H·d_v]
  Tensor<E> scores;   // [H, T, S] dS
};

/// Computes the gradients from q, k, v and weights [H, T, S] of a trace; d_context is [T, H·d_v]. If the loss
/// also depends on the weights directly, `d_weights` [H, T, S] is that part of dA, only in double: for a
/// guided head, −weight / (n A) at its goal. Here and below, null means absent.
template <class E>
void heads_backward(const AttentionTraceOf<E>& trace, double scale, const Tensor<E>& d_context,
                    base::Parallel& parallel, HeadGradients<E>& gradients,
                    const Tensor<E>* d_weights = nullptr);

/// All gradients that attention over x [T, D] and x_kv [S, D_kv] passes back.
template <class E>
struct AttentionGradients {
  Tensor<E> x, x_kv;              // for self-attention, the gradient of x is their sum
  AttentionWeightsOf<E> weights;  // an absent bias has no gradient
  HeadGradients<E> heads;         // of q, k, v as projected; dS
};

/// Computes the gradients from dy [T, D_out], for attention_forward() or its twin with these options (only
/// heads, scale and rope are used; the weights contain the mask). O(T·S·D + T·D²), twice the forward pass.
template <class E>
void attention_backward(const Tensor<E>& x, const Tensor<E>& x_kv, const AttentionWeightsOf<E>& weights,
                        const AttentionTraceOf<E>& trace, const AttentionOptions& options,
                        const Tensor<E>& dy, base::Parallel& parallel, AttentionGradients<E>& gradients,
                        const Tensor<E>* d_weights = nullptr);

/// d_table [count, H] from d_scores [H, T, S].
template <class E>
void t5_bias_backward(const T5Buckets& buckets, const Tensor<E>& d_scores, int first_query,
                      Tensor<E>& d_table);

/// Rotates the gradient of rotated rows back, in place; arguments as for rotate().
template <class E>
void rotate_back(const RopeSpec& spec, int heads, Tensor<E>& dq, long first = 0);

/// Feed-forward y = activation(x W_1 + b_1) W_2 + b_2. Only the gradients of these four tensors are written.
template <class E>
void ffn_backward(const Tensor<E>& x, const Tensor<E>& hidden, const Tensor<E>& activated,
                  const BlockWeightsOf<E>& weights, Activation activation, const Tensor<E>& dy,
                  base::Parallel& parallel, Tensor<E>& dx, BlockWeightsOf<E>& gradients);

template <class E>
struct BlockGradients {
  Tensor<E> x;
  BlockWeightsOf<E> weights;
  Tensor<E> scores;  // [H, T, S] dS, for a learned bias
};

/// Computes the gradients of a whole encoder block from its trace. Cost: twice the forward pass.
template <class E>
void block_backward(const BlockWeightsOf<E>& weights, const BlockOptions& options, const BlockTrace<E>& trace,
                    const Tensor<E>& dy, base::Parallel& parallel, BlockGradients<E>& gradients,
                    const Tensor<E>* d_weights = nullptr);

}  // namespace headlight::nn
