// Scaled dot-product and multi-head self-attention, forward, with every intermediate kept.
//
//   Q = X W_Q, K = X W_K, V = X W_V          heads side by side, head n in columns n·d … (n+1)·d − 1
//   score_ij = (q_i · k_j) · scale + add_ij  scale = 1/√d_k or 1, divided by the temperature
//   A_ij = exp(score_ij − m_i) / Σ_j' exp(score_ij' − m_i),  m_i = max over the allowed keys
//   head = A V, output = [head_1 … head_H] W_O                  (Vaswani et al. 2017, eq. 1 and 3.2.2)
//
// A blocked key has weight exactly 0. A query with no allowed key has weights 0 and head rows 0, never NaN.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/interval.h"
#include "base/parallel.h"
#include "kernels/tensor.h"
#include "nn/mask.h"
#include "nn/rope_spec.h"
#include "nn/weights.h"

namespace headlight::nn {

/// The matrices of AttentionWeights as the kernels read them (Kernels::pack), for calls that share them:
/// groups of columns, each with all rows. Tested in tests/nn/laws_test.cpp.
struct PackedWeights {
  struct Packed {
    Matrix panels;
    std::size_t stride = 0;   // floats from one group to the next
    int depth = 0, cols = 0;  // of the matrix, as in AttentionWeights; 0: it is empty
  };
  Packed q, k, v, o;
  int heads = 0;  // whose columns the groups of q, k and v do not cut across
  int panel = 0;  // columns of a group, of the kernels that they were packed for
};

/// Packs `weights` for calls with this many heads.
PackedWeights packed(const AttentionWeights& weights, int heads, base::Parallel& parallel);
/// Were they packed for so many heads, and for the kernels that run now?
bool fits(const PackedWeights& packed, int heads);

struct AttentionOptions {
  int heads = 1;  // divides the columns of w_q and of w_v
  bool divide_by_sqrt_d_k = true;
  double custom_scale = 1;  // multiplied in when divide_by_sqrt_d_k is false
  double temperature = 1;   // > 0; divides the score
  // In double, so that the double twin has them as they are set: 1/√8 is no float.
  bool keep_scores = false;
  MaskSpec mask;
  const PairMask* pairs = nullptr;  // outlives the call
  std::optional<RopeSpec> rope;     // queries and keys are rotated after their projection (rope.h)
  /// Of the very weights of the call, and outlives it; null: they are packed in the call.
  const PackedWeights* packed = nullptr;
};

struct AttentionTrace {
  int T = 0, S = 0, heads = 0, d_k = 0, d_v = 0;
  float scale = 1;      // the factor on q·k, temperature included
  float score_cap = 0;  // c: a scaled score s becomes c tanh(s / c) before add_ij (Gemma 2); 0: it stays s
  Matrix q, k, v;       // [T, H·d_k], [S, H·d_k], [S, H·d_v]
  Matrix scores;        // [H, T, S] scaled, with add_ij, before the mask; empty unless keep_scores
  Matrix weights;       // [H, T, S]
  Matrix row_max;       // [H, T] m_i; 0 where nothing is allowed
  Matrix row_sum;       // [H, T] Σ exp(score − m_i); 0 where nothing is allowed
  Matrix context;       // [T, H·d_v] the heads side by side
  Matrix output;        // [T, D_out]
  std::vector<base::Interval> allowed;  // [T]
  const float* query(int head, int t) const { return q.row(t).data() + std::size_t(head) * std::size_t(d_k); }
  const float* key(int head, int s) const { return k.row(s).data() + std::size_t(head) * std::size_t(d_k); }
  const float* value(int head, int s) const { return v.row(s).data() + std::size_t(head) * std::size_t(d_v); }
};

/// Heads that are wanted before the others: they are worked on first, and `done` is called once, by the
/// thread that finishes the last of them, while the other heads go on. It may read q, k, v, allowed, and
/// these heads' planes of weights, row_max and row_sum.
struct FirstHeads {
  std::vector<int> heads;  // 0-based, each once; empty: `done` is not called
  std::function<void(const AttentionTrace&)> done;
};

/// Multi-head attention of the rows of x [T, D_in] over the rows of x_kv [S, D_kv] (pass x again for
/// self-attention) into `trace`, whose buffers are reused. Shapes that do not fit are our mistake and stop
/// the program. Cost O(T·D² + T·S·D). The result does not depend on the number of threads. `goes_on`, where
/// it is given, is told the fraction done by the calling thread, a hundred times at most; once it says false,
/// what is left is left out, and the trace must not be used.
void attention_forward(const Matrix& x, const Matrix& x_kv, const AttentionWeights& weights,
                       const AttentionOptions& options, base::Parallel& parallel, AttentionTrace& trace,
                       const std::function<bool(float)>& goes_on = {}, const FirstHeads& first = {});

/// The same from given q [T, H·d_k], k [S, H·d_k], v [S, H·d_v], which the trace must already hold; no
/// projections, the output is the concatenation. What the reference data calls sdpa.
void attention_from_qkv(const AttentionOptions& options, base::Parallel& parallel, AttentionTrace& trace);

/// y [rows, cols] = softmax over each row of x [rows, cols], row maximum taken out; −inf gives 0, a row of
/// nothing but −inf gives 0. x and y may be the same array.
void softmax_rows(const float* x, float* y, int rows, int cols, base::Parallel& parallel);

/// scores [H, T, S] as in AttentionTrace::scores, for a trace that was made without keep_scores.
Matrix attention_scores(const AttentionTrace& trace, const PairMask* pairs, base::Parallel& parallel);

/// Which kernels run: "x86-64-v2", "x86-64-v3" or "x86-64-v4" (or "generic" off x86); chosen once at start by
/// what the processor has; the environment variable HEADLIGHT_ISA (v2, v3, v4) asks for a lower one.
const char* instruction_set();

}  // namespace headlight::nn
