// The geometry of a text that is rotated about its anchor: its corners, their bounding box, and whether two
// such texts overlap. Tested in tests/draw/turned_test.cpp.
#pragma once

#include <array>
#include <span>

#include "draw/geometry.h"

namespace headlight::draw {

/// Returns the point that is `along` in the reading direction and `across` towards the foot of the letters,
/// from `at`. `degrees` is anticlockwise on the screen.
Point turned(Point at, float along, float across, float degrees);

/// The box of a text, in units along and across from `at`, as its four corners on the screen: the start of
/// the line at the top, its end at the top, its end at the bottom, its start at the bottom.
using Corners = std::array<Point, 4>;
Corners turned(Point at, Box letters, float degrees);

/// Returns the smallest upright box around the points.
Box bounds(std::span<const Point> points);

/// Returns whether two convex shapes share more than `slack` units in every direction.
bool overlap(std::span<const Point> a, std::span<const Point> b, float slack = 0);

}  // namespace headlight::draw
