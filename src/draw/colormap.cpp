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

/// Of sRGB. A table, because every number in a cell asks for its colour in every frame.
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
  static const std::array<Color, 256> tables[] = {unpack(viridis_table), unpack(cividis_table),
                                                  unpack(blues_table), unpack(diverging_table)};
  return tables[static_cast<int>(map)];
}

Color color_of(Colormap map, float value, float lo, float hi) {
  if (!std::isfinite(value)) return nan_color;  // first: a NaN must never become an index
  float t = hi > lo ? (value - lo) / (hi - lo) : 0.f;
  // The difference of two floats need not be one; in double it always fits.
  if (hi > lo && !std::isfinite(hi - lo)) {
    const double from = static_cast<double>(lo), to = static_cast<double>(hi);
    t = static_cast<float>((static_cast<double>(value) - from) / (to - from));
  }
  // Ends that are not finite leave t no number, which std::clamp would pass on: hence this way round.
  return colors(map)[!(t > 0) ? 0 : static_cast<std::size_t>(std::min(t, 1.f) * 255.f + 0.5f)];
}

Color readable_on(Color background) {
  // Nearly black: with anything lighter no choice reaches 4.5:1 on the grey in the middle.
  constexpr Color light = rgb(0xffffff), dark = rgb(0x050505);
  return contrast(background, light) >= contrast(background, dark) ? light : dark;
}

double contrast(Color a, Color b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace headlight::draw
