// How different do two colours look? In CIELAB, ΔE of 1976, and in OKLab (Ottosson 2020).
#pragma once

#include <cmath>

#include "draw/geometry.h"

namespace headlight::tests {

/// Lightness, and two axes of hue.
struct Lab {
  double l = 0, a = 0, b = 0;
};

inline double linear_light(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

/// CIELAB of an opaque sRGB colour, white D65: L 0 … 100, a, b.
inline Lab lab(draw::Color color) {
  const double r = linear_light(color.r), g = linear_light(color.g), b = linear_light(color.b);
  // sRGB primaries, IEC 61966-2-1, divided by the white of D65.
  const double x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505;
  const double y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const double z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0890;
  const auto f = [](double t) {
    constexpr double knee = 6.0 / 29;
    return t > knee * knee * knee ? std::cbrt(t) : t / (3 * knee * knee) + 4.0 / 29;
  };
  return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

/// OKLab of an opaque sRGB colour: L 0 … 1, a, b.
inline Lab oklab(draw::Color color) {
  const double r = linear_light(color.r), g = linear_light(color.g), b = linear_light(color.b);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

inline double between(const Lab& p, const Lab& q) {
  return std::sqrt((p.l - q.l) * (p.l - q.l) + (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}
inline double delta_e(draw::Color a, draw::Color b) {
  return between(lab(a), lab(b));
}
inline double ok_distance(draw::Color a, draw::Color b) {
  return between(oklab(a), oklab(b));
}

}  // namespace headlight::tests
