// Does attention depend on the order of tokens? Without positions it does not: A(πX) = πA(X). And which part
// of a score comes from content, which from position?
//
//   (x_i + p_i) W_Q W_Kᵀ (x_j + p_j)ᵀ = xx + xp + px + pp          (Dai et al. 2019, Transformer-XL, 3.3)
//
// Tested in tests/nn/heads_test.cpp.
#pragma once

#include <span>

#include "nn/attention.h"

namespace headlight::nn {

/// Returns the rows of x in another order: row t of the result is row order[t] of x. `order` is a
/// permutation.
template <class E>
Tensor<E> permuted_rows(const Tensor<E>& x, std::span<const int> order);

/// Parts of the scaled score, each [H, T, T], in double; they add up to the score. The first four use the
/// queries and keys as projected, before any rotation: xx does not depend on where a token is.
struct ScoreParts {
  MatrixF64 content_content;    // xx: query's content, key's content
  MatrixF64 content_position;   // xp: query's content, key's position
  MatrixF64 position_content;   // px
  MatrixF64 position_position;  // pp: the same for every sentence
  MatrixF64 rotation;  // with rotary positions: score with the rotation − score without; else empty
};

/// x and p are [T, D]; the biases b_q and b_k count as content. O(T·D² + T²·D).
ScoreParts split_scores(const Matrix& x, const Matrix& p, const AttentionWeights& weights,
                        const AttentionOptions& options);

}  // namespace headlight::nn
