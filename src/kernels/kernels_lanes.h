// One vector register for each instruction set. HEADLIGHT_KERNELS names the namespace, HEADLIGHT_LEVEL is 4,
// 3, 2 or 0 (whatever the compiler makes of four adjacent floats).
//
// max(a, b) is b when either is NaN, as on x86. Everything here has internal linkage (kernels.h says why).
#pragma once

#include <cstddef>
#include <cstdint>

#if HEADLIGHT_LEVEL > 0
#include <immintrin.h>
#endif

#if defined(__clang__)
#define HEADLIGHT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define HEADLIGHT_UNROLL _Pragma("GCC unroll 16")
#endif

namespace headlight::nn::HEADLIGHT_KERNELS {
namespace {

using Four = float __attribute__((vector_size(16)));

inline Four load_four(const float* p) {
  Four v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
inline void store_four(float* p, Four v) {
  __builtin_memcpy(p, &v, sizeof v);
}

#if HEADLIGHT_LEVEL == 4

using Vec = __m512;
using Pair = __m512d;  // doubles
constexpr int lanes = 16, pair_lanes = 8, max_tile_rows = 12;

inline __mmask16 first(int n) {
  return static_cast<__mmask16>((1u << n) - 1u);
}
inline Vec broadcast(float x) {
  return _mm512_set1_ps(x);
}
inline Vec load(const float* p) {
  return _mm512_loadu_ps(p);
}
inline Vec load_first(const float* p, int n) {
  return _mm512_maskz_loadu_ps(first(n), p);
}
inline void store(float* p, Vec v) {
  _mm512_storeu_ps(p, v);
}
inline void store_first(float* p, Vec v, int n) {
  _mm512_mask_storeu_ps(p, first(n), v);
}
inline void stream(float* p, Vec v) {
  _mm512_stream_ps(p, v);
}
inline Vec fma(Vec a, Vec b, Vec c) {
  return _mm512_fmadd_ps(a, b, c);
}
inline Vec max(Vec a, Vec b) {
  return _mm512_max_ps(a, b);
}
inline float largest(Vec v) {
  const __m256 half = _mm256_max_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}
inline float total(Vec v) {
  const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
/// Returns the lanes begin … end − 1 of v (begin may be negative, end may be beyond the last lane), and −inf
/// elsewhere.
inline Vec keep(Vec v, int begin, int end) {
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __mmask16 inside = _mm512_cmpge_epi32_mask(lane, _mm512_set1_epi32(begin)) &
                           _mm512_cmplt_epi32_mask(lane, _mm512_set1_epi32(end));
  return _mm512_mask_mov_ps(broadcast(-__builtin_inff()), inside, v);
}

inline bool any_above(Vec a, Vec b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ) != 0;
}

/// x − floor(x), 0 for −inf; and v · 2^floor(x), 0 for −inf.
inline Vec fraction(Vec x) {
  return _mm512_reduce_ps(x, 0x9);
}
inline Vec times_power_of_two(Vec v, Vec x) {
  return _mm512_scalef_ps(v, x);
}

inline Pair load(const double* p) {
  return _mm512_load_pd(p);
}
inline void store(double* p, Pair v) {
  _mm512_store_pd(p, v);
}
inline Pair fma(Pair a, Pair b, Pair c) {
  return _mm512_fmadd_pd(a, b, c);
}
inline Pair minus_fma(Pair a, Pair b, Pair c) {
  return _mm512_fnmadd_pd(a, b, c);
}
/// a0 b0 a1 b1 … in single precision.
inline Vec interleave(Pair a, Pair b) {
  const __m512 both = _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(a)), _mm512_cvtpd_ps(b), 1);
  return _mm512_permutexvar_ps(_mm512_setr_epi32(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15), both);
}
inline void fence() {
  _mm_sfence();
}

#elif HEADLIGHT_LEVEL == 3

using Vec = __m256;
using Pair = __m256d;
constexpr int lanes = 8, pair_lanes = 4, max_tile_rows = 6;

inline __m256i first(int n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
inline Vec broadcast(float x) {
  return _mm256_set1_ps(x);
}
inline Vec load(const float* p) {
  return _mm256_loadu_ps(p);
}
inline Vec load_first(const float* p, int n) {
  return _mm256_maskload_ps(p, first(n));
}
inline void store(float* p, Vec v) {
  _mm256_storeu_ps(p, v);
}
inline void store_first(float* p, Vec v, int n) {
  _mm256_maskstore_ps(p, first(n), v);
}
inline void stream(float* p, Vec v) {
  _mm256_stream_ps(p, v);
}
inline Vec fma(Vec a, Vec b, Vec c) {
  return _mm256_fmadd_ps(a, b, c);
}
inline Vec max(Vec a, Vec b) {
  return _mm256_max_ps(a, b);
}
inline float largest(Vec v) {
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}
inline float total(Vec v) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
inline Vec keep(Vec v, int begin, int end) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i outside = _mm256_or_si256(_mm256_cmpgt_epi32(_mm256_set1_epi32(begin), lane),
                                          _mm256_cmpgt_epi32(lane, _mm256_set1_epi32(end - 1)));
  return _mm256_blendv_ps(v, broadcast(-__builtin_inff()), _mm256_castsi256_ps(outside));
}

inline bool any_above(Vec a, Vec b) {
  return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GT_OQ)) != 0;
}
/// 2^n from a register whose lowest bits are n + 127.
inline Vec power_of_two(Vec biased) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(biased), 23));
}

inline Pair load(const double* p) {
  return _mm256_load_pd(p);
}
inline void store(double* p, Pair v) {
  _mm256_store_pd(p, v);
}
inline Pair fma(Pair a, Pair b, Pair c) {
  return _mm256_fmadd_pd(a, b, c);
}
inline Pair minus_fma(Pair a, Pair b, Pair c) {
  return _mm256_fnmadd_pd(a, b, c);
}
inline Vec interleave(Pair a, Pair b) {
  const __m128 x = _mm256_cvtpd_ps(a), y = _mm256_cvtpd_ps(b);
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_unpacklo_ps(x, y)), _mm_unpackhi_ps(x, y), 1);
}
inline void fence() {
  _mm_sfence();
}

#elif HEADLIGHT_LEVEL == 2

using Vec = __m128;
using Pair = __m128d;
constexpr int lanes = 4, pair_lanes = 2, max_tile_rows = 6;

inline Vec broadcast(float x) {
  return _mm_set1_ps(x);
}
inline Vec load(const float* p) {
  return _mm_loadu_ps(p);
}
inline void store(float* p, Vec v) {
  _mm_storeu_ps(p, v);
}
inline void stream(float* p, Vec v) {
  _mm_stream_ps(p, v);
}
inline Vec fma(Vec a, Vec b, Vec c) {
  return _mm_add_ps(_mm_mul_ps(a, b), c);
}
inline Vec max(Vec a, Vec b) {
  return _mm_max_ps(a, b);
}
inline float largest(Vec v) {
  const __m128 two = _mm_max_ps(v, _mm_movehl_ps(v, v));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}
inline float total(Vec v) {
  const __m128 two = _mm_add_ps(v, _mm_movehl_ps(v, v));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
inline Vec keep(Vec v, int begin, int end) {
  const __m128i lane = _mm_setr_epi32(0, 1, 2, 3);
  const __m128i outside = _mm_or_si128(_mm_cmpgt_epi32(_mm_set1_epi32(begin), lane),
                                       _mm_cmpgt_epi32(lane, _mm_set1_epi32(end - 1)));
  return _mm_blendv_ps(v, broadcast(-__builtin_inff()), _mm_castsi128_ps(outside));
}

inline bool any_above(Vec a, Vec b) {
  return _mm_movemask_ps(_mm_cmpgt_ps(a, b)) != 0;
}
inline Vec power_of_two(Vec biased) {
  return _mm_castsi128_ps(_mm_slli_epi32(_mm_castps_si128(biased), 23));
}

inline Pair load(const double* p) {
  return _mm_load_pd(p);
}
inline void store(double* p, Pair v) {
  _mm_store_pd(p, v);
}
inline Pair fma(Pair a, Pair b, Pair c) {
  return _mm_add_pd(_mm_mul_pd(a, b), c);
}
inline Pair minus_fma(Pair a, Pair b, Pair c) {
  return _mm_sub_pd(c, _mm_mul_pd(a, b));
}
inline Vec interleave(Pair a, Pair b) {
  return _mm_unpacklo_ps(_mm_cvtpd_ps(a), _mm_cvtpd_ps(b));
}
inline void fence() {
  _mm_sfence();
}

#else

using Vec = Four;
using Pair = double __attribute__((vector_size(16)));
constexpr int lanes = 4, pair_lanes = 2, max_tile_rows = 6;
using Bits = std::int32_t __attribute__((vector_size(16)));

inline Vec broadcast(float x) {
  return Vec{x, x, x, x};
}
inline Vec load(const float* p) {
  return load_four(p);
}
inline void store(float* p, Vec v) {
  store_four(p, v);
}
inline void stream(float* p, Vec v) {
  store_four(p, v);
}
inline Vec fma(Vec a, Vec b, Vec c) {
  return a * b + c;
}
inline Vec max(Vec a, Vec b) {
  return a > b ? a : b;
}
inline float largest(Vec v) {
  float m = v[0];
  for (int i = 1; i < lanes; ++i) m = m > v[i] ? m : v[i];
  return m;
}
inline float total(Vec v) {
  return (v[0] + v[2]) + (v[1] + v[3]);
}
inline Vec keep(Vec v, int begin, int end) {
  for (int i = 0; i < lanes; ++i) {
    if (i < begin || i >= end) v[i] = -__builtin_inff();
  }
  return v;
}

inline bool any_above(Vec a, Vec b) {
  const Bits above = a > b;
  return (above[0] | above[1] | above[2] | above[3]) != 0;
}
inline Vec power_of_two(Vec biased) {
  return reinterpret_cast<Vec>(reinterpret_cast<Bits>(biased) << 23);
}

inline Pair load(const double* p) {
  return Pair{p[0], p[1]};
}
inline void store(double* p, Pair v) {
  p[0] = v[0], p[1] = v[1];
}
inline Pair fma(Pair a, Pair b, Pair c) {
  return a * b + c;
}
inline Pair minus_fma(Pair a, Pair b, Pair c) {
  return c - a * b;
}
inline Vec interleave(Pair a, Pair b) {
  return Vec{static_cast<float>(a[0]), static_cast<float>(b[0]), static_cast<float>(a[1]),
             static_cast<float>(b[1])};
}
inline void fence() {}

#endif

#if HEADLIGHT_LEVEL < 3
inline Vec load_first(const float* p, int n) {
  alignas(16) float part[lanes] = {};
  for (int i = 0; i < n; ++i) part[i] = p[i];
  return load(part);
}
inline void store_first(float* p, Vec v, int n) {
  alignas(16) float part[lanes];
  store(part, v);
  for (int i = 0; i < n; ++i) p[i] = part[i];
}
#endif

constexpr int panel = 2 * lanes;

/// The minimax polynomial of degree 6 for 2^f that is exact at 0: for |f| <= 1/2 (relative error 2.6e-9), and
/// with AVX-512, where f is measured from the integer below, for 0 <= f <= 1 (2.0e-9).
inline Vec exp2_polynomial(Vec f) {
#if HEADLIGHT_LEVEL == 4
  constexpr float c[] = {0.693147044443321f,    0.24022930555227592f,  0.055485280618457415f,
                         0.009675451567268225f, 0.001246784644311559f, 0.00021612914964196483f};
#else
  constexpr float c[] = {0.6931472149680401f,   0.24022652782875958f,  0.05550310550995159f,
                         0.009617692974910578f, 0.001340664390521075f, 0.00015594677543098815f};
#endif
  Vec p = broadcast(c[5]);
  p = fma(p, f, broadcast(c[4]));
  p = fma(p, f, broadcast(c[3]));
  p = fma(p, f, broadcast(c[2]));
  p = fma(p, f, broadcast(c[1]));
  p = fma(p, f, broadcast(c[0]));
  return fma(p, f, broadcast(1));
}

/// 2^x for x up to 127, within two units in the last place; below −126.5 it is 0 (or subnormal, which is
/// flushed). −inf gives 0, NaN gives NaN.
inline Vec exp2(Vec x) {
#if HEADLIGHT_LEVEL == 4
  return times_power_of_two(exp2_polynomial(fraction(x)), x);
#else
  // Adding 1.5 · 2²³ + 127 removes the fraction; the lowest bits are then the exponent bits of 2^n as a
  // float.
  const Vec rounder = broadcast(12583039.0f);
  x = max(broadcast(-127), x);
  const Vec biased = x + rounder;
  return exp2_polynomial(x - (biased - rounder)) * power_of_two(biased);
#endif
}

}  // namespace
}  // namespace headlight::nn::HEADLIGHT_KERNELS
