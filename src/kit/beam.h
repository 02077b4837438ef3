// Light without blur: a beam along a path, whose width and colour go from one end to the other, and the halo
// around it, made of plain convex polygons, so that the screen, SVG and PDF show the same. No filter, no
// gradient. Tested in tests/views/beam_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "draw/canvas.h"
#include "kit/card.h"

namespace headlight::views {

/// Points along the cubic from a to b, no further from it than `off` units; at least 25, so that a beam has
/// 24 slices; at most 97.
std::vector<draw::Point> cubic_path(draw::Point a, draw::Point control_a, draw::Point control_b,
                                    draw::Point b, float off = 0.1f);
/// Along an ellipse around `centre`, from the angle `from` to `to`: radians, 0 = to the right, growing
/// clockwise on screen.
std::vector<draw::Point> arc_path(draw::Point centre, float across, float up, float from, float to);
/// The point at `part` (0 … 1) of the path's length.
draw::Point along(std::span<const draw::Point> path, float part);

struct Beam {
  float width_a = 8, width_b = 8;
  draw::Color a, b;  // blended by the part of the length
  bool round_a = false, round_b = false;
};

/// A slice for each step of the path. Slices overlap by less than a unit, so that no seam shows between their
/// soft edges: colours should be opaque, mixed with the ground; translucent ones show the overlaps.
void draw_beam(draw::Canvas& canvas, std::span<const draw::Point> path, const Beam& beam);

/// Around the beam: `layers` shapes, each wider by `step` units on both sides than the one before. One layer
/// over another is 1 − (1 − opacity)ⁿ. Soft light is 14 to 22 layers of opacity .012 to .022; an edge that
/// glows, 3 of .10.
struct Halo {
  int layers = 18;
  float step = 2;
  float opacity = 0.016f;
  bool round_a = false, round_b = false;
};
/// Drawn before the beam. Of many layers the opacities differ by up to a third, around the one given. Slices
/// share edges: at such opacities two soft edges add up to one full one.
void draw_halo(draw::Canvas& canvas, std::span<const draw::Point> path, const Beam& beam, const Halo& halo);

}  // namespace headlight::views
