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

/// The matrices of AttentionWeights in the layout that the kernels expect (Kernels::pack), for calls that
/// share them. The columns are cut into groups; each group holds all rows. Tested in tests/nn/laws_test.cpp.
struct PackedWeights {
  struct Packed {
    Matrix panels;
    std::size_t stride = 0;   // floats from one group to the next
    int depth = 0, cols = 0;  // shape of the matrix, as in AttentionWeights; 0: the matrix is empty
  };
  Packed q, k, v, o;
  int heads = 0;  // each group of q, k and v holds whole heads, or a part of one head
  int panel = 0;  // columns per group, for the kernels that the weights were packed for
};

/// Packs `weights` for calls with this many heads.
PackedWeights packed(const AttentionWeights& weights, int heads, base::Parallel& parallel);
/// Returns whether the weights were packed for this many heads and for the kernels that run now.
bool fits(const PackedWeights& packed, int heads);

struct AttentionOptions {
  int heads = 1;  // divides the columns of w_q and of w_v
  bool divide_by_sqrt_d_k = true;
  double custom_scale = 1;  // multiplied in when divide_by_sqrt_d_k is false
  double temperature = 1;   // > 0; divides the score
  // The numbers above are doubles, so that the double twin uses them exactly as set: 1/√8 is not a float.
  bool keep_scores = false;
  MaskSpec mask;
  const PairMask* pairs = nullptr;  // outlives the call
  std::optional<RopeSpec> rope;     // queries and keys are rotated after their projection (rope.h)
  /// The packed form of the weights given to the call; outlives the call. Null: the call packs them.
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

/// Heads that are needed before the others. They are computed first. The thread that finishes the last of
/// them calls `done` once, while the other heads are still running. `done` may read q, k, v, allowed, and
/// these heads' planes of weights, row_max and row_sum.
struct FirstHeads {
  std::vector<int> heads;  // 0-based, each once; empty: `done` is not called
  std::function<void(const AttentionTrace&)> done;
};

/// Multi-head attention of the rows of x [T, D_in] over the rows of x_kv [S, D_kv] (pass x again for
/// self-attention) into `trace`, whose buffers are reused. Shapes that do not fit are a programming error and
/// stop the program. Cost O(T·D² + T·S·D). The result does not depend on the number of threads. `keep_going`,
/// if given, receives the fraction done, on the calling thread, at most about a hundred times. Once it
/// returns false, the remaining work is skipped and the trace must not be used.
void attention_forward(const Matrix& x, const Matrix& x_kv, const AttentionWeights& weights,
                       const AttentionOptions& options, base::Parallel& parallel, AttentionTrace& trace,
                       const std::function<bool(float)>& keep_going = {}, const FirstHeads& first = {});

/// The same from given q [T, H·d_k], k [S, H·d_k], v [S, H·d_v], which the trace must already hold. There are
/// no projections; the output is the concatenation. The reference data calls this sdpa.
void attention_from_qkv(const AttentionOptions& options, base::Parallel& parallel, AttentionTrace& trace);

/// y [rows, cols] = softmax over each row of x [rows, cols], with the row maximum subtracted. −inf gives 0; a
/// row that holds only −inf gives 0. x and y may be the same array.
void softmax_rows(const float* x, float* y, int rows, int cols, base::Parallel& parallel);

/// Returns scores [H, T, S] as in AttentionTrace::scores, for a trace that was made without keep_scores.
Matrix attention_scores(const AttentionTrace& trace, const PairMask* pairs, base::Parallel& parallel);

/// Returns which kernels run: "x86-64-v2", "x86-64-v3" or "x86-64-v4" ("generic" on other processors). They
/// are chosen once, at the start, by what the processor supports. The environment variable HEADLIGHT_ISA (v2,
/// v3, v4) selects a lower level.
const char* instruction_set();

}  // namespace headlight::nn
