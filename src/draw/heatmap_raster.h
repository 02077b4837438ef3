// The pixels of a heatmap, computed on the processor: for figures, and as the reference in the shader's
// tests.
#pragma once

#include <cstdint>
#include <vector>

#include "draw/canvas.h"
#include "draw/theme.h"

namespace headlight::draw {

/// Returns the colour of `value` on the map: color_of() with its scale.
Color color_of(const Theme& theme, const Heatmap& map, float value);

struct Raster {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // straight alpha, row 0 at the top
};

/// Returns the visible part as `width` × `height` pixels. `gap` is the width of the gap between cells in
/// pixels, 0 = none; masked cells have no gaps. A pixel that covers several cells shows the one with the
/// largest magnitude, and a masked cell only if all of them are masked.
Raster rasterize(const Heatmap& map, const Theme& theme, int width, int height, int gap);

}  // namespace headlight::draw
