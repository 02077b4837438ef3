// What happens to the tokens in a deep stack, and to the gradient in the backward pass?
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

struct DepthStatistics {
  double similarity = 0, spread = 0, gradient = 0;
};

/// Both take x [T, D]. The similarity uses the tokens that are not 0; it is NaN if there is no pair. The
/// spread is 0 for one token and NaN for zeros.
double token_similarity(const Matrix& x);
double token_spread(const Matrix& x);

/// Returns the statistics for a stack's input and for the output of every layer, before a final norm, from
/// its trace. `seed` draws G for the gradients. Cost: twice the forward pass.
std::vector<DepthStatistics> depth_statistics(const StackWeights& weights, const BlockOptions& options,
                                              const StackTrace<float>& trace, std::uint64_t seed,
                                              base::Parallel& parallel);

}  // namespace headlight::nn
