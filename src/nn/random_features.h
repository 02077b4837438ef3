// The exponential of softmax attention as a mean over random features (Performer: Choromanski et al. 2021,
// lemma 1):
//
//   φ(x)_i = exp(ω_i·x' − ‖x'‖²/2) / √m,  x' = x / d^(1/4),  ω_i ~ N(0, I), i = 1 … m
//   E[φ(q)·φ(k)] = exp(q·k/√d)
//
// All features are positive. For one pair the standard deviation of the estimate falls as 1/√m and grows with
// ‖q' + k'‖. The ω_i are independent; the Performer makes them orthogonal, which lowers the variance. E is
// float or double. Tested in tests/nn/memory_further_test.cpp.
#pragma once

#include <cstdint>

#include "kernels/tensor.h"

namespace headlight::nn {

/// Draws ω [m, d] from a seed and a stream; row i does not depend on m.
Matrix random_directions(int m, int d, std::uint64_t seed, std::uint64_t stream);

/// Applies φ to every row of x [T, d], with ω [m, d]: [T, m]. The exponent is at most ‖ω_i‖²/2, so nothing
/// overflows.
template <class E>
Tensor<E> random_features(const Tensor<E>& x, const Matrix& directions);

}  // namespace headlight::nn
