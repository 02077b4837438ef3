// Matrices in the panels that the kernels multiply with, and products of some rows with them. For code that
// bypasses linear(): a matrix packed once serves many products.
#pragma once

#include <algorithm>

#include "kernels/kernels.h"
#include "kernels/tensor.h"

namespace headlight::nn {

/// Returns `count` floats, 64-byte aligned, in a buffer that is reused between calls; the previous contents
/// are lost.
inline float* floats(Matrix& buffer, std::size_t count) {
  constexpr std::size_t row = 1024;
  buffer.resize(static_cast<int>((count + row - 1) / row), static_cast<int>(row));
  return buffer.data();
}

/// The matrix B of a product, [depth, cols], in panels.
struct Panels {
  Matrix packed;
  int depth = 0, cols = 0;
};

/// A task that packs w, or w transposed, into the rows from `first` on of `to`, whose shape is set.
struct Packing {
  const Matrix* w;
  bool transposed;
  Panels* to;
  int first;
};

inline void set_shape(const Kernels& kernels, int depth, int cols, Panels& panels) {
  panels.depth = depth, panels.cols = cols;
  floats(panels.packed, packed_size(kernels, depth, cols));
}

inline void run(const Kernels& kernels, const Packing& p) {
  const int depth = p.transposed ? p.w->cols() : p.w->rows(), stride = p.w->cols();
  for (int col = 0; col < p.to->cols; col += kernels.panel) {
    const int left = std::min(kernels.panel, p.to->cols - col);
    const int width = left > kernels.panel / 2 ? kernels.panel : kernels.panel / 2;
    float* to = p.to->packed.data() + static_cast<std::size_t>(col) * static_cast<std::size_t>(p.to->depth) +
                static_cast<std::size_t>(p.first) * static_cast<std::size_t>(width);
    if (p.transposed) {
      kernels.pack_transposed(p.w->row(col).data(), static_cast<std::size_t>(stride), depth, left, to);
    } else {
      kernels.pack(p.w->data() + col, static_cast<std::size_t>(stride), depth, left, to);
    }
  }
}

/// Rows in memory, `stride` floats apart.
struct Rows {
  float* data = nullptr;
  std::size_t stride = 0;
};
struct ConstRows {
  const float* data = nullptr;
  std::size_t stride = 0;
  ConstRows() = default;
  ConstRows(const float* p, std::size_t s) : data(p), stride(s) {}
  ConstRows(Rows rows) : data(rows.data), stride(rows.stride) {}
};
inline Rows rows_from(Matrix& m, int row) {
  return {m.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(m.cols()),
          static_cast<std::size_t>(m.cols())};
}
inline ConstRows rows_from(const Matrix& m, int row) {
  return rows_from(const_cast<Matrix&>(m), row);
}

/// y = x · w + bias + add for `rows` rows, two panels of columns at a time, so that they stay in the
/// first-level cache. `bias` is null, empty or one row; add.data may be null.
inline void multiply(const Kernels& kernels, int rows, ConstRows x, const Panels& w, const Matrix* bias,
                     ConstRows add, Rows y) {
  const int width = 2 * kernels.panel;
  for (int col = 0; col < w.cols; col += width) {
    ProductJob job{};
    job.rows = rows;
    job.cols = std::min(width, w.cols - col);
    job.depth = w.depth;
    job.a = x.data, job.a_stride = x.stride;
    job.b = w.packed.data() + static_cast<std::size_t>(col) * static_cast<std::size_t>(w.depth);
    job.bias = bias != nullptr && !bias->empty() ? bias->data() + col : nullptr;
    job.add = add.data != nullptr ? add.data + col : nullptr;
    job.add_stride = add.stride;
    job.c = y.data + col, job.c_stride = y.stride;
    kernels.product(job);
  }
}

}  // namespace headlight::nn
