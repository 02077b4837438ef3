// Does one head suffice for two relations, or does it take two? The toy model of the sources, and its repairs
// one by one. Four tokens, x = (content, position); the first map should put all weight on token 2, the last
// one on the token that carries the planted content.
//
//   loss = mean (A_first − target_place)² + mean (A_last − target_content)², over B·4·4 elements each; with
//   one head both terms are of the same map.   A_h = softmax((x W_Q + b_Q)_h (x W_K)_hᵀ / √d)
//
// The toy model of the sources: content N(0, 1)², the planted one (1, 0); positions eye(4)[t, :2], so that
// positions 2 and 3 share the code (0, 0), a query without a bias, projections 4 wide. Each repair changes
// one of these:
//
//   places     eye(4), D_in 6: every position has its own code
//   bias       b_Q: a query that does not depend on its token
//   contents   (1, 0), (0, 1), (−1, 0), (0, −1) in any order. Among N(0, 1)² a dot product cannot single out
//              (1, 0): it grows along a direction, and a content further out has the larger score
//   width      projections 8 wide
//
// With all four repairs, two heads reach 0 and one head cannot. W_V and W_O are not used. The code has its
// own loops and no kernels, since sizes are 4; a step of 32 sequences takes about 10 µs. E is float, or
// double for the tests. Tested in tests/train/two_relations_test.cpp and golden_two_relations.cpp.
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
  Matrix x;                  // [B·4, D_in]; D_in is 4, or 6 with the places repair
  std::vector<int> planted;  // [B] the token that carries the planted content
};

template <class E>
struct TwoRelationsWeightsOf {
  Tensor<E> w_q, w_k;  // [D_in, W]; W is 4, or 8 with the width repair
  Tensor<E> b_q;       // [1, W] with the bias repair, else empty
};
using TwoRelationsWeights = TwoRelationsWeightsOf<float>;

/// Draws U(−1/√D_in, 1/√D_in), the initialization of the sources' linear layers.
TwoRelationsWeights two_relations_start(const TwoRelationsSetup& setup);
/// Draws the batch of step `step` (from 1); negative steps are the held-out batches. Sequence b does not
/// depend on the batch size, and one head gets the same sequences as two.
void two_relations_batch(const TwoRelationsSetup& setup, int step, TwoRelationsBatch& out);
/// Returns the loss; computes maps [B·H, 4, 4], and gradients unless null. E is float or double.
template <class E>
double two_relations_loss(const TwoRelationsSetup& setup, const TwoRelationsWeightsOf<E>& weights,
                          const TwoRelationsBatch& batch, Tensor<E>& maps,
                          std::type_identity_t<TwoRelationsWeightsOf<E>>* gradients);
/// One step of Adam; `step` counts from 1; empty moments mean 0.
template <class E>
void two_relations_update(double rate, int step, const TwoRelationsWeightsOf<E>& gradients,
                          TwoRelationsWeightsOf<E>& m, TwoRelationsWeightsOf<E>& v,
                          TwoRelationsWeightsOf<E>& weights);

/// A run: started once, then advanced step by step.
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
/// The held-out batches of a run. They do not depend on its heads or its weights, and take longer to draw
/// than a measurement: who measures often draws them once.
std::vector<TwoRelationsBatch> two_relations_held_out_batches(const TwoRelationsSetup& setup);
/// The same terms, on those batches of the run's setup.
TwoRelationsTerms two_relations_terms(const TwoRelationsRun& run,
                                      const std::vector<TwoRelationsBatch>& held_out);
/// Returns the sum of the two terms.
double two_relations_held_out(const TwoRelationsRun& run);

}  // namespace headlight::nn
