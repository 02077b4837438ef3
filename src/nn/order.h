// What does attention know of order? Without positions nothing: A(πX) = πA(X). And what of a score comes from
// content, what from position?
//
//   (x_i + p_i) W_Q W_Kᵀ (x_j + p_j)ᵀ = xx + xp + px + pp          (Dai et al. 2019, Transformer-XL, 3.3)
//
// Tested in tests/nn/heads_test.cpp.
#pragma once

#include <span>

#include "nn/attention.h"

namespace headlight::nn {

/// Rows of x in another order: row t of the result is row order[t] of x. `order` is a permutation.
template <class E>
Tensor<E> permuted_rows(const Tensor<E>& x, std::span<const int> order);

struct PermutationResidual {
  double output = 0;   // max |A(πX) − π A(X)| over the output
  double weights = 0;  // the same over the maps, rows and columns permuted
};

/// Computed twice with attention_forward(). `positions` [T, D] or empty is added after the tokens have moved,
/// so it stays where it is. Zero up to rounding without positions and without a mask.
PermutationResidual permutation_residual(const Matrix& x, const Matrix& positions, std::span<const int> order,
                                         const AttentionWeights& weights, const AttentionOptions& options,
                                         base::Parallel& parallel);

/// Parts of the scaled score, each [H, T, T], in double; they add up to it. The first four are of the queries
/// and keys as they are projected, before any rotation: nothing in xx depends on where a token stands.
struct ScoreParts {
  MatrixF64 content_content;    // xx: which token at which token
  MatrixF64 content_position;   // xp: query's content, key's position
  MatrixF64 position_content;   // px
  MatrixF64 position_position;  // pp: the same for every sentence
  MatrixF64 rotation;  // with rotary positions: score with the rotation − score without; else empty
};

/// x, p [T, D]; the biases b_q and b_k count as content. O(T·D² + T²·D).
ScoreParts split_scores(const Matrix& x, const Matrix& p, const AttentionWeights& weights,
                        const AttentionOptions& options);

}  // namespace headlight::nn
