// Where a text lies that is turned about its anchor: its corners, the box around them, and whether two such
// texts overlap. Tested in tests/draw/turned_test.cpp.
#pragma once

#include <array>
#include <span>

#include "draw/geometry.h"

namespace headlight::draw {

/// The point `along` the line of reading and `across` it, towards the foot of the letters, from `at`.
/// `degrees` anticlockwise on the screen.
Point turned(Point at, float along, float across, float degrees);

/// A box of letters, in units along and across from `at`, as its four corners on the screen: the start of the
/// line on top, its end on top, its end below, its start below.
using Corners = std::array<Point, 4>;
Corners turned(Point at, Box letters, float degrees);

/// The smallest upright box around them.
Box bounds(std::span<const Point> points);

/// Do two convex shapes share more than `slack` units in every direction?
bool overlap(std::span<const Point> a, std::span<const Point> b, float slack = 0);

}  // namespace headlight::draw
