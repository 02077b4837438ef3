// The network of 1982: binary neurons and a quadratic energy (Hopfield 1982).
//
//   W = (1/D) Σ_n ξ_n ξ_nᵀ, its diagonal 0;  E(s) = −½ sᵀ W s
//   s_i ← sign(Σ_j W_ij s_j), one neuron at a time; a sum of 0 leaves s_i as it is
//
// A flip changes E by −2 |Σ_j W_ij s_j|, so no update raises it and the network comes to rest. Random
// patterns can be recovered while N is below about 0.138 D, D large (Amit, Gutfreund and Sompolinsky 1985).
// The inverse of a pattern is stored with it: E(−s) = E(s). In double. Tested in
// tests/nn/memory_further_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/tensor.h"

namespace headlight::nn {

/// Returns N patterns of ±1, each value with probability ½: [N, D]. Pattern n does not depend on N.
MatrixF64 binary_patterns(int N, int D, std::uint64_t seed, std::uint64_t stream);

/// Returns W [D, D] for patterns [N, D].
MatrixF64 hebbian_weights(const MatrixF64& patterns);

/// Returns −½ sᵀ W s for s [D].
double binary_energy(const MatrixF64& weights, const std::vector<double>& s);

struct BinaryTrace {
  std::vector<double> state;            // [D] at the end
  std::vector<double> energy, overlap;  // [updates + 1]; overlap = (1/D) Σ s_i target_i, −1 … 1
  int flipped = 0;                      // updates that changed their neuron
  bool settled = false;                 // the last sweep changed nothing
};

/// Sweeps over all neurons, each sweep in its own order drawn from the seed, until a sweep changes nothing or
/// `most_sweeps` are done. `probe` and `target` are [D] of ±1. O(sweeps·D²).
BinaryTrace binary_retrieval(const MatrixF64& weights, const std::vector<double>& probe,
                             const std::vector<double>& target, std::uint64_t seed, int most_sweeps = 50);

/// Returns s with `flips` different neurons flipped; seed and stream choose which ones. 0 <= flips <= D.
std::vector<double> with_flips(std::vector<double> s, int flips, std::uint64_t seed, std::uint64_t stream);

}  // namespace headlight::nn
