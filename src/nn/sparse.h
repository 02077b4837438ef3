// Which pairs may attend when not all of them may? Patterns of sparse attention as PairMask::allow.
//
//   dilated_window  |i − j| <= reach · dilation and i − j divisible by dilation   (Beltagy et al. 2020)
//   window_global   |i − j| <= reach, or i or j is a global token                 (Longformer)
//   block_local     i and j in the same block
//   strided_causal  j <= i and (i − j < stride or i − j divisible by stride)      (Child et al. 2019)
//   fixed_causal    j <= i and (same block of size stride, or j among the last `summary` of its block)
//   block_random    whole blocks: the diagonal, the first block row and column, and random other blocks
//                   (after BigBird, Zaheer et al. 2020)
//
// Tested in tests/nn/golden_variants.cpp and tests/nn/relative_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/mask.h"

namespace headlight::nn {

enum class SparseKind {
  dilated_window,
  window_global,
  block_local,
  strided_causal,
  fixed_causal,
  block_random
};

/// Each pattern uses only the members that it names.
struct SparseSpec {
  SparseKind kind = SparseKind::dilated_window;
  int reach = 1;                   // >= 0
  int dilation = 1;                // >= 1
  std::vector<int> global_tokens;  // positions; those outside the text have no effect
  int block = 4;                   // >= 1
  int stride = 4;                  // >= 1
  int summary = 1;                 // >= 0
  double density = 0.2;            // block_random: probability of every other block
  std::uint64_t seed = 1;          // block_random
  bool operator==(const SparseSpec&) const = default;
};

/// [1, T, T], 1 = may attend. O(T²).
Tensor<std::uint8_t> sparse_pattern(const SparseSpec& spec, int T);

}  // namespace headlight::nn
