// The inner loops, compiled once for each instruction set from the same source. One version is chosen at the
// start.
//
// Only pointers and numbers cross this boundary. The files behind it are compiled with different flags, and
// if two of them shared an inline function of the standard library, the linker would keep only one of the
// versions. The caller must have set the processor to flush subnormal numbers (flush.h). Tested in
// tests/kernels/kernels_test.cpp and, for training, kernels_training_test.cpp.
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
  const float* add;   // [rows, cols] added to the result, or null; may be c
  std::size_t add_stride;
  float* c;
  std::size_t c_stride;
  int rows, cols, depth;
};

/// C[rows, cols] = A[depth, rows]ᵀ · B[depth, cols], B not packed: the gradient of a weight, from its input
/// and the gradient of its output.
struct TransposedJob {
  const float* a;
  std::size_t a_stride;
  const float* b;
  std::size_t b_stride;
  float* c;
  std::size_t c_stride;
  int rows, cols, depth;
  float* scratch;  // transposed_depth panels, 64-byte aligned
};
inline constexpr int transposed_depth = 128;

/// Up to max_block_rows queries of one head, with all keys.
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

/// Backward pass of one head: gradients of its queries, keys and values from the gradient of its context.
/// With dP = dC·Vᵀ:
///   dS = A ∘ (dP − Σ_j A dP),  dQ = scale·dS K,  dK = scale·dSᵀ Q,  dV = Aᵀ dC
struct HeadGradient {
  const float *q, *k, *v, *d_context;  // rows of the head; the strides below separate them
  std::size_t q_stride, k_stride, v_stride, d_context_stride;
  const float* weights;     // [T, S] A, exactly 0 where blocked
  const KeyRange* allowed;  // [T] keys outside are not read; both ends ascend with the query
  float *d_q, *d_k, *d_v;
  std::size_t d_q_stride, d_k_stride, d_v_stride;
  float* d_scores;   // [T, S] dS, or null
  const int* goals;  // [T] the key that a guided query should attend to, −1: not guided; null: no query is
                     // guided
  float pull;  // for a guided query, dS gets pull · (A − 1 at its goal), the slope of −pull · log A[goal]
  float* scratch;  // head_gradient_scratch() floats, 64-byte aligned
  float scale;
  int T, S, d_k_width, d_v_width;
};

/// y = (x − mean) · inverse · γ + β for contiguous rows of `width`; mean and inverse = 1/√(var + ε) are kept.
struct NormJob {
  const float *x, *gamma, *beta;
  float *y, *mean, *inverse;  // [rows, width], [rows], [rows]
  float eps;
  int rows, width;
};

/// dx = inverse · (g − mean(g) − x̂ · mean(g ∘ x̂)) + add, g = γ ∘ dy, x̂ = (x − mean) · inverse. Σ dy ∘ x̂
/// and Σ dy are added to d_gamma and d_beta.
struct NormGradient {
  const float *x, *mean, *inverse, *gamma, *dy;
  const float* add;  // [rows, width] or null; may be dx
  float *dx, *d_gamma, *d_beta;
  int rows, width;
};

/// Adam on `count` numbers: g' = g · scale + l2 · w, m ← β1 m + (1 − β1) g', v ← β2 v + (1 − β2) g'²,
/// w ← w · keep − rate · m / (√v · root + ε).
struct AdamJob {
  const float* g;
  float *m, *v, *w;
  float beta1, rest1, beta2, rest2, scale, l2, keep, rate, root, eps;
  std::size_t count;
};

/// For a row of scores: the largest x_j, and Σ exp(x_j − max).
struct SoftmaxSum {
  float max, sum;
};

/// Rows of P by rotation. On entry, sine and cosine are those of row 0; on return, those of row `rows`.
struct SinusoidBlock {
  double* sine;  // [pairs], rounded up to a multiple of 8, 64-byte aligned; the same for all four arrays
  double* cosine;
  const double* step_sine;
  const double* step_cosine;
  float* p;  // [rows, width]
  int width, rows;
  bool stream;
};

inline constexpr int max_block_rows = 48;

struct Kernels {
  const char* name;   // the name that instruction_set() returns
  const char* level;  // the name in HEADLIGHT_ISA
  int panel;          // columns of a full panel

  /// Packs B[depth, cols] into panels of `panel` columns, each [depth, panel]; the last panel is padded with
  /// zeros to a whole or half panel. `packed` holds packed_size(depth, cols) floats, 64-byte aligned.
  void (*pack)(const float* b, std::size_t stride, int depth, int cols, float* packed);
  /// The same from B transposed, [cols, depth].
  void (*pack_transposed)(const float* b, std::size_t stride, int depth, int cols, float* packed);
  void (*product)(const ProductJob&);
  /// One row times the transpose of an unpacked matrix: y[r] = Σ_c A[r, c] x[c], c < depth.
  void (*row_dots)(const float* a, std::size_t stride, int rows, int depth, const float* x, float* y);
  /// One row times an unpacked matrix: y[c] += Σ_r x[r] B[r, c].
  void (*row_sum)(const float* x, const float* b, std::size_t stride, int rows, int cols, float* y);
  void (*attention)(const AttentionBlock&);
  /// y = softmax(x) over `cols`; x may be y. Returns {−inf, 0} when every x is −inf.
  SoftmaxSum (*softmax)(const float* x, float* y, int cols);
  void (*sinusoid)(const SinusoidBlock&);
  /// squares[r] = ‖a − row r of b‖² for r < rows.
  void (*distances)(const float* a, const float* b, int rows, int width, float* squares);

  // Training.
  void (*transposed)(const TransposedJob&);
  void (*head_gradient)(const HeadGradient&);
  void (*norm)(const NormJob&);
  void (*norm_gradient)(const NormGradient&);
  /// y = activation(x), and dx = dy · activation'(x); `kind` is an Activation (linear.h). y may be x, and dx
  /// may be dy.
  void (*activate)(int kind, const float* x, float* y, std::size_t count);
  void (*activation_gradient)(int kind, const float* x, const float* dy, float* dx, std::size_t count);
  /// sums[c] += Σ_r x[r, c].
  void (*column_sums)(const float* x, std::size_t stride, int rows, int cols, float* sums);
  void (*adam)(const AdamJob&);
};

inline std::size_t rounded_up(std::size_t n, std::size_t step) {
  return (n + step - 1) / step * step;
}

/// Returns the floats of a packed matrix. Column `col` (a multiple of the panel) starts col · depth floats
/// into the packed array.
inline std::size_t packed_size(const Kernels& kernels, int depth, int cols) {
  return rounded_up(static_cast<std::size_t>(cols), static_cast<std::size_t>(kernels.panel)) *
         static_cast<std::size_t>(depth);
}

/// Returns the floats for the scores of the block, with 16 extra floats between rows, the context in whole
/// panels, and padding for reads past the end.
inline std::size_t attention_scratch(const Kernels& kernels, int rows, int S, int d_v) {
  const std::size_t panel = static_cast<std::size_t>(kernels.panel);
  return static_cast<std::size_t>(rows) * (rounded_up(static_cast<std::size_t>(S), panel) + 16 +
                                           rounded_up(static_cast<std::size_t>(d_v), panel)) +
         panel;
}

/// Returns the floats for dS, with an extra cache line between rows, and for K, Q, dC and Vᵀ in panels.
inline std::size_t head_gradient_scratch(const Kernels& kernels, int T, int S, int d_k, int d_v) {
  const std::size_t panel = static_cast<std::size_t>(kernels.panel);
  const auto t = static_cast<std::size_t>(T), s = rounded_up(static_cast<std::size_t>(S), panel);
  const std::size_t k = rounded_up(static_cast<std::size_t>(d_k), panel),
                    v = rounded_up(static_cast<std::size_t>(d_v), panel);
  return rounded_up(t * (s + 16 + k + v) + s * (k + v), 16) + 5 * 16;
}

/// Returns the kernels in use.
const Kernels& kernels();

/// Returns the kernels of a level ("v2", "v3", "v4", "generic"), or null if they were not built or the
/// processor does not support them.
const Kernels* kernels_of(const char* level);

/// Returns the kernels chosen at the start when HEADLIGHT_ISA is `wanted` (or null): that level if it is
/// available, else the best.
const Kernels& choose_kernels(const char* wanted);

/// Sets the kernels used from now on; tests and benchmarks run every level in one process. Call it only while
/// nothing computes.
void use_kernels(const Kernels& kernels);

}  // namespace headlight::nn
