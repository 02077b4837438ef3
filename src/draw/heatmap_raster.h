// The pixels of a heatmap, computed on the processor: for figures, and as the reference that the shader is
// tested against.
#pragma once

#include <cstdint>
#include <vector>

#include "draw/canvas.h"
#include "draw/theme.h"

namespace headlight::draw {

/// The colour of `value` on the map: color_of() of its scale.
Color color_of(const Theme& theme, const Heatmap& map, float value);

struct Raster {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // straight alpha, row 0 on top
};

/// The part on view as `width` × `height` pixels; `gap` is the width of the gap between cells in pixels, 0 =
/// none; masked cells have none. A pixel that covers several cells shows the one of largest magnitude; a
/// masked cell only where all of them are.
Raster rasterize(const Heatmap& map, const Theme& theme, int width, int height, int gap);

}  // namespace headlight::draw
