// Light without blur: a beam along a path and the halo around it. The width and colour of the beam change
// from one end to the other. Both consist of plain convex polygons, without filters or gradients, so that the
// screen, SVG and PDF show the same. Tested in tests/views/beam_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "draw/canvas.h"
#include "kit/card.h"

namespace headlight::views {

/// Returns points along the cubic from a to b. Their chords stay within `off` units of the curve. There are
/// 25 to 97 points, so that a beam has at least 24 slices.
std::vector<draw::Point> cubic_path(draw::Point a, draw::Point control_a, draw::Point control_b,
                                    draw::Point b, float off = 0.1f);
/// Returns points along an ellipse around `centre`, from the angle `from` to `to`, in radians: 0 points to
/// the right, and angles grow clockwise on screen.
std::vector<draw::Point> arc_path(draw::Point centre, float across, float up, float from, float to);
/// Returns the point at the fraction `part` (0 … 1) of the path's length.
draw::Point along(std::span<const draw::Point> path, float part);

struct Beam {
  float width_a = 8, width_b = 8;
  draw::Color a, b;  // blended in proportion to the length
  bool round_a = false, round_b = false;
};

/// Draws one slice for each step of the path. Slices overlap by less than a unit, so that no seam shows
/// between their soft edges. Colours should be opaque, already mixed with the background: translucent ones
/// show the overlaps.
void draw_beam(draw::Canvas& canvas, std::span<const draw::Point> path, const Beam& beam);

/// The light around a beam: `layers` shapes, each wider by `step` units on both sides than the one before.
/// Together n layers have the opacity 1 − (1 − opacity)ⁿ. Soft light needs 14 to 22 layers of opacity .012 to
/// .022; a glowing edge needs 3 layers of .10.
struct Halo {
  int layers = 18;
  float step = 2;
  float opacity = 0.016f;
  bool round_a = false, round_b = false;
};
/// Draw the halo before the beam. With many layers, their opacities differ from the given one by up to a
/// third. Slices share edges: at such low opacities two soft edges add up to a full one.
void draw_halo(draw::Canvas& canvas, std::span<const draw::Point> path, const Beam& beam, const Halo& halo);

}  // namespace headlight::views
