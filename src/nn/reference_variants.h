// The double-precision twin of attention for q, k, v or added numbers that are not float32 originally:
// rotated queries and keys, and biases of relative position. Plain loops, one query after another. Tested in
// tests/nn/golden_variants.cpp.
#pragma once

#include "nn/reference.h"

namespace headlight::nn {

/// From q [T, H·d_k], k [S, H·d_k], v [S, H·d_v]. `add` [1 or H, T, S], or null, is added to the scaled score
/// and replaces options.pairs->add; options.pairs->allow still applies. The output is the concatenation.
/// O(H·T·S·d).
AttentionTraceF64 attention_from_qkv_f64(const MatrixF64& q, const MatrixF64& k, const MatrixF64& v,
                                         const AttentionOptions& options, const MatrixF64* add);

/// Converts every element from float32 to double.
MatrixF64 widened(const Matrix& m);

}  // namespace headlight::nn
