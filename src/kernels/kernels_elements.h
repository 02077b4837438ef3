// The operations between two products: activations, layer norm, sums over rows, Adam.
//
//   gelu_erf   x Φ(x), Φ(−|x|) = exp(−x²/2) · polynomial(1 / (1 + p |x|)), the form of Abramowitz and Stegun
//              7.1.26 with eight more digits: coefficients by weighted least squares, relative error 1.7e-8
//   gelu_tanh  x σ(2u), u = √(2/π) (x + 0.044715 x³), because (1 + tanh u)/2 = σ(2u)
#pragma once

#include "kernels/kernels.h"
#include "kernels/kernels_attention.h"
#include "kernels/kernels_lanes.h"

namespace headlight::nn::HEADLIGHT_KERNELS {
namespace {

constexpr int kind_relu = 0, kind_gelu_erf = 1;  // as in linear.h; else gelu_tanh

struct NormalTail {
  Vec bell, tail;  // exp(−x²/2), Φ(−|x|)
};

inline NormalTail normal_tail(Vec x) {
  constexpr float c[] = {0.0837115758030327f,   0.08506885528433611f,  0.06919219053912336f,
                         0.12487264155535804f,  -0.09392499273024985f, 0.34940068442871497f,
                         -0.33025308975980644f, 0.28358841951128044f,  -0.07165627782386129f};
  const Vec size = max(broadcast(0) - x, x), one = broadcast(1);
  const Vec t = one / fma(broadcast(0.21f), size, one);
  Vec p = broadcast(c[8]);
  HEADLIGHT_UNROLL
  for (int i = 7; i >= 0; --i) p = fma(p, t, broadcast(c[i]));
  const Vec bell = exp2(x * x * broadcast(-0.5f * log2_e));
  return {bell, bell * p * t};
}

struct Sigmoid {
  Vec s, rest;  // σ(2u), 1 − σ(2u); the second is computed separately and keeps its digits
};

inline Sigmoid sigmoid_of_gelu(Vec x) {
  constexpr float root = 0.79788456080286535588f * 2 * log2_e;
  const Vec exponent = x * fma(x * x, broadcast(0.044715f * root), broadcast(root));
  const Vec one = broadcast(1), e = exp2(broadcast(0) - max(broadcast(-126), exponent));
  const Vec s = one / (one + e);
  return {s, e * s};
}

template <int Kind>
inline Vec activated(Vec x) {
  const Vec zero = broadcast(0);
  if constexpr (Kind == kind_relu) {
    return max(zero, x);
  } else if constexpr (Kind == kind_gelu_erf) {
    return max(zero, x) - max(zero - x, x) * normal_tail(x).tail;
  } else {
    return x * sigmoid_of_gelu(x).s;
  }
}

template <int Kind>
inline Vec slope(Vec x) {
  const Vec zero = broadcast(0), one = broadcast(1);
  if constexpr (Kind == kind_relu) {
    return x > zero ? one : zero;
  } else if constexpr (Kind == kind_gelu_erf) {
    const NormalTail n = normal_tail(x);
    constexpr float density = 0.39894228040143267794f;  // 1/√(2π)
    return fma(x * broadcast(density), n.bell, x > zero ? one - n.tail : n.tail);
  } else {
    constexpr float root = 2 * 0.79788456080286535588f;
    const Sigmoid sigmoid = sigmoid_of_gelu(x);
    const Vec inner = x * fma(x * x, broadcast(3 * 0.044715f * root), broadcast(root));  // x · d(2u)/dx
    return fma(inner * sigmoid.s, sigmoid.rest, sigmoid.s);
  }
}

/// Computes y[i] = f(i) for whole registers and for the rest.
template <class Whole, class Rest>
inline void each_register(size_t count, Whole whole, Rest rest) {
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) whole(i);
  if (i < count) rest(i, static_cast<int>(count - i));
}

template <int Kind>
void activate_all(const float* x, float* y, size_t count) {
  each_register(
      count, [&](size_t i) { store(y + i, activated<Kind>(load(x + i))); },
      [&](size_t i, int n) { store_first(y + i, activated<Kind>(load_first(x + i, n)), n); });
}

template <int Kind>
void activate_back(const float* x, const float* dy, float* dx, size_t count) {
  each_register(
      count, [&](size_t i) { store(dx + i, load(dy + i) * slope<Kind>(load(x + i))); },
      [&](size_t i, int n) {
        store_first(dx + i, load_first(dy + i, n) * slope<Kind>(load_first(x + i, n)), n);
      });
}

void activate(int kind, const float* x, float* y, size_t count) {
  if (kind == kind_relu) return activate_all<kind_relu>(x, y, count);
  if (kind == kind_gelu_erf) return activate_all<kind_gelu_erf>(x, y, count);
  activate_all<2>(x, y, count);
}

void activation_gradient(int kind, const float* x, const float* dy, float* dx, size_t count) {
  if (kind == kind_relu) return activate_back<kind_relu>(x, dy, dx, count);
  if (kind == kind_gelu_erf) return activate_back<kind_gelu_erf>(x, dy, dx, count);
  activate_back<2>(x, dy, dx, count);
}

/// The columns of a row, register by register. The last register may be partial; `ones` is 0 beyond its end.
struct Columns {
  int whole, rest;
  Vec ones;
  explicit Columns(int width) : whole(width / lanes * lanes), rest(width % lanes) {
    float some[lanes] = {};
    for (int i = 0; i < rest; ++i) some[i] = 1;
    ones = load(some);
  }
  template <class F>
  void each(F f) const {
    for (int c = 0; c < whole; c += lanes)
      f(
          c, [](const float* p) { return load(p); }, [](float* p, Vec v) { store(p, v); });
    if (rest == 0) return;
    f(
        whole, [this](const float* p) { return load_first(p, rest); },
        [this](float* p, Vec v) { store_first(p, v, rest); });
  }
};

void norm(const NormJob& job) {
  const Columns columns(job.width);
  const float share = 1.0f / static_cast<float>(job.width);
  const float* x = job.x;
  float* y = job.y;
  for (int r = 0; r < job.rows; ++r, x += job.width, y += job.width) {
    Vec sum = broadcast(0);
    columns.each([&](int c, auto get, auto&&) { sum = sum + get(x + c); });
    const Vec mean = broadcast(total(sum) * share);
    Vec squares = broadcast(0);
    for (int c = 0; c < columns.whole; c += lanes) {
      const Vec d = load(x + c) - mean;
      squares = fma(d, d, squares);
    }
    if (columns.rest > 0) {
      const Vec d = (load_first(x + columns.whole, columns.rest) - mean) * columns.ones;
      squares = fma(d, d, squares);
    }
    const float inverse = 1.0f / __builtin_sqrtf(total(squares) * share + job.eps);
    job.mean[r] = total(sum) * share;
    job.inverse[r] = inverse;
    const Vec factor = broadcast(inverse);
    columns.each([&](int c, auto get, auto put) {
      put(y + c, fma((get(x + c) - mean) * factor, get(job.gamma + c), get(job.beta + c)));
    });
  }
}

void norm_gradient(const NormGradient& job) {
  const Columns columns(job.width);
  const float share = 1.0f / static_cast<float>(job.width);
  const float *x = job.x, *dy = job.dy, *add = job.add;
  // g is rounded before its mean is subtracted. The compiler must not fuse the two, or a width of 1 does not
  // give 0.
  const auto weighted = [zero = broadcast(0)](Vec d, Vec gamma) { return fma(d, gamma, zero); };
  float* dx = job.dx;
  for (int r = 0; r < job.rows; ++r, x += job.width, dy += job.width, dx += job.width) {
    const Vec mean = broadcast(job.mean[r]), inverse = broadcast(job.inverse[r]);
    Vec sum = broadcast(0), product = broadcast(0);
    columns.each([&](int c, auto get, auto put) {
      const Vec d = get(dy + c), unit = (get(x + c) - mean) * inverse, g = weighted(d, get(job.gamma + c));
      sum = sum + g;
      product = fma(g, unit, product);  // g is 0 beyond the end
      put(job.d_gamma + c, fma(d, unit, get(job.d_gamma + c)));
      put(job.d_beta + c, d + get(job.d_beta + c));
    });
    const Vec m = broadcast(total(sum) * share), p = broadcast(total(product) * share);
    columns.each([&](int c, auto get, auto put) {
      const Vec unit = (get(x + c) - mean) * inverse, g = weighted(get(dy + c), get(job.gamma + c));
      const Vec d = (g - fma(unit, p, m)) * inverse;
      put(dx + c, add != nullptr ? d + get(add + c) : d);
    });
    if (add != nullptr) add += job.width;
  }
}

void column_sums(const float* x, size_t stride, int rows, int cols, float* sums) {
  const Columns columns(cols);
  for (int r = 0; r < rows; ++r, x += stride) {
    columns.each([&](int c, auto get, auto put) { put(sums + c, get(sums + c) + get(x + c)); });
  }
}

void adam(const AdamJob& job) {
  // A plain loop, so that the compiler uses the square root of this instruction set.
  const float* __restrict g = job.g;
  float* __restrict m = job.m, * __restrict v = job.v, * __restrict w = job.w;
  const float beta1 = job.beta1, rest1 = job.rest1, beta2 = job.beta2, rest2 = job.rest2;
  const float scale = job.scale, l2 = job.l2, keep_w = job.keep, rate = job.rate, root = job.root,
              eps = job.eps;
  for (size_t i = 0; i < job.count; ++i) {
    const float d = g[i] * scale + l2 * w[i];
    m[i] = beta1 * m[i] + rest1 * d;
    v[i] = beta2 * v[i] + rest2 * d * d;
    w[i] = w[i] * keep_w - rate * m[i] / (__builtin_sqrtf(v[i]) * root + eps);
  }
}

}  // namespace
}  // namespace headlight::nn::HEADLIGHT_KERNELS
