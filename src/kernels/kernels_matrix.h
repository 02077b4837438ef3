// Matrix products from packed panels. A tile of up to max_tile_rows × 2 registers of C stays in registers
// while the loop takes one column of A (broadcast) and one row of B's panel per step.
#pragma once

#include "kernels/kernels.h"
#include "kernels/kernels_lanes.h"

namespace headlight::nn::HEADLIGHT_KERNELS {
namespace {

using std::size_t;

inline int smaller(int a, int b) {
  return a < b ? a : b;
}
inline int larger(int a, int b) {
  return a > b ? a : b;
}

constexpr size_t ahead = 16;  // rows to prefetch ahead

struct Tile {
  const float* a;
  size_t a_stride;
  const float* b;         // [depth, 1 or 2 registers]
  size_t a_step, b_step;  // steps along the depth, if they are not 1 and the panel width
  int depth;
  const float* start;  // initial values of the sums, null for 0; start_stride 0 gives every row the same
  size_t start_stride;
  const float* add;  // added to the result at the end; null for nothing
  size_t add_stride;
  float* c;
  size_t c_stride;
  int tail;  // columns of the last register that exist in C (and in start)
};

/// Usual: A is stored in rows and B in a panel. Otherwise A is transposed with contiguous rows (a_stride is
/// 1), and the tile has the steps along the depth.
template <int Rows, int Registers, bool Usual>
void multiply(const Tile& tile) {
  Vec sum[Rows][Registers];
  if (tile.start == nullptr) {
    HEADLIGHT_UNROLL
    for (int r = 0; r < Rows; ++r) {
      HEADLIGHT_UNROLL
      for (int n = 0; n < Registers; ++n) sum[r][n] = broadcast(0);
    }
  } else {
    HEADLIGHT_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const float* row = tile.start + static_cast<size_t>(r) * tile.start_stride;
      HEADLIGHT_UNROLL
      for (int n = 0; n < Registers; ++n) {
        const bool whole = n + 1 < Registers || tile.tail == lanes;
        sum[r][n] = whole ? load(row + n * lanes) : load_first(row + n * lanes, tile.tail);
      }
    }
  }
  const float* a = tile.a;
  const float* b = tile.b;
  const size_t stride = tile.a_stride;
  for (int k = 0; k < tile.depth; ++k) {
    Vec right[Registers];
    HEADLIGHT_UNROLL
    for (int n = 0; n < Registers; ++n) right[n] = load(b + n * lanes);
    HEADLIGHT_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const Vec left = broadcast(a[Usual ? static_cast<size_t>(r) * stride : static_cast<size_t>(r)]);
      HEADLIGHT_UNROLL
      for (int n = 0; n < Registers; ++n) sum[r][n] = fma(left, right[n], sum[r][n]);
    }
    if constexpr (!Usual) {  // the rows are far apart, and processors do not prefetch across a page
      __builtin_prefetch(a + ahead * tile.a_step);
      __builtin_prefetch(a + ahead * tile.a_step + Rows - 1);
      HEADLIGHT_UNROLL
      for (int n = 0; n < Registers; ++n) __builtin_prefetch(b + ahead * tile.b_step + n * lanes);
    }
    a += Usual ? 1 : tile.a_step;
    b += Usual ? static_cast<size_t>(Registers * lanes) : tile.b_step;
  }
  if (tile.add != nullptr) {
    HEADLIGHT_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const float* row = tile.add + static_cast<size_t>(r) * tile.add_stride;
      HEADLIGHT_UNROLL
      for (int n = 0; n < Registers; ++n) {
        const bool whole = n + 1 < Registers || tile.tail == lanes;
        sum[r][n] = sum[r][n] + (whole ? load(row + n * lanes) : load_first(row + n * lanes, tile.tail));
      }
    }
  }
  HEADLIGHT_UNROLL
  for (int r = 0; r < Rows; ++r) {
    float* row = tile.c + static_cast<size_t>(r) * tile.c_stride;
    HEADLIGHT_UNROLL
    for (int n = 0; n < Registers; ++n) {
      const bool whole = n + 1 < Registers || tile.tail == lanes;
      if (whole) {
        store(row + n * lanes, sum[r][n]);
      } else {
        store_first(row + n * lanes, sum[r][n], tile.tail);
      }
    }
  }
}

template <int Registers, bool Usual = true>
void multiply_rows(int rows, const Tile& tile) {
  static_assert(max_tile_rows == 12 || max_tile_rows == 6);
  switch (rows) {
#if HEADLIGHT_LEVEL == 4
    case 12:
      return multiply<12, Registers, Usual>(tile);
    case 11:
      return multiply<11, Registers, Usual>(tile);
    case 10:
      return multiply<10, Registers, Usual>(tile);
    case 9:
      return multiply<9, Registers, Usual>(tile);
    case 8:
      return multiply<8, Registers, Usual>(tile);
    case 7:
      return multiply<7, Registers, Usual>(tile);
#endif
    case 6:
      return multiply<6, Registers, Usual>(tile);
    case 5:
      return multiply<5, Registers, Usual>(tile);
    case 4:
      return multiply<4, Registers, Usual>(tile);
    case 3:
      return multiply<3, Registers, Usual>(tile);
    case 2:
      return multiply<2, Registers, Usual>(tile);
    default:
      return multiply<1, Registers, Usual>(tile);
  }
}

inline int panel_width(int cols) {
  return cols > lanes ? panel : lanes;
}

/// `cols` columns remain from this panel on. A last panel of at most one register is packed as one register.
template <bool Usual = true>
inline void multiply_panel(int rows, int cols, Tile& tile) {
  if (cols > lanes) {
    tile.tail = smaller(cols - lanes, lanes);
    multiply_rows<2, Usual>(rows, tile);
  } else {
    tile.tail = cols;
    multiply_rows<1, Usual>(rows, tile);
  }
}

/// Splits rows into tiles of nearly equal height, so that no tile is too small to keep the multipliers busy.
struct RowTiles {
  int rows, count;
  explicit RowTiles(int n) : rows(n), count((n + max_tile_rows - 1) / max_tile_rows) {}
  int begin(int i) const { return static_cast<int>(static_cast<long>(rows) * i / count); }
};

void pack(const float* b, size_t stride, int depth, int cols, float* packed) {
  for (int col = 0; col < cols; col += panel) {
    const int left = smaller(cols - col, panel), width = panel_width(left);
    float* to = packed + static_cast<size_t>(col) * static_cast<size_t>(depth);
    const float* from = b + col;
    if (left == panel) {
      for (int k = 0; k < depth; ++k, from += stride, to += panel) {
        const Vec v0 = load(from), v1 = load(from + lanes);
        store(to, v0);
        store(to + lanes, v1);
      }
      continue;
    }
    for (int k = 0; k < depth; ++k, from += stride, to += width) {
      const int in_second = left - lanes;
      store(to, in_second >= 0 ? load(from) : load_first(from, left));
      if (in_second > 0) store(to + lanes, load_first(from + lanes, in_second));
    }
  }
}

void pack_transposed(const float* b, size_t stride, int depth, int cols, float* packed) {
  for (int col = 0; col < cols; col += panel) {
    const int left = smaller(cols - col, panel), width = panel_width(left);
    float* to = packed + static_cast<size_t>(col) * static_cast<size_t>(depth);
    const float* from = b + static_cast<size_t>(col) * stride;
    const int in_fours = depth / 4 * 4;
    int c = 0;
    for (; c + 4 <= left; c += 4) {
      const float* row = from + static_cast<size_t>(c) * stride;
      for (int k = 0; k < in_fours; k += 4) {
        const Four r0 = load_four(row + k), r1 = load_four(row + stride + k);
        const Four r2 = load_four(row + 2 * stride + k), r3 = load_four(row + 3 * stride + k);
        const Four t0 = __builtin_shufflevector(r0, r1, 0, 4, 1, 5),
                   t1 = __builtin_shufflevector(r0, r1, 2, 6, 3, 7);
        const Four t2 = __builtin_shufflevector(r2, r3, 0, 4, 1, 5),
                   t3 = __builtin_shufflevector(r2, r3, 2, 6, 3, 7);
        float* out = to + static_cast<size_t>(k) * static_cast<size_t>(width) + c;
        store_four(out, __builtin_shufflevector(t0, t2, 0, 1, 4, 5));
        store_four(out + width, __builtin_shufflevector(t0, t2, 2, 3, 6, 7));
        store_four(out + 2 * width, __builtin_shufflevector(t1, t3, 0, 1, 4, 5));
        store_four(out + 3 * width, __builtin_shufflevector(t1, t3, 2, 3, 6, 7));
      }
      for (int k = in_fours; k < depth; ++k) {
        for (int i = 0; i < 4; ++i) to[k * width + c + i] = row[static_cast<size_t>(i) * stride + k];
      }
    }
    for (; c < width; ++c) {
      for (int k = 0; k < depth; ++k) {
        to[static_cast<size_t>(k) * static_cast<size_t>(width) + c] =
            c < left ? from[static_cast<size_t>(c) * stride + k] : 0.0f;
      }
    }
  }
}

void product(const ProductJob& job) {
  const RowTiles tiles(job.rows);
  for (int i = 0; i < tiles.count; ++i) {
    const int row = tiles.begin(i), rows = tiles.begin(i + 1) - row;
    for (int col = 0; col < job.cols; col += panel) {
      Tile tile{};
      tile.a = job.a + static_cast<size_t>(row) * job.a_stride;
      tile.a_stride = job.a_stride;
      tile.b = job.b + static_cast<size_t>(col) * static_cast<size_t>(job.depth);
      tile.depth = job.depth;
      tile.start = job.bias != nullptr ? job.bias + col : nullptr;
      tile.add = job.add != nullptr ? job.add + static_cast<size_t>(row) * job.add_stride + col : nullptr;
      tile.add_stride = job.add_stride;
      tile.c = job.c + static_cast<size_t>(row) * job.c_stride + col;
      tile.c_stride = job.c_stride;
      multiply_panel(rows, smaller(job.cols - col, panel), tile);
    }
  }
}

}  // namespace
}  // namespace headlight::nn::HEADLIGHT_KERNELS
