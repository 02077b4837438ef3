// Where the colour scale of a map ends that is drawn with fewer pixels than cells. Each pixel shows the
// largest of its weights, so far more than 1 % of the pixels would be above the 99th percentile of the
// weights: the scale ends at the percentile of the pixels. What was counted is kept until the values, the
// part on view or the size change. Tested in tests/views/drawn_scale_test.cpp.
#pragma once

#include <cstdint>
#include <span>

#include "draw/canvas.h"
#include "scene/map_scale.h"

namespace headlight::views {

/// A map and where it is drawn, in pixels of the screen. `allow` [rows·cols], or empty: the cells that are
/// not masked, as in MatrixPanel.
struct DrawnMap {
  draw::Heatmap map;
  draw::Box box;
  std::span<const std::uint8_t> allow;
};

/// Counts the magnitudes that the pixels of the box show, without masked ones. Cells on view that are no
/// smaller than a pixel count once each.
nn::WeightCounts count_pixels(const DrawnMap& drawn);

/// While it lives, this thread's drawn_scale() returns `whole` without counting: a page that is laid out at
/// many sizes only to compare them is drawn for its words and boxes.
class WithoutPixelScales {
 public:
  WithoutPixelScales();
  ~WithoutPixelScales();
  WithoutPixelScales(const WithoutPixelScales&) = delete;
  WithoutPixelScales& operator=(const WithoutPixelScales&) = delete;

 private:
  bool before_;
};

/// Returns the scale that these maps share on a canvas where a unit has `pixels` pixels (Canvas::pixels());
/// their boxes are in units. It is `whole`, unless that is automatic.
scene::WeightScale drawn_scale(const scene::WeightScale& whole, std::span<const DrawnMap> maps, float pixels);

}  // namespace headlight::views
