#include "draw/colormap.h"

#include <cmath>

#include "draw/colormap_tables.h"

namespace headlight::draw {

namespace {

std::array<Color, 256> unpack(const std::uint32_t (&table)[256]) {
  std::array<Color, 256> out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = rgb(table[i]);
  return out;
}

using Stops = std::array<std::uint32_t, 9>;  // at 0, 1/8 … 1; linear in sRGB between them

constexpr Stops weight_dark{0x12151D, 0x43211E, 0x6F2F1F, 0x994216, 0xBD5E02,
                            0xDB800E, 0xECA845, 0xF6D285, 0xFFF7DA};
constexpr Stops weight_light{0xFFFFFF, 0xDFDBF5, 0xC0B8EA, 0xA195DE, 0x8572D1,
                             0x6A4FBF, 0x4F30A3, 0x34177C, 0x1B084D};
constexpr Stops below_dark{0x12151D, 0x292243, 0x41306C, 0x5B3E94, 0x7651B6,
                           0x9267D2, 0xAB84E2, 0xC4A1F0, 0xDCC0FB};
constexpr Stops below_light{0xFFFFFF, 0xF5DEC7, 0xEABC94, 0xDC9A66, 0xCA793F,
                            0xB15B23, 0x924317, 0x722E0D, 0x511C07};

Color between(const Stops& stops, double t) {
  const double at = t * 8;
  const auto low = static_cast<std::size_t>(std::min(7.0, std::floor(at)));
  return mix(rgb(stops[low]), rgb(stops[low + 1]), static_cast<float>(at - static_cast<double>(low)));
}

std::array<Color, 256> ramp(const Stops& above) {
  std::array<Color, 256> out;
  for (std::size_t i = 0; i < 256; ++i) out[i] = between(above, static_cast<double>(i) / 255);
  return out;
}

/// −1 … 1: zero is between the two middle entries.
std::array<Color, 256> signed_ramp(const Stops& below, const Stops& above) {
  std::array<Color, 256> out;
  for (std::size_t i = 0; i < 256; ++i) {
    const double value = (static_cast<double>(i) - 127.5) / 127.5;
    out[i] = between(value < 0 ? below : above, std::abs(value));
  }
  return out;
}

/// Linear value of an sRGB channel. A table, because every number in a cell needs its colour in every frame.
double linear(std::uint8_t channel) {
  static const std::array<double, 256> table = [] {
    std::array<double, 256> of{};
    for (std::size_t i = 0; i < of.size(); ++i) {
      const double c = static_cast<double>(i) / 255.0;
      of[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
    return of;
  }();
  return table[channel];
}

double luminance(Color c) {
  return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

}  // namespace

const std::array<Color, 256>& colors(Colormap map) {
  static const std::array<Color, 256> tables[colormaps] = {ramp(weight_dark),
                                                           signed_ramp(below_dark, weight_dark),
                                                           unpack(viridis_table),
                                                           unpack(cividis_table),
                                                           unpack(blues_table),
                                                           unpack(diverging_table),
                                                           ramp(weight_dark),
                                                           ramp(weight_light),
                                                           signed_ramp(below_dark, weight_dark),
                                                           signed_ramp(below_light, weight_light)};
  return tables[static_cast<int>(map)];
}

Color color_of(Colormap map, float value, float lo, float hi) {
  if (!std::isfinite(value)) return nan_color;  // first, since a NaN must never become an index
  float t = hi > lo ? (value - lo) / (hi - lo) : 0.f;
  // The difference of two floats may not be a finite float; in double it is always finite.
  if (hi > lo && !std::isfinite(hi - lo)) {
    const double from = static_cast<double>(lo), to = static_cast<double>(hi);
    t = static_cast<float>((static_cast<double>(value) - from) / (to - from));
  }
  // Infinite ends make t NaN, which std::clamp would pass on; this form does not.
  return colors(map)[!(t > 0) ? 0 : static_cast<std::size_t>(std::min(t, 1.f) * 255.f + 0.5f)];
}

Color readable_on(Color background) {
  // Nearly black: with a lighter colour, neither choice reaches 4.5:1 on middle grey.
  constexpr Color light = rgb(0xffffff), dark = rgb(0x050505);
  return contrast(background, light) >= contrast(background, dark) ? light : dark;
}

double contrast(Color a, Color b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace headlight::draw
