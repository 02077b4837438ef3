// Two boxes, or a box and a point.
#pragma once

#include <algorithm>
#include <cmath>

#include "draw/geometry.h"

namespace headlight::draw {

/// Returns the part that is in both; a side is negative when they do not overlap.
inline Box common_part(const Box& a, const Box& b) {
  const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::min(a.right(), b.right()) - x, std::min(a.bottom(), b.bottom()) - y};
}

/// Returns the smallest box that has both.
inline Box around_both(const Box& a, const Box& b) {
  const float x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

/// Do they overlap? Boxes that only touch do not.
inline bool boxes_overlap(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

/// Returns the distance of the point from the box; 0 inside.
inline float distance_from(const Box& box, Point p) {
  return std::hypot(std::max({box.x - p.x, p.x - box.right(), 0.f}),
                    std::max({box.y - p.y, p.y - box.bottom(), 0.f}));
}

}  // namespace headlight::draw
