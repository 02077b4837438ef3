// What becomes of the tokens in a deep stack, and of the gradient on its way back?
//
//   similarity   mean over all pairs of tokens of cos(x_i, x_j): 1 = all tokens have the same direction
//   spread       ‖X − 1 x̄ᵀ‖ / ‖X‖, x̄ the mean of the tokens: 0 = all tokens are the same vector (Dong,
//                Cordonnier and Loukas 2021 show that a bound on it falls doubly exponentially with depth in
//                a stack of attention alone)
//   gradient     ‖dL/dX_l‖ of L = Σ G ∘ X_L, G drawn from N(0, 1/(T·D)), so that ‖dL/dX_L‖ is about 1
//
// Tested in tests/train/depth_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/block.h"

namespace headlight::nn {

struct DepthFigures {
  double similarity = 0, spread = 0, gradient = 0;
};

/// Of x [T, D], over the tokens that are not 0; NaN without a pair. The spread: 0 of one token, NaN of zeros.
double token_similarity(const Matrix& x);
double token_spread(const Matrix& x);

/// Of a stack's input and of the output of every layer, before a last norm, from its trace; the gradient at
/// each, for G of `seed`. O(twice the way forward).
std::vector<DepthFigures> depth_figures(const StackWeights& weights, const BlockOptions& options,
                                        const StackTrace<float>& trace, std::uint64_t seed,
                                        base::Parallel& parallel);

}  // namespace headlight::nn
