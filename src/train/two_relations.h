// One head or two for two relations: the toy of the sources, and its repairs one by one. Four tokens, x =
// (content, place); the first map should put all weight on token 2, the last one on the token that carries
// the planted content.
//
//   loss = mean (A_first − target_place)² + mean (A_last − target_content)², over B·4·4 elements each; with
//   one head both terms are of the same map.   A_h = softmax((x W_Q + b_Q)_h (x W_K)_hᵀ / √d)
//
// The toy of the sources: content N(0, 1)², the planted one (1, 0); places eye(4)[t, :2], so that places 2
// and 3 share the code (0, 0), a query without a bias, projections 4 wide. Each repair changes one of these:
//
//   places     eye(4), D_in 6: every place has a code of its own
//   bias       b_Q: a query that does not depend on its token
//   contents   (1, 0), (0, 1), (−1, 0), (0, −1) in any order. Among N(0, 1)² a dot product cannot single out
//              (1, 0): it grows along a direction, and a content that lies further out has the larger score
//   width      projections 8 wide
//
// With all four, two heads reach 0 and one head cannot. W_V and W_O take no part. Own loops, no kernels:
// sizes are 4; a step of 32 sequences takes about 10 µs. E is float, or double for the tests. Tested in
// tests/train/two_relations_test.cpp and golden_two_relations.cpp.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/tensor.h"

namespace headlight::nn {

struct TwoRelationsRepairs {
  bool places = false, bias = false, contents = false, width = false;
  bool operator==(const TwoRelationsRepairs&) const = default;
};
inline constexpr TwoRelationsRepairs all_repairs{true, true, true, true};

struct TwoRelationsSetup {
  int heads = 1;  // 1 or 2
  TwoRelationsRepairs repairs;
  int batch = 32;
  double rate = 5e-3;  // Adam, β 0.9 0.999, ε 1e-8
  std::uint64_t seed = 7;
};

struct TwoRelationsBatch {
  int B = 0;
  Matrix x;                  // [B·4, D_in]; D_in 4, with the places repaired 6
  std::vector<int> planted;  // [B] the token that carries the planted content
};

template <class E>
struct TwoRelationsWeightsOf {
  Tensor<E> w_q, w_k;  // [D_in, W]; W 4, with the width repaired 8
  Tensor<E> b_q;       // [1, W] with the bias, else empty
};
using TwoRelationsWeights = TwoRelationsWeightsOf<float>;

/// U(−1/√D_in, 1/√D_in), as the sources' linear layers start.
TwoRelationsWeights two_relations_start(const TwoRelationsSetup& setup);
/// Batch of step `step` (from 1); negative steps are the held-out ones. Sequence b does not depend on the
/// size of the batch, and one head gets the same sequences as two.
void two_relations_batch(const TwoRelationsSetup& setup, int step, TwoRelationsBatch& out);
/// Loss; maps [B·H, 4, 4]; gradients when wanted. E is float or double.
template <class E>
double two_relations_loss(const TwoRelationsSetup& setup, const TwoRelationsWeightsOf<E>& weights,
                          const TwoRelationsBatch& batch, Tensor<E>& maps,
                          std::type_identity_t<TwoRelationsWeightsOf<E>>* gradients);
/// One step of Adam; `step` counts from 1; empty moments are 0.
template <class E>
void two_relations_update(double rate, int step, const TwoRelationsWeightsOf<E>& gradients,
                          TwoRelationsWeightsOf<E>& m, TwoRelationsWeightsOf<E>& v,
                          TwoRelationsWeightsOf<E>& weights);

/// A run: start, and go on step by step.
struct TwoRelationsRun {
  TwoRelationsSetup setup;
  TwoRelationsWeights weights, m, v;
  int step = 0;
  double last_loss = 0;  // of the last step's batch, before the update, as the sources print it
};
TwoRelationsRun two_relations_run(const TwoRelationsSetup& setup);
void two_relations_step(TwoRelationsRun& run);
/// The two terms of the loss, on 64 held-out batches of 32.
struct TwoRelationsTerms {
  double place = 0, content = 0;
  double loss() const { return place + content; }
};
TwoRelationsTerms two_relations_terms(const TwoRelationsRun& run);
/// Their sum.
double two_relations_held_out(const TwoRelationsRun& run);

}  // namespace headlight::nn
