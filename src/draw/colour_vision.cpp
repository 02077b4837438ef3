#include "draw/colour_vision.h"

#include <algorithm>
#include <cmath>

namespace headlight::draw {

namespace {

// Table 1 of the paper, severity 1.0; each row adds up to 1, so that greys stay grey.
constexpr std::array<float, 9> matrices[] = {
    {1, 0, 0, 0, 1, 0, 0, 0, 1},
    {0.367322f, 0.860646f, -0.227968f, 0.280085f, 0.672501f, 0.047413f, -0.011820f, 0.042940f, 0.968881f},
    {0.152286f, 1.052583f, -0.204868f, 0.114503f, 0.786281f, 0.099216f, -0.003882f, -0.048116f, 1.051998f},
    {1.255528f, -0.076749f, -0.178779f, -0.078411f, 0.930809f, 0.147602f, 0.004733f, 0.691367f, 0.303900f}};

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

std::uint8_t encoded(double light) {
  light = std::clamp(light, 0.0, 1.0);
  const double c = light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(c * 255));
}

}  // namespace

const std::array<float, 9>& matrix_of(Vision vision) {
  return matrices[static_cast<int>(vision)];
}

Color seen(Color color, Vision vision) {
  if (vision == Vision::full) return color;
  const auto& m = matrix_of(vision);
  const double rgb[] = {linear(color.r), linear(color.g), linear(color.b)};
  std::uint8_t out[3];
  for (std::size_t row = 0; row < 3; ++row) {
    double light = 0;
    for (std::size_t i = 0; i < 3; ++i) light += static_cast<double>(m[3 * row + i]) * rgb[i];
    out[row] = encoded(light);
  }
  return {out[0], out[1], out[2], color.a};
}

Lab lab(Color color) {
  const double r = linear(color.r), g = linear(color.g), b = linear(color.b);
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

double delta_e(Color a, Color b) {
  const Lab p = lab(a), q = lab(b);
  return std::sqrt((p.l - q.l) * (p.l - q.l) + (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

Lab oklab(Color color) {
  const double r = linear(color.r), g = linear(color.g), b = linear(color.b);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

double ok_distance(Color a, Color b) {
  const Lab p = oklab(a), q = oklab(b);
  return std::sqrt((p.l - q.l) * (p.l - q.l) + (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

}  // namespace headlight::draw
