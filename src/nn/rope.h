// Rotary position embedding: queries and keys are rotated by an angle proportional to their position, so that
// their product depends only on the two contents and on j − i (Su et al. 2021, RoFormer, eq. 15 and 34).
//
//   (a, b) → (a cos θ − b sin θ, a sin θ + b cos θ),  θ = position · base^(−2j / rotary_dim)
//
// for pair j of every head. The components from rotary_dim on and the values are not rotated. Tested in
// tests/nn/golden_variants.cpp and tests/nn/relative_test.cpp.
#pragma once

#include "nn/attention.h"
#include "nn/reference.h"
#include "nn/rope_spec.h"

namespace headlight::nn {

/// Rotates the rows of q [T, H·d] in place, row t by position offset + t + `first`. Angles are computed in
/// double, so the float32 result is accurate at any offset. O(T·H·d).
template <class E>
void rotate(const RopeSpec& spec, int heads, Tensor<E>& q, long first = 0);

/// attention_forward() with options.rope set to `spec`: the queries and keys are rotated after their
/// projection, and trace.q and trace.k hold the rotated ones. If there are fewer queries than keys, the
/// queries are the last ones, as with a cache.
void rope_attention_forward(const Matrix& x, const Matrix& x_kv, const AttentionWeights& weights,
                            const AttentionOptions& options, const RopeSpec& spec, base::Parallel& parallel,
                            AttentionTrace& trace);

}  // namespace headlight::nn
