// Compiled without contraction to fused multiply-add (CMakeLists.txt): every operation below is rounded
// separately, and IEEE 754 then fixes every bit. The square root is the only function of the C library; IEEE
// 754 fixes it too.
#include "nn/random.h"

#include <bit>
#include <cmath>

#include "base/check.h"

namespace headlight::nn {

namespace {

using Block = std::array<std::uint32_t, 4>;

/// 1/1, 1/3, … 1/21: the series of artanh.
constexpr std::array<double, 11> inverse_odd = [] {
  std::array<double, 11> c{};
  for (std::size_t k = 0; k < c.size(); ++k) c[k] = 1.0 / static_cast<double>(2 * k + 1);
  return c;
}();

/// 1/n! with alternating signs, n = 0, 2, … 18 for the cosine and n = 1, 3, … 19 for the sine.
constexpr std::array<double, 10> inverse_factorials(int first) {
  std::array<double, 10> c{};
  double term = 1;
  int n = first;
  for (double& value : c) {
    value = 1 / term;
    term = -term * (n + 1) * (n + 2);
    n += 2;
  }
  return c;
}
constexpr std::array<double, 10> cosine_terms = inverse_factorials(0), sine_terms = inverse_factorials(1);

/// Σ c[k] x^k by Horner's rule, the highest power first: one fixed order of rounding.
template <std::size_t N>
double polynomial(const std::array<double, N>& c, double x) {
  double sum = c[N - 1];
  for (std::size_t k = N - 1; k > 0; --k) sum = sum * x + c[k - 1];
  return sum;
}

/// Natural logarithm of u in (0, 1]: u = m · 2^e with m in (√½, √2], log m = 2 artanh s = 2 Σ s^(2k+1) /
/// (2k+1) with s = (m − 1) / (m + 1), |s| < 0.172, so that 11 terms reach the last bits of a double.
double natural_log(double u) {
  constexpr double ln_2 = 0x1.62e42fefa39efp-1;
  const auto bits = std::bit_cast<std::uint64_t>(u);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFull) | 0x3FF0000000000000ull);  // [1, 2)
  if (m > 0x1.6a09e667f3bcdp+0) m *= 0.5, ++exponent;
  const double s = (m - 1) / (m + 1);
  return exponent * ln_2 + 2 * s * polynomial(inverse_odd, s * s);
}

struct Circle {
  double cosine, sine;
};

/// Returns the cosine and sine of 2π u, u in [0, 1). The nearest quarter turn is subtracted exactly; Taylor
/// series cover [−π/4, π/4].
Circle circle(double u) {
  constexpr double two_pi = 0x1.921fb54442d18p+2;
  const int quarter = static_cast<int>(4 * u + 0.5);
  const double x = two_pi * (u - 0.25 * quarter), x2 = x * x;
  const double c = polynomial(cosine_terms, x2), s = x * polynomial(sine_terms, x2);
  switch (quarter & 3) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

Block block_of(std::uint64_t seed, std::uint64_t stream, std::uint64_t block) {
  return philox4x32({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                     static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)},
                    {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
}

double to_unit(std::uint32_t word) {
  return (static_cast<double>(word >> 8) + 0.5) * 0x1p-24;
}

/// Returns two normally distributed numbers from two words (Box and Muller 1958).
std::array<float, 2> to_normal(std::uint32_t a, std::uint32_t b) {
  const double radius = std::sqrt(-2 * natural_log((static_cast<double>(a) + 0.5) * 0x1p-32));
  const Circle at = circle(static_cast<double>(b) * 0x1p-32);
  return {static_cast<float>(radius * at.cosine), static_cast<float>(radius * at.sine)};
}

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = 0xD2511F53ull * counter[0], b = 0xCD9E8D57ull * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

double Random::uniform(std::uint64_t index) const {
  return to_unit(block_of(seed_, stream_, index / 4)[index % 4]);
}

float Random::normal(std::uint64_t index) const {
  const Block words = block_of(seed_, stream_, index / 4);
  const std::size_t pair = index % 4 / 2 * 2;
  return to_normal(words[pair], words[pair + 1])[index % 2];
}

void Random::normals(std::uint64_t first, std::span<float> out) const {
  for (std::size_t i = 0; i < out.size();) {
    const std::uint64_t index = first + i;
    const Block words = block_of(seed_, stream_, index / 4);
    const std::array<float, 2> low = to_normal(words[0], words[1]), high = to_normal(words[2], words[3]);
    const std::array<float, 4> four = {low[0], low[1], high[0], high[1]};
    for (std::size_t k = index % 4; k < 4 && i < out.size(); ++k, ++i) out[i] = four[k];
  }
}

void Random::uniforms(std::uint64_t first, std::span<double> out) const {
  for (std::size_t i = 0; i < out.size();) {
    const std::uint64_t index = first + i;
    const Block words = block_of(seed_, stream_, index / 4);
    for (std::size_t k = index % 4; k < 4 && i < out.size(); ++k, ++i) out[i] = to_unit(words[k]);
  }
}

std::uint32_t Random::below(std::uint64_t index, std::uint32_t bound) const {
  HEADLIGHT_CHECK_OP(bound, >=, 1u);
  const std::uint64_t word = block_of(seed_, stream_, index / 4)[index % 4];
  return static_cast<std::uint32_t>(word * bound >> 32);
}

std::uint64_t hash_text(const char* bytes, std::size_t size) {
  std::uint64_t hash = 0xCBF29CE484222325ull;
  for (std::size_t i = 0; i < size; ++i) {
    hash ^= static_cast<unsigned char>(bytes[i]);
    hash *= 0x100000001B3ull;
  }
  return hash;
}

}  // namespace headlight::nn
