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

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
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
  const float t = hi > lo ? std::clamp((value - lo) / (hi - lo), 0.f, 1.f) : 0.f;
  return colors(map)[static_cast<std::size_t>(t * 255.f + 0.5f)];
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
