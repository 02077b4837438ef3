// Attention that never stores T×S numbers: it processes the keys in tiles, and each query keeps a running
// maximum, a running sum and a running average of the values (Milakov and Gimelshein 2018; Dao et al. 2022).
//
//   m' = max(m, m_tile), l' = l e^(m − m') + l_tile e^(m_tile − m')
//   o' = (o l e^(m − m') + o_tile l_tile e^(m_tile − m')) / l'
//
// The result equals that of attention_from_qkv() up to rounding. Memory is O((T + S)·H·d) plus one tile per
// thread. The weights of any row can be computed from its q and all k on demand. Tested in
// tests/nn/tiled_test.cpp.
#pragma once

#include "nn/attention.h"

namespace headlight::nn {

struct TiledOptions {
  /// heads, scale, temperature and mask as usual; keep_scores must be off and `pairs` null, since both need
  /// T×S numbers.
  AttentionOptions attention;
  /// [1 or H, T + S − 1] or null: added to the scaled score by distance (relative.h). Outlives the call.
  const Matrix* by_distance = nullptr;
};

struct TiledTrace {
  int T = 0, S = 0, heads = 0, d_k = 0, d_v = 0;
  float scale = 1;
  Matrix q, k, v;  // [T, H·d_k], [S, H·d_k], [S, H·d_v]
  Matrix row_max;  // [H, T] m; 0 where nothing is allowed
  Matrix row_sum;  // [H, T] l; 0 where nothing is allowed
  Matrix output;   // [T, H·d_v] the heads side by side
};

/// Computes attention from q, k, v, which the trace must already hold. O(T·S·H·d) time. The result does not
/// depend on the number of threads.
void tiled_attention(const TiledOptions& options, base::Parallel& parallel, TiledTrace& trace);

/// Returns the bytes that tiled_attention() allocates in addition to q, k and v, and the bytes that
/// attention_from_qkv() would hold in its weights alone.
std::size_t tiled_bytes(int T, int S, int heads, int d_k, int d_v, int threads);
std::size_t dense_bytes(int T, int S, int heads);

}  // namespace headlight::nn
