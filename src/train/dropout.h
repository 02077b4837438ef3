// Which numbers are dropped in a training pass?
//
//   y = x / (1 − rate) with probability 1 − rate, else 0           (Srivastava et al. 2014, inverted)
//
// There are four places: the embedding with its positions (d2l's PositionalEncoding, Vaswani et al. 2017,
// 5.4), the attention weights after the softmax (d2l's DotProductAttention), and the outputs that the
// attention and the feed-forward layer add to the residual stream (Vaswani et al., 5.4). Whether a number is
// dropped depends only on (seed, layer, place, row, column), not on threads; the backward pass drops the same
// numbers. Tested in tests/tasks/dropout_test.cpp and tests/train/gradient_check_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/random.h"

namespace headlight::nn {

struct Dropout {
  double rate = 0;         // 0 … below 1
  std::uint64_t seed = 0;  // a different one for every step
};

enum class DropPlace { embedding, attention_weights, attention_output, ffn_output };

/// Returns the seed of one step of a run.
inline std::uint64_t dropout_seed(std::uint64_t run, int step) {
  constexpr std::uint64_t apart = 0x44524F504F555421ull, odd = 0x9E3779B97F4A7C15ull;
  return (run ^ apart) + odd * static_cast<std::uint64_t>(step);
}

/// The numbers dropped at one place of one layer (for the embedding: layer 0), row by row. Rows count over
/// the whole batch: b·T + t, and for the attention weights (b·H + h)·T + query.
class DropoutRows {
 public:
  DropoutRows(const Dropout& dropout, int layer, DropPlace place)
      : random_(dropout.seed, 4 * static_cast<std::uint64_t>(layer) + static_cast<std::uint64_t>(place)),
        rate_(dropout.rate) {}

  /// y[i] = x[i] of row `row` times 0 or 1 / (1 − rate), for i < width; y may be x.
  template <class E>
  void apply(std::uint64_t row, const E* x, int width, E* y) {
    uniform_.resize(static_cast<std::size_t>(width));
    random_.uniforms(row << 32, uniform_);
    const E kept = static_cast<E>(1 / (1 - rate_));
    for (int i = 0; i < width; ++i) y[i] = uniform_[static_cast<std::size_t>(i)] < rate_ ? E(0) : x[i] * kept;
  }

 private:
  Random random_;
  double rate_;
  std::vector<double> uniform_;
};

}  // namespace headlight::nn
