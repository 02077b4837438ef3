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

double linear_channel(std::uint8_t channel) {
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
  const double rgb[] = {linear_channel(color.r), linear_channel(color.g), linear_channel(color.b)};
  std::uint8_t out[3];
  for (std::size_t row = 0; row < 3; ++row) {
    double light = 0;
    for (std::size_t i = 0; i < 3; ++i) light += static_cast<double>(m[3 * row + i]) * rgb[i];
    out[row] = encoded(light);
  }
  return {out[0], out[1], out[2], color.a};
}

}  // namespace headlight::draw
