// The double-precision twin of attention where q, k, v or the added numbers are not float32 to begin with:
// rotated queries and keys, biases of relative position. Plain loops, one query after the other.
// Tested in tests/nn/golden_variants.cpp.
#pragma once

#include "nn/reference.h"

namespace headlight::nn {

/// From q [T, H·d_k], k [S, H·d_k], v [S, H·d_v]. `add` [1 or H, T, S] or null is added to the scaled score,
/// in place of options.pairs->add; options.pairs->allow still holds. The output is the concatenation.
/// O(H·T·S·d).
AttentionTraceF64 attention_from_qkv_f64(const MatrixF64& q, const MatrixF64& k, const MatrixF64& v,
                                         const AttentionOptions& options, const MatrixF64* add);

/// attention_forward_f64() with a bias in double.
AttentionTraceF64 biased_attention_forward_f64(const MatrixF64& x, const MatrixF64& x_kv,
                                               const AttentionWeights& weights,
                                               const AttentionOptions& options, const MatrixF64& bias);

/// float32 as double, every element.
MatrixF64 widened(const Matrix& m);
/// double as float32.
Matrix narrowed(const MatrixF64& m);

}  // namespace headlight::nn
