// One row times an unpacked matrix: what a model computes for each new token. Each weight is used once, so
// memory bandwidth limits the speed: several rows are read at once, each from its beginning to its end.
#pragma once

#include "kernels/kernels.h"
#include "kernels/kernels_lanes.h"

namespace headlight::nn::HEADLIGHT_KERNELS {
namespace {

template <int Rows>
inline void dots_of(const float* a, size_t stride, int depth, const float* x, float* y) {
  Vec even[Rows], odd[Rows];
  HEADLIGHT_UNROLL
  for (int r = 0; r < Rows; ++r) even[r] = odd[r] = broadcast(0);
  int i = 0;
  for (; i + 2 * lanes <= depth; i += 2 * lanes) {
    const Vec x0 = load(x + i), x1 = load(x + i + lanes);
    HEADLIGHT_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const float* const row = a + static_cast<size_t>(r) * stride + i;
      even[r] = fma(load(row), x0, even[r]);
      odd[r] = fma(load(row + lanes), x1, odd[r]);
    }
  }
  for (; i < depth; i += lanes) {
    const int n = depth - i < lanes ? depth - i : lanes;
    const Vec x0 = load_first(x + i, n);
    HEADLIGHT_UNROLL
    for (int r = 0; r < Rows; ++r)
      even[r] = fma(load_first(a + static_cast<size_t>(r) * stride + i, n), x0, even[r]);
  }
  HEADLIGHT_UNROLL
  for (int r = 0; r < Rows; ++r) y[r] = total(even[r] + odd[r]);
}

void row_dots(const float* a, size_t stride, int rows, int depth, const float* x, float* y) {
  int r = 0;
  for (; r + 4 <= rows; r += 4) dots_of<4>(a + static_cast<size_t>(r) * stride, stride, depth, x, y + r);
  for (; r < rows; ++r) dots_of<1>(a + static_cast<size_t>(r) * stride, stride, depth, x, y + r);
}

template <int Rows>
inline void add_rows(const float* x, const float* b, size_t stride, int cols, float* y) {
  Vec scale[Rows];
  HEADLIGHT_UNROLL
  for (int r = 0; r < Rows; ++r) scale[r] = broadcast(x[r]);
  int i = 0;
  for (; i + 2 * lanes <= cols; i += 2 * lanes) {
    Vec y0 = load(y + i), y1 = load(y + i + lanes);
    HEADLIGHT_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const float* const row = b + static_cast<size_t>(r) * stride + i;
      y0 = fma(scale[r], load(row), y0);
      y1 = fma(scale[r], load(row + lanes), y1);
    }
    store(y + i, y0), store(y + i + lanes, y1);
  }
  for (; i < cols; i += lanes) {
    const int n = cols - i < lanes ? cols - i : lanes;
    Vec y0 = load_first(y + i, n);
    HEADLIGHT_UNROLL
    for (int r = 0; r < Rows; ++r)
      y0 = fma(scale[r], load_first(b + static_cast<size_t>(r) * stride + i, n), y0);
    store_first(y + i, y0, n);
  }
}

void row_sum(const float* x, const float* b, size_t stride, int rows, int cols, float* y) {
  int r = 0;
  for (; r + 8 <= rows; r += 8) add_rows<8>(x + r, b + static_cast<size_t>(r) * stride, stride, cols, y);
  for (; r < rows; ++r) add_rows<1>(x + r, b + static_cast<size_t>(r) * stride, stride, cols, y);
}

}  // namespace
}  // namespace headlight::nn::HEADLIGHT_KERNELS
