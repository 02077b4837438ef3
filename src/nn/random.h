// Random numbers that are the same on every compiler and machine: Philox4x32-10, a counter-based generator
// (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011). A number depends only
// on (seed, stream, index), so drawing one never disturbs another. Tested against the published known
// answers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace headlight::nn {

/// The raw block function: 4 words of counter, 2 words of key, 10 rounds.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}
  /// Uniform on (0, 1) in steps of 2^-24, never 0 or 1.
  double uniform(std::uint64_t index) const;
  /// N(0, 1) by Box and Muller in double precision, with our own logarithm, sine and cosine, so that the
  /// resulting float has the same bits with every C library.
  float normal(std::uint64_t index) const;
  /// out[i] = normal(first + i), and out[i] = uniform(first + i): the same numbers, but each run of the
  /// cipher yields four.
  void normals(std::uint64_t first, std::span<float> out) const;
  void uniforms(std::uint64_t first, std::span<double> out) const;
  /// Uniform on 0 … bound-1, with negligible bias (64-bit multiply); bound >= 1.
  std::uint32_t below(std::uint64_t index, std::uint32_t bound) const;

 private:
  std::uint64_t seed_, stream_;
};

/// 64-bit FNV-1a: gives every distinct token text its own stream.
std::uint64_t hash_text(const char* bytes, std::size_t size);

}  // namespace headlight::nn
