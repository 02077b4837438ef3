#include "draw/turned.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace headlight::draw {

namespace {

/// Exact for text that is not rotated or is rotated straight upwards.
Point direction(float degrees) {
  if (degrees == 0) return {1, 0};
  if (degrees == 90) return {0, -1};
  const float angle = degrees * std::numbers::pi_v<float> / 180;
  return {std::cos(angle), -std::sin(angle)};
}

struct Extent {
  float low = std::numeric_limits<float>::max(), high = -std::numeric_limits<float>::max();
};

Extent along(std::span<const Point> points, Point axis) {
  Extent out;
  for (const Point p : points) {
    const float at = p.x * axis.x + p.y * axis.y;
    out.low = std::min(out.low, at), out.high = std::max(out.high, at);
  }
  return out;
}

/// Returns whether `b` is entirely on the outer side of an edge of `a`.
bool parted(std::span<const Point> a, std::span<const Point> b, float slack) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Point from = a[i], to = a[(i + 1) % a.size()];
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    if (!(length > 0)) continue;
    const Point normal{dy / length, -dx / length};
    const Extent mine = along(a, normal), other = along(b, normal);
    if (std::min(mine.high, other.high) - std::max(mine.low, other.low) <= slack) return true;
  }
  return false;
}

}  // namespace

Point turned(Point at, float along, float across, float degrees) {
  const Point way = direction(degrees);
  return {at.x + along * way.x - across * way.y, at.y + along * way.y + across * way.x};
}

Corners turned(Point at, Box letters, float degrees) {
  return {turned(at, letters.x, letters.y, degrees), turned(at, letters.right(), letters.y, degrees),
          turned(at, letters.right(), letters.bottom(), degrees),
          turned(at, letters.x, letters.bottom(), degrees)};
}

Box bounds(std::span<const Point> points) {
  if (points.empty()) return {};
  const Extent x = along(points, {1, 0}), y = along(points, {0, 1});
  return {x.low, y.low, x.high - x.low, y.high - y.low};
}

bool overlap(std::span<const Point> a, std::span<const Point> b, float slack) {
  return !parted(a, b, slack) && !parted(b, a, slack);
}

}  // namespace headlight::draw
