#include "pages/attention/view/arcs_labels.h"

#include <array>
#include <cmath>
#include <limits>

#include "draw/boxes.h"
#include "kit/beam.h"

namespace headlight::views {

namespace {

constexpr float beside_own = 2, beside_others = 4;  // from the label to the edge of an arc

/// Returns the distance from the box to a line between two points. The line is short compared with the box,
/// or far from it.
float from_step(const Box& box, Point a, Point b) {
  constexpr float step = 3;
  const float length = std::hypot(b.x - a.x, b.y - a.y);
  float least = std::min(draw::distance_from(box, a), draw::distance_from(box, b));
  if (least > length + beside_others) return least;
  for (float at = step; at < length; at += step)
    least = std::min(
        least, draw::distance_from(box, {a.x + (b.x - a.x) * at / length, a.y + (b.y - a.y) * at / length}));
  return least;
}

/// Returns the distance from the box to the edge of an arc of thickness 2·half.
float from_arc(const Box& box, const std::vector<Point>& path, float half) {
  float least = std::numeric_limits<float>::infinity();
  for (std::size_t p = 1; p < path.size(); ++p)
    least = std::min(least, from_step(box, path[p - 1], path[p]) - half);
  return least;
}

}  // namespace

std::size_t ArcLabels::add(std::vector<Point> path, float half) {
  Shape shape{std::move(path), half, {}};
  if (!shape.path.empty()) {
    const auto [left, right] =
        std::minmax_element(shape.path.begin(), shape.path.end(), [](Point a, Point b) { return a.x < b.x; });
    const auto [top, low] =
        std::minmax_element(shape.path.begin(), shape.path.end(), [](Point a, Point b) { return a.y < b.y; });
    shape.around = Box{left->x, top->y, right->x - left->x, low->y - top->y}.inset(-half - beside_others);
  }
  shapes_.push_back(std::move(shape));
  return shapes_.size() - 1;
}

bool ArcLabels::is_clear(std::size_t own, const Box& box) const {
  if (box.x < within_.x || box.right() > within_.right() || box.y < within_.y ||
      box.bottom() > within_.bottom())
    return false;
  if (std::any_of(taken_.begin(), taken_.end(),
                  [&](const Box& other) { return draw::boxes_overlap(box, other); }))
    return false;
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const Shape& other = shapes_[i];
    if (i == own || !draw::boxes_overlap(box, other.around)) continue;
    if (from_arc(box, other.path, other.half) < beside_others) return false;
  }
  // A small arc bends away from the corners of its label, but must still be nearer than any other arc.
  const Shape& shape = shapes_[own];
  return from_arc(box, shape.path, shape.half) < beside_others - 1;
}

std::optional<Box> ArcLabels::place(std::size_t own, float wide, float high) {
  const Shape& shape = shapes_[own];
  if (shape.path.size() < 3) return std::nullopt;
  const Point foot{(shape.path.front().x + shape.path.back().x) / 2,
                   (shape.path.front().y + shape.path.back().y) / 2};
  for (const float part : {0.5f, 0.42f, 0.58f, 0.34f, 0.66f, 0.25f, 0.75f}) {
    const Point at = along(shape.path, part), before = along(shape.path, part - 0.02f),
                after = along(shape.path, part + 0.02f);
    const float length = std::max(std::hypot(after.x - before.x, after.y - before.y), 1e-4f);
    Point out{(after.y - before.y) / length, (before.x - after.x) / length};
    if (out.x * (at.x - foot.x) + out.y * (at.y - foot.y) < 0) out = {-out.x, -out.y};
    const float away = shape.half + beside_own + std::abs(out.x) * wide / 2 + std::abs(out.y) * high / 2;
    for (const float side : {away, 0.f, -away}) {
      const Box box{at.x + out.x * side - wide / 2, at.y + out.y * side - high / 2, wide, high};
      if (!is_clear(own, box)) continue;
      taken_.push_back(box);
      return box;
    }
  }
  return std::nullopt;
}

}  // namespace headlight::views
