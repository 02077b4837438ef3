// Colour maps as 256-entry tables. The screen's shader and every other canvas use the same table.
#pragma once

#include <array>

#include "draw/geometry.h"

namespace headlight::draw {

/// `weight` and `signed_weight` are replaced by the theme's maps: see resolved() in theme.h. The others are
/// concrete: weight_* and signed_* have the panel's own colour at zero, see colormap.cpp.
enum class Colormap {
  weight,
  signed_weight,
  viridis,
  cividis,
  blues,
  diverging,
  weight_dark,
  weight_light,
  signed_dark,
  signed_light
};
inline constexpr int colormaps = 10;

/// Returns the 256 colours of a concrete map, low to high. viridis and cividis follow Smith, van der Walt,
/// Garnier and Nuñez; blues follows ColorBrewer's sequential Blues; diverging follows ColorBrewer's RdBu,
/// reversed: negative blue, positive red, zero near white.
const std::array<Color, 256>& colors(Colormap map);

/// Returns the colour of `value` on [lo, hi], clamped; for NaN the magenta-grey `nan_color`.
Color color_of(Colormap map, float value, float lo, float hi);

inline constexpr Color nan_color = rgb(0xd946ef);

/// Returns black or white, whichever is easier to read on `background` (WCAG relative luminance): at least
/// 4.5:1.
Color readable_on(Color background);

/// Returns the WCAG 2 contrast ratio, 1 … 21, of opaque colours.
double contrast(Color a, Color b);

}  // namespace headlight::draw
