#include "figure/crop_canvas.h"

#include <cmath>

#include "draw/turned.h"

namespace headlight::figure {

using draw::Box;
using draw::Point;

std::string card_name(std::string_view name, std::string_view title) {
  if (!name.empty()) return std::string(name);
  std::string out;
  for (const char c : title) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      out += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

bool CropCanvas::sound(float coordinate) {
  return std::abs(coordinate) <= farthest;  // false for a NaN
}

bool CropCanvas::sound(Box box) {
  return sound(box.x) && sound(box.y) && sound(box.w) && sound(box.h);
}

bool CropCanvas::touches(Box box) const {
  return !other_ && sound(box) && box.x <= keep_.right() && box.right() >= keep_.x &&
         box.y <= keep_.bottom() && box.bottom() >= keep_.y;
}

Box CropCanvas::around(std::span<const Point> points) {
  if (points.empty()) return {};
  Point low = points[0], high = points[0];
  for (const Point p : points) {
    if (!sound(p.x) || !sound(p.y)) return {p.x, p.y, 0, 0};  // std::min would ignore a NaN
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return {low.x, low.y, high.x - low.x, high.y - low.y};
}

void CropCanvas::polyline(std::span<const Point> points, draw::Stroke stroke) {
  const auto bad = [](Point p) { return !sound(p.x) || !sound(p.y); };
  for (auto from = points.begin(); from != points.end();) {
    const auto to = std::find_if(from, points.end(), bad);
    const std::span<const Point> piece(from, to);
    if ((piece.size() > 1 || piece.size() == points.size()) && touches(around(piece)))
      to_.polyline(piece, stroke);
    from = std::find_if_not(to, points.end(), bad);
  }
}

void CropCanvas::text(Point at, std::string_view words, const draw::TextStyle& style) {
  const float width = to_.text_width(words, style);
  const float back = style.align == draw::Align::centre  ? width / 2
                     : style.align == draw::Align::right ? width
                                                         : 0;
  const float up = 0.8f * style.size;
  if (touches(draw::bounds(draw::turned(at, Box{-back, -up, width, up}, style.turn))))
    to_.text(at, words, style);
}

}  // namespace headlight::figure
