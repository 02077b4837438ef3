// Position as a number added to the scores, and position as a learned table.
//
//   T5      add_ij = table[bucket(j − i), head]; half of the buckets for exact distances, the rest grow
//           logarithmically up to max_distance (Raffel et al. 2020, 2.1)
//   ALiBi   add_ij = −slope_head · |i − j|, slope_n = 2^(−8 (n+1) / H) (Press, Smith, Lewis 2022)
//   Shaw    score_ij = q_i · (k_j + r^K_c) / √d, head_i = Σ_j A_ij (v_j + r^V_c), c = clip(j − i)
//           (Shaw, Uszkoreit, Vaswani 2018, eq. 3 and 4)
//   learned x_i + table[offset + i] (Gehring et al. 2017; BERT, GPT-2)
//
// A bias that depends only on the distance is stored as one row for each head, [H, T + S − 1]: entry j − i +
// T − 1 belongs to query i and key j. spread() turns it into a PairMask::add, so that attention runs on its
// fast path. The distance is j − (i + first_query); first_query is S − T where the queries are the last rows
// of the sequence, as with a cache. Tested in tests/nn/golden_variants.cpp and tests/nn/relative_test.cpp.
#pragma once

#include <vector>

#include "base/result.h"
#include "nn/attention.h"
#include "nn/reference.h"

namespace headlight::nn {

struct T5Buckets {
  bool bidirectional = true;  // false: all keys after the query share bucket 0
  int count = 32;             // >= 4 and even when bidirectional, >= 2 otherwise
  int max_distance = 128;  // from this distance on, always the last bucket; larger than the number of exact
                           // buckets
  bool operator==(const T5Buckets&) const = default;
};

/// Returns the bucket of `relative` = key position − query position, 0 … count − 1.
int t5_bucket(const T5Buckets& buckets, int relative);

/// Returns [H, T + S − 1] from table [count, H].
Matrix t5_bias(const T5Buckets& buckets, const Matrix& table, int T, int S, int first_query = 0);

/// Returns the slope of each head, in double. If H is not a power of two: the slopes for the next lower
/// power, then every second slope for twice that power, starting with the first (the authors' code).
std::vector<double> alibi_slopes(int heads);

/// Returns [H, T + S − 1]: −slope · |distance|, symmetric; a causal mask hides one half of it.
template <class E>
Tensor<E> alibi_bias(int heads, int T, int S, int first_query = 0);

/// Returns [H, T, S] from [H, T + S − 1].
template <class E>
Tensor<E> spread(const Tensor<E>& by_distance, int T, int S);

/// What Shaw's attention learns; all heads share it. An empty table is omitted.
struct ShawTables {
  Matrix rel_k, rel_v;  // [2·clip + 1, d_k], [2·clip + 1, d_v]
};

/// Returns [H, T, S]: q_i · rel_k[c] · scale, which Shaw's keys add to the score of query i and key j. q [T,
/// H·d_k].
Matrix shaw_bias(const Matrix& q, int heads, const Matrix& rel_k, float scale, int S, int first_query,
                 base::Parallel& parallel);
/// context [T, H·d_v] += Σ_j weights[h, i, j] · rel_v[c].
void add_shaw_values(const Matrix& weights, const Matrix& rel_v, int first_query, base::Parallel& parallel,
                     Matrix& context);

/// attention_forward() with Shaw's tables. On return, `pairs` holds the numbers added to the scores (and what
/// options.pairs blocked or added); pass it to explain_cell(). trace.context includes the r^V part. This
/// costs an additional O(T·S·(H + d_v)).
void shaw_attention_forward(const Matrix& x, const Matrix& x_kv, const AttentionWeights& weights,
                            const ShawTables& tables, const AttentionOptions& options,
                            base::Parallel& parallel, PairMask& pairs, AttentionTrace& trace);

/// Returns x [T, D] + table[offset … offset + T − 1], or an error when a position lies outside the table: the
/// table has no row for it, and positions do not wrap around.
template <class E>
base::Result<Tensor<E>> add_learned_positions(const Tensor<E>& x, const Matrix& table, long offset);

}  // namespace headlight::nn
