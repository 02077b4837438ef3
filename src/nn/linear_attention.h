// Attention without the softmax: the keys and values fit into one matrix of fixed size.
//
//   y_i = Σ_j (φ(q_i)·φ(k_j)) v_j / Σ_j φ(q_i)·φ(k_j)             (Katharopoulos et al. 2020, eq. 4 and 8)
//       = S φ(q_i) / (z · φ(q_i)),  S = Σ_j v_j φ(k_j)ᵀ, z = Σ_j φ(k_j);  causal: sums over j <= i
//
// The same sum can be computed by a program that writes to a fast weight matrix (Schmidhuber 1992; Schlag,
// Irie, Schmidhuber 2021):
//
//   sum rule    W_t = W_(t−1) + β v_t φ(k_t)ᵀ
//   delta rule  W_t = W_(t−1) + β (v_t − W_(t−1) φ(k_t)) φ(k_t)ᵀ     replaces the value stored at the key
//   y_t = W_t φ(q_t)
//
// With a decay γ, γ W_(t−1) replaces W_(t−1), and the sum rule is the state-space recurrence
//   h_t = a h_(t−1) + B x_t, y_t = C h_t  with h = W, a = γ, B = φ(k_t), x = v_t, C = φ(q_t)
//   y_t = Σ_(s ≤ t) γ^(t−s) (φ(q_t)·φ(k_s)) v_s     (RetNet: Sun et al. 2023; Mamba-2: Dao and Gu 2024)
// Mamba and Mamba-2 compute γ from the input of each step; here it is a constant. The delta rule with decay
// is the rule of the gated DeltaNet (Yang, Kautz and Hatamizadeh 2024).
//
// One head, no division by √d, no epsilon. E is float, or double for the twin. Shapes: q [T, d_k],
// k [S, d_k], v [S, d_v]. Tested in tests/nn/golden_variants.cpp and tests/nn/memory_test.cpp.
#pragma once

#include "kernels/tensor.h"

namespace headlight::nn {

enum class Feature {
  identity,
  elu1,  // elu(x) + 1: x + 1 above 0, exp(x) below; always positive
  unit,  // x / ‖x‖, and 0 for 0; with it and β = 1 the delta rule stores a value exactly
};

/// Applies φ to every row of x.
template <class E>
Tensor<E> features(Feature feature, const Tensor<E>& x);

struct LinearAttentionOptions {
  Feature feature = Feature::elu1;
  bool causal = false;    // T = S
  bool normalise = true;  // divide by the denominator; a row whose denominator is 0 becomes 0
  double decay = 1;  // γ, 0 … 1; values below 1 require causal: a weight is γ^(i−j) (φ(q_i)·φ(k_j))
};

template <class E>
struct LinearAttentionTrace {
  Tensor<E> phi_q, phi_k;  // [T, d_k], [S, d_k]
  Tensor<E> state;         // [d_v, d_k] after the last key
  Tensor<E> z;             // [1, d_k] after the last key
  Tensor<E> denominator;   // [1, T] z · φ(q_i), where z sums over the keys that query i attends to
  Tensor<E> output;        // [T, d_v]
};

/// Computes the output by running sums: O((T + S)·d_k·d_v) time, and memory that does not grow with T.
template <class E>
LinearAttentionTrace<E> linear_attention(const Tensor<E>& q, const Tensor<E>& k, const Tensor<E>& v,
                                         const LinearAttentionOptions& options);

template <class E>
struct LinearAttentionMap {
  Tensor<E> weights;  // [T, S] φ(q_i)·φ(k_j), divided by their sum when normalised; 0 where not allowed
  Tensor<E> output;   // [T, d_v] weights · v
};

/// Computes the same over all pairs, as attention is usually written: O(T·S·(d_k + d_v)). It provides the map
/// and shows that both forms agree.
template <class E>
LinearAttentionMap<E> linear_attention_map(const Tensor<E>& q, const Tensor<E>& k, const Tensor<E>& v,
                                           const LinearAttentionOptions& options);

enum class WriteRule { sum, delta };

struct FastWeightOptions {
  Feature feature = Feature::identity;
  WriteRule rule = WriteRule::sum;
  double beta = 1;          // strength of a write
  double decay = 1;         // γ, 0 … 1: the fraction of W that remains before each write
  bool keep_states = true;  // false: only the last matrix
};

template <class E>
struct FastWeightTrace {
  Tensor<E> phi_q, phi_k;  // [T, d_k]
  Tensor<E> states;        // [T, d_v, d_k] W after each step, or [1, d_v, d_k] the last one
  Tensor<E> found;         // [T, d_v] γ W_(t−1) φ(k_t): the value stored at the key before the write
  Tensor<E> y;             // [T, d_v]
};

/// Runs step by step; S = T. O(T·d_k·d_v).
template <class E>
FastWeightTrace<E> fast_weights(const Tensor<E>& q, const Tensor<E>& k, const Tensor<E>& v,
                                const FastWeightOptions& options);

/// Returns the largest |y of the fast weights (sum rule, β = 1) − causal linear attention over all pairs, not
/// normalised|, both with the same decay. Only rounding makes it differ from 0.
template <class E>
double fast_weight_residual(const Tensor<E>& q, const Tensor<E>& k, const Tensor<E>& v, Feature feature,
                            double decay = 1);

}  // namespace headlight::nn
