// The Memory page's network of 1982. It stores as many random patterns of ±1 as the other network has. The
// probe is the first pattern with some bits flipped, and the network retrieves a pattern from it. Tested in
// tests/scene/memory_further_test.cpp.
#pragma once

#include "kernels/tensor.h"
#include "nn/binary_hopfield.h"

namespace headlight::scene {

struct Scene;

inline constexpr int binary_probes = 100;
inline constexpr double binary_recovered_overlap = 0.9;  // at most one bit in twenty is wrong
inline constexpr double binary_limit = 0.138;            // patterns per bit, in the limit of many bits

struct BinaryRetrieval {
  int bits = 0, patterns = 0, flips = 0;  // D, N, and the flipped bits of the probe, at most D
  nn::BinaryTrace trace;                  // overlaps are with pattern 1
  nn::Matrix states;                      // [3, D] pattern 1, the probe, the end
  int nearest = 0;                        // pattern with the largest overlap at the end, 0-based
  double nearest_overlap = 0;
  int wrong = 0;                  // bits at the end that differ from pattern 1
  int last_flip = 0;              // updates until the last bit changed
  int probes = 0, recovered = 0;  // noisy probes of every pattern in turn; overlap at least 0.9
  double mean_overlap = 0;        // mean over these probes, at the end, with their own patterns
  bool ok() const { return trace.overlap.back() >= binary_recovered_overlap; }
};

/// Uses memory_patterns, memory_bits, memory_flips and the seed.
BinaryRetrieval retrieve_bits(const Scene& scene);

}  // namespace headlight::scene
