#include "draw/pick_canvas.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "draw/turned.h"

namespace headlight::draw {

namespace {

constexpr float line_reach = 4;  // distance in units within which a line is hit

float distance_to_segment(Point p, Point a, Point b) {
  const float dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  const float t = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.f, 1.f) : 0.f;
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/// Returns whether p is so near to the box of these points that it may hit the line between them.
bool near(Point p, std::initializer_list<Point> points, float reach) {
  const auto [left, right] = std::minmax(points, [](Point a, Point b) { return a.x < b.x; });
  const auto [top, bottom] = std::minmax(points, [](Point a, Point b) { return a.y < b.y; });
  return p.x >= left.x - reach && p.x <= right.x + reach && p.y >= top.y - reach && p.y <= bottom.y + reach;
}

Box around(Point centre, float radius) {
  return {centre.x - radius, centre.y - radius, 2 * radius, 2 * radius};
}

}  // namespace

bool PickCanvas::visible() const {
  for (const Box& clip : clips_) {
    if (!clip.has(at_)) return false;
  }
  return true;
}

void PickCanvas::take() {
  if (mark_.part == Part::none) return;
  hit_ = Hit{mark_, {}, {}, {}, at_};
  hit_target_ = targets_.size();
  if (!targets_.empty()) hit_.box = targets_.back().box;
}

void PickCanvas::cover(Box box) {
  if (mark_.part == Part::none || targets_.empty() || mark_.area.w > 0) return;
  Box& all = targets_.back().box;
  if (all.w <= 0) {
    all = box;
  } else {
    const float right = std::max(all.right(), box.right()), bottom = std::max(all.bottom(), box.bottom());
    all.x = std::min(all.x, box.x), all.y = std::min(all.y, box.y);
    all.w = right - all.x, all.h = bottom - all.y;
  }
  if (hit_target_ == targets_.size()) hit_.box = all;
}

void PickCanvas::mark(const Mark& mark) {
  mark_ = mark;
  if (mark_.part == Part::none) return;
  targets_.push_back({mark_, mark_.area});
  // The name of an area is for lessons: the pointer meets what is drawn there.
  const bool area = mark_.part == Part::note && mark_.name.starts_with("area ");
  if (!area && mark_.area.w > 0 && mark_.area.has(at_) && visible()) take();
}

void PickCanvas::rect(Box box, Color, float) {
  cover(box);
  if (box.has(at_) && visible()) take();
}

void PickCanvas::frame(Box box, Stroke, float) {
  cover(box);
}

void PickCanvas::line(Point a, Point b, Stroke stroke) {
  const float reach = std::max(line_reach, stroke.width / 2);
  if (mark_.part == Part::none || !near(at_, {a, b}, reach)) return;
  if (distance_to_segment(at_, a, b) <= reach && visible()) take();
}

void PickCanvas::polyline(std::span<const Point> points, Stroke stroke) {
  if (mark_.part == Part::none) return;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (distance_to_segment(at_, points[i - 1], points[i]) <= std::max(line_reach, stroke.width / 2)) {
      if (visible()) take();
      return;
    }
  }
}

void PickCanvas::polygon(std::span<const Point> convex, Color) {
  int turns = 0;
  for (std::size_t i = 0; i < convex.size(); ++i) {
    const Point a = convex[i], b = convex[(i + 1) % convex.size()];
    const float cross = (b.x - a.x) * (at_.y - a.y) - (b.y - a.y) * (at_.x - a.x);
    turns += cross >= 0 ? 1 : -1;
  }
  if (!convex.empty() && std::abs(turns) == static_cast<int>(convex.size()) && visible()) take();
}

void PickCanvas::curve(Point a, Point control_a, Point control_b, Point b, Stroke stroke) {
  const float reach = std::max(line_reach, stroke.width / 2);
  if (mark_.part == Part::none || !near(at_, {a, control_a, control_b, b}, reach)) return;
  constexpr int pieces = 24;
  Point last = a;
  for (int i = 1; i <= pieces; ++i) {
    const float t = static_cast<float>(i) / pieces, u = 1 - t;
    const float w0 = u * u * u, w1 = 3 * u * u * t, w2 = 3 * u * t * t, w3 = t * t * t;
    const Point next{w0 * a.x + w1 * control_a.x + w2 * control_b.x + w3 * b.x,
                     w0 * a.y + w1 * control_a.y + w2 * control_b.y + w3 * b.y};
    if (distance_to_segment(at_, last, next) <= reach) {
      if (visible()) take();
      return;
    }
    last = next;
  }
}

void PickCanvas::circle(Point centre, float radius, Color) {
  cover(around(centre, radius));
  if (std::hypot(at_.x - centre.x, at_.y - centre.y) <= radius && visible()) take();
}

void PickCanvas::ring(Point centre, float radius, Stroke) {
  cover(around(centre, radius));
}

void PickCanvas::sector(Point centre, float radius, float, float, Color) {
  cover(around(centre, radius));
}

void PickCanvas::text(Point at, std::string_view words, const TextStyle& style) {
  if (style.turn == 0 || mark_.part == Part::none || mark_.area.w > 0) return;
  const float width = text_width(words, style), high = 1.3f * style.size;
  const float back = style.align == Align::centre ? width / 2 : style.align == Align::right ? width : 0;
  const Corners letters = turned(at, Box{-back, -high / 2, width, high}, style.turn);
  cover(bounds(letters));
  polygon(letters, {});
}

void PickCanvas::heatmap(Box box, const Heatmap& map) {
  cover(box);
  if (!box.has(at_) || !visible() || map.rows == 0 || map.cols == 0) return;
  take();
  hit_.map = box;
  hit_.cell = cell_at(box, map, at_);
  const float across = static_cast<float>(map.transposed ? map.rows : map.cols);
  const float down = static_cast<float>(map.transposed ? map.cols : map.rows);
  hit_.shown = map.view.w > 0 && map.view.h > 0 ? map.view : Box{0, 0, across, down};
  const int col = static_cast<int>(hit_.cell.x), row = static_cast<int>(hit_.cell.y);
  if (of_cells(hit_.mark.part)) {
    hit_.mark.query = map.transposed ? col : row;
    hit_.mark.key = map.transposed ? row : col;
  }
}

void PickCanvas::push_clip(Box box) {
  clips_.push_back(box);
}

void PickCanvas::pop_clip() {
  clips_.pop_back();
}

}  // namespace headlight::draw
