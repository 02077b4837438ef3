// Where do the numbers come from before anything is learned? They are drawn from a seed. Tested in
// tests/nn/weights_test.cpp.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/tensor.h"
#include "nn/tokens.h"

namespace headlight::nn {

/// Projections of one attention layer; matrices act from the right, y = x W + b (Vaswani et al. 2017, 3.2.2).
/// Head n of H uses columns n·d … (n+1)·d − 1 of q, k and v. An empty bias means no bias.
struct AttentionWeights {
  Matrix w_q, w_k, w_v;       // [D_in, H·d], [D_kv, H·d], [D_kv, H·d_v]
  Matrix w_o;                 // [H·d_v, D_out]; empty: the output is the concatenation itself
  Matrix b_q, b_k, b_v, b_o;  // [1, …] or empty
};

/// Visits every tensor by name; loading, saving, counting, gradient checks and the optimizer all use this
/// list.
template <class W, class F>
requires std::same_as<std::remove_const_t<W>, AttentionWeights>
void tensors(W& w, F&& visit) {
  visit("w_q", w.w_q), visit("w_k", w.w_k), visit("w_v", w.w_v), visit("w_o", w.w_o);
  visit("b_q", w.b_q), visit("b_k", w.b_k), visit("b_v", w.b_v), visit("b_o", w.b_o);
}

/// Returns X, [T, D]: one N(0, 1) vector for each distinct token text, drawn from (seed, hash of the text).
/// The same text has the same vector at every position and in every sentence; component c does not depend on
/// D.
Matrix embed(const std::vector<Token>& tokens, int d_model, std::uint64_t seed);

/// Xavier uniform (Glorot and Bengio 2010): U(−a, a) with a = sqrt(6 / (fan_in + fan_out)), where fan_in and
/// fan_out are those of the whole matrix, for W_Q, W_K, W_V [d_in, d_model] and W_O [d_model, d_model]; no
/// biases. Apart from the factor a, element (r, c) depends only on the seed, the matrix and (r, c).
AttentionWeights random_attention_weights(int d_in, int d_model, std::uint64_t seed);

}  // namespace headlight::nn
