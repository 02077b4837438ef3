// The inner loops, compiled once for each instruction set from the same source and chosen once at start.
//
// Only pointers and numbers cross this boundary: the files behind it are compiled with different flags, and
// an inline function of the standard library that two of them share would be merged by the linker into one of
// the versions. Who calls these has set the processor to flush subnormal numbers (flush.h). Tested in
// tests/nn/kernels_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headlight::nn {

struct KeyRange {
  int begin, end;
};

/// C[rows, cols] = A[rows, depth] · B[depth, cols] + bias, with B packed in panels (see Kernels::pack).
struct ProductJob {
  const float* a;
  std::size_t a_stride;
  const float* b;     // packed
  const float* bias;  // [cols] or null
  float* c;
  std::size_t c_stride;
  int rows, cols, depth;
};

/// Up to max_block_rows queries of one head over all keys.
struct AttentionBlock {
  const float* q;  // [rows, d_k]
  std::size_t q_stride;
  const float* keys;          // [d_k, S], the keys transposed, packed
  const float* values;        // [S, d_v], packed
  const KeyRange* allowed;    // [rows]
  const float* add;           // [rows, S] or null
  const std::uint8_t* allow;  // [rows, S] or null
  float* weights;             // [rows, S]
  float* row_max;             // [rows]
  float* row_sum;             // [rows]
  float* context;             // [rows, d_v]
  std::size_t context_stride;
  float* scratch;  // attention_scratch() floats, 64-byte aligned
  float scale;
  int rows, S, d_k, d_v;
  bool stream;  // write the weights past the caches
};

/// Rows of P by rotation: (sine, cosine) of row 0 in, those of row `rows` out.
struct SinusoidBlock {
  double* sine;  // [pairs], pairs rounded up to a multiple of 8, 64-byte aligned; all four
  double* cosine;
  const double* step_sine;
  const double* step_cosine;
  float* p;  // [rows, width]
  int width, rows;
  bool stream;
};

inline constexpr int max_block_rows = 48;

struct Kernels {
  const char* name;   // as instruction_set() says it
  const char* level;  // as HEADLIGHT_ISA says it
  int panel;          // columns of a full panel

  /// B[depth, cols] into panels of `panel` columns, each [depth, panel], the last one padded with zeros to a
  /// panel or to half of one; packed_size(depth, cols) floats, 64-byte aligned.
  void (*pack)(const float* b, std::size_t stride, int depth, int cols, float* packed);
  /// The same from B transposed, [cols, depth].
  void (*pack_transposed)(const float* b, std::size_t stride, int depth, int cols, float* packed);
  void (*product)(const ProductJob&);
  void (*attention)(const AttentionBlock&);
  /// y = softmax(x) over `cols`; x may be y.
  void (*softmax)(const float* x, float* y, int cols);
  void (*sinusoid)(const SinusoidBlock&);
  /// squares[r] = ‖a − row r of b‖² for r < rows.
  void (*distances)(const float* a, const float* b, int rows, int width, float* squares);
};

inline std::size_t rounded_up(std::size_t n, std::size_t step) {
  return (n + step - 1) / step * step;
}

/// Where column `col` (a multiple of the panel) starts is col · depth floats into the packed array.
inline std::size_t packed_size(const Kernels& kernels, int depth, int cols) {
  return rounded_up(static_cast<std::size_t>(cols), static_cast<std::size_t>(kernels.panel)) *
         static_cast<std::size_t>(depth);
}

/// Scores of the block, each row 16 floats apart from the next, the context in whole panels,
/// and room to read on.
inline std::size_t attention_scratch(const Kernels& kernels, int rows, int S, int d_v) {
  const std::size_t panel = static_cast<std::size_t>(kernels.panel);
  return static_cast<std::size_t>(rows) * (rounded_up(static_cast<std::size_t>(S), panel) + 16 +
                                           rounded_up(static_cast<std::size_t>(d_v), panel)) +
         panel;
}

/// The ones in use.
const Kernels& kernels();

/// The ones of a level ("v2", "v3", "v4", "generic"), or null when they were not built or the processor lacks
/// them.
const Kernels* kernels_of(const char* level);

/// What is taken at start when HEADLIGHT_ISA is `wanted` (or null): that level where there is one, or else
/// the best.
const Kernels& choose_kernels(const char* wanted);

/// Tests and benchmarks run every level in one process: the ones in use from now on. Call it while nothing
/// computes.
void use_kernels(const Kernels& kernels);

}  // namespace headlight::nn
