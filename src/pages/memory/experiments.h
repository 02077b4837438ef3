// Two experiments beside the Memory page's sentence. How far is linear attention from softmax attention, and
// what does each cost, as the sequence grows? And how does the influence of an earlier token decrease with
// its distance: in a recurrence through every state in between, in attention through one weight?
//
//   error(T)      mean over queries of ‖y_linear − y_softmax‖ / ‖y_softmax‖, no mask, scores ÷ √d
//   multiply-adds 2 T² d for softmax(Q Kᵀ) V, 2 T d² for φ(Q) (φ(K)ᵀ V)
//   influence(δ)  recurrence h_t = tanh(x_t W_x + h_(t−1) W_h + b): ‖∂h_T / ∂h_(T−δ)‖_F / √d
//                 attention y_T = Σ_j α_Tj v_j: ‖∂y_T / ∂v_(T−δ)‖_F / √d = α_T,(T−δ)
//
// q, k, v and x are N(0, 1), drawn from the scene's seed; in double precision. Tested in
// tests/scene/memory_experiments_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/tensor.h"

namespace headlight::scene {

struct Scene;

struct LinearError {
  int T = 0;
  double elu1 = 0, identity = 0;                    // relative errors, by feature map
  std::uint64_t softmax_cost = 0, linear_cost = 0;  // multiply-adds
};

struct Influence {
  int distance = 0;
  double recurrence = 0, attention = 0;  // means over the draws
};

inline constexpr int longest_error = 256;    // tokens of the longest sequence for the error
inline constexpr int influence_tokens = 32;  // of one draw
inline constexpr int influence_draws = 16;

struct MemoryExperiments {
  int width = 0;                     // d of the page's head
  std::vector<LinearError> errors;   // T = 4, 8, … longest_error
  std::vector<Influence> influence;  // distance 0 … influence_tokens − 1
};

MemoryExperiments memory_experiments(const Scene& scene);

/// q, k and v [T, d] for the error at a length.
struct ErrorDraw {
  nn::MatrixF64 q, k, v;
};
ErrorDraw error_draw(int T, int d, std::uint64_t seed);

}  // namespace headlight::scene
