// The Memory page's network of 1982: as many random patterns of ±1 as the other network has, a probe that is
// the first of them with some bits flipped, and what the network makes of it. Tested in
// tests/scene/memory_further_test.cpp.
#pragma once

#include "kernels/tensor.h"
#include "nn/binary_hopfield.h"

namespace headlight::scene {

struct Scene;

inline constexpr int binary_probes = 100;
inline constexpr double binary_recovered_overlap = 0.9;  // at most one bit in twenty is wrong
inline constexpr double binary_limit = 0.138;            // patterns per bit, for many bits

struct BinaryRetrieval {
  int bits = 0, patterns = 0, flips = 0;  // D, N, and flips of the probe, no more than D
  nn::BinaryTrace trace;                  // the overlap is that with pattern 1
  nn::Matrix states;                      // [3, D] pattern 1, the probe, the end
  int nearest = 0;                        // pattern with the largest overlap at the end, 0-based
  double nearest_overlap = 0;
  int wrong = 0;                  // bits at the end that are not those of pattern 1
  int last_flip = 0;              // updates until the last bit changed
  int probes = 0, recovered = 0;  // as in the probe, of every pattern in turn; overlap at least 0.9
  double mean_overlap = 0;        // of those probes at the end, each with its own pattern
  bool ok() const { return trace.overlap.back() >= binary_recovered_overlap; }
};

/// Of memory_patterns, memory_bits, memory_flips and the seed.
BinaryRetrieval retrieve_bits(const Scene& scene);

}  // namespace headlight::scene
