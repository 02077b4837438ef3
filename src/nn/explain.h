// One weight with its whole arithmetic, and the figures that sum a head up. All in double precision from the
// float32 q, k, v of the trace, so that the residual shown is the rounding of the float32 forward pass.
// Tested in tests/nn/explain_test.cpp.
#pragma once

#include <vector>

#include "nn/attention.h"

namespace headlight::nn {

/// One head's weight in a combination of several.
struct HeadWeight {
  int head = -1;
  double weight = 0;     // in double
  float weight_f32 = 0;  // the one on screen
};

/// Weight (head, query, key): how it came about and what it does. A combination of several heads is no weight
/// of the layer: it has `heads`, the weights and `allowed`, and nothing of q, k and v. A weight that was
/// saved without q and k is one of `heads` alone.
struct CellTrace {
  int head = -1, query = -1, key = -1;  // head: −1 for a mean; of a maximum the head that has it
  std::vector<HeadWeight> heads;        // what is combined, in the order that is shown; empty: one head
  bool largest = false;                 // combined as the largest, not as the mean
  std::vector<double> q, k, products;   // [d_k] products[c] = q[c]·k[c]
  double dot = 0;                       // Σ products
  double divisor = 1;                   // √d_k · temperature, or temperature; score = dot / divisor + add
  double sqrt_d_k = 1;                  // 1 when the scores are not divided
  double temperature = 1;
  double cap = 0;  // score = cap tanh(dot / divisor / cap) + add; 0: no cap
  double add = 0;  // added bias, 0 without
  double score = 0;
  bool allowed = true;                               // false: masked, and the weight is exactly 0
  bool row_masked = false;                           // the query may read nothing at all
  double row_max = 0, exponential = 0, row_sum = 0;  // exp(score − row_max), Σ of it
  double weight = 0;                                 // in double
  float weight_f32 = 0;                              // the one on screen
  double residual = 0;                               // weight_f32 − weight
  std::vector<double> v, weighted_v;                 // [d_v] weight · v
  std::vector<double> context;                       // [d_v] the head's row for this query, Σ_j weight_j v_j
  double share = 0;  // ‖weight · v‖ / Σ_j ‖weight_j v_j‖: lengths alone, so that opposite values both count
  double projection =
      0;  // (weight · v) · context / ‖context‖²: over all keys they add up to 1; 0 where it is 0
};

/// `options` are those the trace was made with. Indices must be in range. O(S·d).
CellTrace explain_cell(const AttentionTrace& trace, const AttentionOptions& options, int head, int query,
                       int key);

/// The mean over `heads` (0-based, at least one), or the largest of them, of the weights (query, key): each
/// head's own, and their combination in `weight` and, as mean_of_heads() and max_of_heads() have it, in
/// `weight_f32`. O(heads · S·d).
CellTrace explain_combined(const AttentionTrace& trace, const AttentionOptions& options,
                           const std::vector<int>& heads, bool largest, int query, int key);

/// The same of weights that are given without q and k; `heads` may be one.
CellTrace given_cell(const AttentionTrace& trace, const std::vector<int>& heads, bool largest, int query,
                     int key);

struct HeadSummary {
  double entropy_bits = 0;               // mean over the queries that may read something, of −Σ A log2 A
  float largest = 0;                     // largest weight of the head
  double score_variance = 0;             // variance of the scaled scores over the allowed pairs
  std::vector<double> row_entropy_bits;  // [T] −Σ A log2 A of each row; NaN where the query may read nothing
};

/// One for each head. `pairs` are those the trace was made with, or null. O(H·T·S): a weight's logarithm is
/// its score, up to what the row's maximum and sum say; only where a weight is too small for that, q·k is
/// computed again, O(d).
std::vector<HeadSummary> summarize_heads(const AttentionTrace& trace, base::Parallel& parallel,
                                         const PairMask* pairs = nullptr);

/// The same of weights that are given without q and k: no variance of scores, NaN. In double. O(H·T·S).
std::vector<HeadSummary> summarize_weights(const AttentionTrace& trace, base::Parallel& parallel);

/// [T, S]: mean over the given heads (0-based), or the largest; over the cores where `parallel` is given.
Matrix mean_of_heads(const AttentionTrace& trace, const std::vector<int>& heads,
                     base::Parallel* parallel = nullptr);
Matrix max_of_heads(const AttentionTrace& trace, const std::vector<int>& heads,
                    base::Parallel* parallel = nullptr);

/// [S]: what each key receives from all queries, Σ over the rows of a map [T, S].
std::vector<double> column_sums(const float* map, int T, int S);
/// [T]: −Σ p log2 p of each row of a map, in bits; NaN of a row that sums to 0.
std::vector<double> row_entropies(const Matrix& map, base::Parallel* parallel = nullptr);

/// NaN and infinities in the weights and the output.
std::size_t count_nonfinite(const AttentionTrace& trace);

}  // namespace headlight::nn
