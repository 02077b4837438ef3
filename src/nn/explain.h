// One weight with its whole arithmetic, and the quantities that summarize a head. Everything is computed in
// double precision from the float32 q, k, v of the trace, so that the residual shown is the rounding error of
// the float32 forward pass. Tested in tests/nn/explain_test.cpp.
#pragma once

#include <vector>

#include "nn/attention.h"

namespace headlight::nn {

/// One head's weight in a combination of several.
struct HeadWeight {
  int head = -1;
  double weight = 0;     // in double
  float weight_f32 = 0;  // as shown on screen
};

/// Weight (head, query, key): how it is computed and what it does. A combination of several heads is not a
/// weight of the layer: it has `heads`, the weights and `allowed`, but nothing about q, k and v. A weight
/// that was saved without q and k is stored the same way, as one entry of `heads`.
struct CellTrace {
  int head = -1, query = -1, key = -1;  // head: −1 for a mean; for a maximum, the head that has the maximum
  std::vector<HeadWeight> heads;        // the combined heads, in the order shown; empty: one head
  bool largest = false;                 // combined by maximum, not by mean
  std::vector<double> q, k, products;   // [d_k] products[c] = q[c]·k[c]
  double dot = 0;                       // Σ products
  double divisor = 1;                   // √d_k · temperature, or temperature; score = dot / divisor + add
  double sqrt_d_k = 1;                  // 1 when the scores are not divided
  double temperature = 1;
  double cap = 0;  // score = cap tanh(dot / divisor / cap) + add; 0: no cap
  double add = 0;  // added bias; 0: no bias
  double score = 0;
  bool allowed = true;                               // false: masked, and the weight is exactly 0
  bool row_masked = false;                           // the query may not attend to any key
  double row_max = 0, exponential = 0, row_sum = 0;  // exp(score − row_max), Σ of it
  double weight = 0;                                 // in double
  float weight_f32 = 0;                              // as shown on screen
  double residual = 0;                               // weight_f32 − weight
  std::vector<double> v, weighted_v;                 // [d_v] weight · v
  std::vector<double> context;                       // [d_v] the head's row for this query, Σ_j weight_j v_j
  double share = 0;  // ‖weight · v‖ / Σ_j ‖weight_j v_j‖: only lengths count, so opposite values do not
                     // cancel
  double projection =
      0;  // (weight · v) · context / ‖context‖²: sums to 1 over all keys; 0 if the context is 0
};

/// `options` must be those that the trace was made with. Indices must be in range. O(S·d).
CellTrace explain_cell(const AttentionTrace& trace, const AttentionOptions& options, int head, int query,
                       int key);

/// Combines the weights (query, key) of `heads` (0-based, at least one) by their mean or their maximum.
/// `heads` of the result holds each head's own weight; `weight` holds the combination in double, and
/// `weight_f32` holds it as mean_of_heads() and max_of_heads() compute it. O(heads · S·d).
CellTrace explain_combined(const AttentionTrace& trace, const AttentionOptions& options,
                           const std::vector<int>& heads, bool largest, int query, int key);

/// The same for weights that are given without q and k; `heads` may hold a single head.
CellTrace given_cell(const AttentionTrace& trace, const std::vector<int>& heads, bool largest, int query,
                     int key);

struct HeadSummary {
  double entropy_bits = 0;               // mean of −Σ A log2 A over the queries that may attend to a key
  float largest = 0;                     // largest weight of the head
  double score_variance = 0;             // variance of the scaled scores over the allowed pairs
  std::vector<double> row_entropy_bits;  // [T] −Σ A log2 A of each row; NaN where the query may not attend to
                                         // any key
};

/// Returns one summary per head. `pairs` must be those that the trace was made with, or null. O(H·T·S): the
/// score is recovered from the weight's logarithm and the row's maximum and sum. Only where a weight is too
/// small for that, q·k is computed again, O(d).
std::vector<HeadSummary> summarize_heads(const AttentionTrace& trace, base::Parallel& parallel,
                                         const PairMask* pairs = nullptr);

/// The same for weights that are given without q and k; the variance of the scores is NaN. In double.
/// O(H·T·S).
std::vector<HeadSummary> summarize_weights(const AttentionTrace& trace, base::Parallel& parallel);

/// Returns [T, S]: the mean, or the maximum, over the given heads (0-based); in parallel if `parallel` is
/// given.
Matrix mean_of_heads(const AttentionTrace& trace, const std::vector<int>& heads,
                     base::Parallel* parallel = nullptr);
Matrix max_of_heads(const AttentionTrace& trace, const std::vector<int>& heads,
                    base::Parallel* parallel = nullptr);

/// Returns [S]: the weight that each key receives from all queries, summed over the rows of a map [T, S].
std::vector<double> column_sums(const float* map, int T, int S);
/// Returns [T]: −Σ p log2 p of each row of a map, in bits; NaN for a row that sums to 0.
std::vector<double> row_entropies(const Matrix& map, base::Parallel* parallel = nullptr);

/// Counts NaN and infinities in the weights and the output.
std::size_t count_nonfinite(const AttentionTrace& trace);

}  // namespace headlight::nn
