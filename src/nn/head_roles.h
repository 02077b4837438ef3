// What is a head for? How much of its weight follows simple patterns (Clark et al. 2019; Voita et al. 2019),
// how similar two heads are, and what the layer loses when a head is switched off (Michel, Levy, Neubig
// 2019). Tested in tests/nn/heads_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "nn/attention.h"

namespace headlight::nn {

/// Mean weight on each relation, over the queries where the relation is defined and that may attend to a key.
/// NaN if there is no such query.
struct HeadRoles {
  double previous = 0;    // key i − 1, for i >= 1
  double next = 0;        // key i + 1, if there is one
  double first = 0;       // key 0, for i >= 1
  double diagonal = 0;    // key i
  double same_token = 0;  // all other keys with the query's token, together
  double induction = 0;   // the key after the last earlier occurrence of the query's token, if it is before
                          // the query: prefix matching (Olsson et al. 2022)
};

/// Returns the roles of each head of self-attention (T = S). `tokens` [T] holds an id for each token; equal
/// tokens have equal ids. O(H·T²).
std::vector<HeadRoles> head_roles(const AttentionTrace& trace, std::span<const int> tokens);
/// The same for weights [H, T, T]. A query whose weights are all 0 counts as one that may not attend to any
/// key.
std::vector<HeadRoles> head_roles(const Matrix& weights, std::span<const int> tokens,
                                  base::Parallel& parallel);
/// The same for one map [T, T] in double, with the same rule for queries whose weights are all 0. O(T²).
HeadRoles head_roles(std::span<const double> map, std::span<const int> tokens);

/// Returns the roles of uniform attention, which spreads each query's weight evenly over the keys of its
/// interval. `allowed` is [T], or empty: all keys. O(T²).
HeadRoles uniform_roles(std::span<const base::Interval> allowed, std::span<const int> tokens);

/// Returns [H, H]: the cosine of the angle between the maps as vectors of T·S numbers; NaN where a map is 0.
/// O(H²·T·S).
MatrixF64 head_similarity(const AttentionTrace& trace, base::Parallel& parallel);

/// [heads of a, heads of b]: the same between the heads of two layers on the same tokens.
MatrixF64 head_similarity(const AttentionTrace& a, const AttentionTrace& b, base::Parallel& parallel);

struct HeadEffect {
  double change = 0;  // Frobenius norm of output − output without this head
  double share = 0;   // change / Frobenius norm of the output, b_o included; NaN where that is 0
};

/// Returns what each head adds to the output: context_head · its rows of w_o (the context itself if w_o is
/// empty). In double, from the trace. O(T·D·D_out).
std::vector<HeadEffect> head_effects(const AttentionTrace& trace, const AttentionWeights& weights);

/// Returns the output [T, D_out] with every head whose flag in `on` [H] is 0 switched off: its context counts
/// as 0.
Matrix output_with_heads(const AttentionTrace& trace, const AttentionWeights& weights,
                         std::span<const unsigned char> on, base::Parallel& parallel);

}  // namespace headlight::nn
