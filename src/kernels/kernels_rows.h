// Rows of the positional matrix: made by rotation in double precision, compared by their differences.
#pragma once

#include "kernels/kernels.h"
#include "kernels/kernels_lanes.h"

namespace headlight::nn::HEADLIGHT_KERNELS {
namespace {

/// Steps four rows at a time with the state in registers. The rotation loses about 1e-16 a row.
void sinusoid(const SinusoidBlock& block) {
  constexpr int rows_at_once = 4;
  const std::size_t width = static_cast<std::size_t>(block.width);
  for (int row = 0; row < block.rows; row += rows_at_once) {
    const int rows = block.rows - row < rows_at_once ? block.rows - row : rows_at_once;
    float* p = block.p + static_cast<std::size_t>(row) * width;
    for (int col = 0; col < block.width; col += lanes) {
      const int pair = col / 2;
      Pair s = load(block.sine + pair), c = load(block.cosine + pair);
      const Pair step_s = load(block.step_sine + pair), step_c = load(block.step_cosine + pair);
      for (int r = 0; r < rows; ++r) {
        const Vec v = interleave(s, c);
        float* to = p + static_cast<std::size_t>(r) * width + col;
        if (block.stream) {
          stream(to, v);
        } else if (col + lanes <= block.width) {
          store(to, v);
        } else {
          store_first(to, v, block.width - col);
        }
        const Pair next = fma(s, step_c, c * step_s);
        c = minus_fma(s, step_s, c * step_c);
        s = next;
      }
      store(block.sine + pair, s);
      store(block.cosine + pair, c);
    }
  }
  if (block.stream) fence();
}

void distances(const float* a, const float* b, int rows, int width, float* squares) {
  for (int r = 0; r < rows; ++r, b += width) {
    Vec sum0 = broadcast(0), sum1 = sum0;
    int c = 0;
    for (; c + 2 * lanes <= width; c += 2 * lanes) {
      const Vec d0 = load(a + c) - load(b + c), d1 = load(a + c + lanes) - load(b + c + lanes);
      sum0 = fma(d0, d0, sum0), sum1 = fma(d1, d1, sum1);
    }
    for (; c < width; c += lanes) {
      const int count = width - c < lanes ? width - c : lanes;
      const Vec d = load_first(a + c, count) - load_first(b + c, count);
      sum0 = fma(d, d, sum0);
    }
    squares[r] = total(sum0 + sum1);
  }
}

}  // namespace
}  // namespace headlight::nn::HEADLIGHT_KERNELS
