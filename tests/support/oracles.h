// Second, plain implementations in double that only tests use: what the shipped code is compared with. Loops
// that follow the equations, one query after another; nothing of the code under test but the projections.
#pragma once

#include "nn/reference.h"
#include "nn/relative.h"

namespace headlight::nn {

/// y = softmax over each row of x; −inf gives 0, and a row that holds only −inf gives 0.
MatrixF64 softmax_rows_f64(const Matrix& x);

/// attention_forward_f64() with numbers added to the scaled scores: `bias` [1 or H, T, S].
AttentionTraceF64 biased_attention_forward_f64(const MatrixF64& x, const MatrixF64& x_kv,
                                               const AttentionWeights& weights,
                                               const AttentionOptions& options, const MatrixF64& bias);

/// shaw_attention_forward() in double, without numbers added by options.pairs.
AttentionTraceF64 shaw_attention_forward_f64(const MatrixF64& x, const MatrixF64& x_kv,
                                             const AttentionWeights& weights, const ShawTables& tables,
                                             const AttentionOptions& options);

/// The energy of a Hopfield network at one point, `point` [d]: −lse(β, Xξ) + ½ ξᵀξ, and with its constants
/// log(N)/β + ½ M² (Ramsauer et al. 2020, eq. 2).
double hopfield_energy(const Matrix& patterns, double beta, const double* point, bool with_constants = true);

}  // namespace headlight::nn
