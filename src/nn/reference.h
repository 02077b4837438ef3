// The double-precision twin of the forward pass: a second, plain implementation on Eigen that follows the
// equations. The fast float32 path is tested against it, and the residuals on screen come from it. It
// evaluates MaskSpec pair by pair, not through allowed_keys(). Shapes that do not fit stop the program.
// Tested in tests/nn/golden_test.cpp.
#pragma once

#include "nn/attention.h"

namespace headlight::nn {

struct AttentionTraceF64 {
  MatrixF64 q, k, v;          // as in AttentionTrace
  MatrixF64 scores, weights;  // [H, T, S]
  MatrixF64 context, output;
  MatrixF64 kept;  // [H, T, S] 0 or 1 / (1 − rate), in a training pass with dropout; else empty
};

AttentionTraceF64 attention_forward_f64(const Matrix& x, const Matrix& x_kv, const AttentionWeights& weights,
                                        const AttentionOptions& options);
/// The same for x that is not float32 originally (embeddings plus a positional encoding in double).
AttentionTraceF64 attention_forward_f64(const MatrixF64& x, const MatrixF64& x_kv,
                                        const AttentionWeights& weights, const AttentionOptions& options);
/// From given q [T, H·d_k], k [S, H·d_k], v [S, H·d_v]; the output is the concatenation.
AttentionTraceF64 attention_from_qkv_f64(const Matrix& q, const Matrix& k, const Matrix& v,
                                         const AttentionOptions& options);

/// Returns the largest |float32 − double| over the weights.
double weights_residual(const AttentionTrace& trace, const AttentionTraceF64& reference);

}  // namespace headlight::nn
