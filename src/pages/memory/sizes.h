// Two ways to make attention smaller, and how far each is from softmax attention: m random features
// (Performer) and r projected keys (Linformer).
//
//   error(n)  mean over queries of ‖y − y_softmax‖ / ‖y_softmax‖, T = 64, no mask, scores ÷ √d
//   features  y_i = Σ_j (φ(q_i)·φ(k_j)) v_j / Σ_j φ(q_i)·φ(k_j), nn/random_features.h; mean of 16 draws of ω
//   keys      y = softmax(Q (E K)ᵀ / √d) (E V), nn/projected_attention.h; E averages neighbours, not learned
//
// q, k and v are those of the error over the length (experiments.h) for T = 64. Tested in
// tests/scene/memory_further_test.cpp.
#pragma once

#include <limits>
#include <vector>

namespace headlight::scene {

struct Scene;

inline constexpr int size_draws = 16;  // of ω

struct SizeError {
  int size = 0;  // m and r
  double features = 0;
  double keys = std::numeric_limits<double>::quiet_NaN();  // NaN when r exceeds T
};

struct SizeErrors {
  int width = 0;                 // d
  std::vector<SizeError> sizes;  // 1, 2, 4, … 256
  int m = 0, r = 0;              // the settings of the scene
  double at_m = 0, at_r = 0;     // errors there
  double elu1 = 0;               // with φ = elu + 1, for the same q, k and v
};

SizeErrors memory_sizes(const Scene& scene);

}  // namespace headlight::scene
