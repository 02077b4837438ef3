#include "kit/verdict.h"

#include <array>

namespace headlight::views {

using draw::Align;
using draw::Color;
using draw::Point;

draw::Color verdict_color(const draw::Theme& theme, Verdict verdict) {
  return verdict == Verdict::good ? theme.good : verdict == Verdict::bad ? theme.bad : theme.dim;
}

void verdict_sign(const Pen& pen, Point c, Verdict verdict) {
  const Color color = verdict_color(pen.theme, verdict);
  pen.canvas.circle(c, 9, draw::faded(color, 0.18f));
  const draw::Stroke stroke{color, 2};
  if (verdict == Verdict::open) {
    pen.canvas.line({c.x - 4, c.y}, {c.x + 4, c.y}, stroke);
  } else if (verdict == Verdict::good) {
    const std::array<Point, 3> tick = {Point{c.x - 4, c.y}, Point{c.x - 1, c.y + 3.5f},
                                       Point{c.x + 4.5f, c.y - 4}};
    pen.canvas.polyline(tick, stroke);
  } else {
    pen.canvas.line({c.x - 3.5f, c.y - 3.5f}, {c.x + 3.5f, c.y + 3.5f}, stroke);
    pen.canvas.line({c.x - 3.5f, c.y + 3.5f}, {c.x + 3.5f, c.y - 3.5f}, stroke);
  }
}

void verdict_sign(const Pen& pen, Point c, bool good) {
  const draw::Color color = good ? pen.theme.good : pen.theme.bad;
  pen.canvas.circle(c, 7.5f, draw::faded(color, 0.18f));
  const draw::Stroke stroke{color, 1.8f};
  if (good) {
    const std::array<Point, 3> tick = {Point{c.x - 3.4f, c.y}, Point{c.x - 0.8f, c.y + 2.9f},
                                       Point{c.x + 3.8f, c.y - 3.3f}};
    pen.canvas.polyline(tick, stroke);
  } else {
    pen.canvas.line({c.x - 3, c.y - 3}, {c.x + 3, c.y + 3}, stroke);
    pen.canvas.line({c.x - 3, c.y + 3}, {c.x + 3, c.y - 3}, stroke);
  }
}

}  // namespace headlight::views
