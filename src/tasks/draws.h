// Consecutive random numbers of one stream.
#pragma once

#include <cstdint>

#include "nn/random.h"

namespace headlight::nn {

class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t stream) : random_(seed, stream) {}
  /// Returns 0 … bound − 1.
  int below(int bound) { return static_cast<int>(random_.below(next_++, static_cast<std::uint32_t>(bound))); }
  bool chance(int percent) { return below(100) < percent; }
  template <class List>
  const auto& one_of(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

 private:
  Random random_;
  std::uint64_t next_ = 0;
};

}  // namespace headlight::nn
