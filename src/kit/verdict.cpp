#include "kit/verdict.h"

#include <array>

namespace headlight::views {

draw::Color verdict_color(const draw::Theme& theme, Verdict verdict) {
  switch (verdict) {
    case Verdict::good:
      return theme.good;
    case Verdict::bad:
      return theme.bad;
    case Verdict::alert:
      return theme.text;
    case Verdict::open:
    case Verdict::equal:
      return theme.dim;
  }
  return theme.dim;
}

void verdict_sign(const Pen& pen, Point c, Verdict verdict, float width) {
  const Color color = verdict_color(pen.theme, verdict);
  const float unit = width / verdict_width;
  const auto at = [&](float x, float y) { return Point{c.x + x * unit, c.y + y * unit}; };
  const draw::Stroke stroke{color, 2 * unit};
  pen.canvas.circle(c, width / 2, draw::faded(color, 0.18f));
  const auto line = [&](Point from, Point to) { pen.canvas.line(from, to, stroke); };
  switch (verdict) {
    case Verdict::good:
      pen.canvas.polyline(std::array<Point, 3>{at(-4, 0), at(-1, 3.5f), at(4.5f, -4)}, stroke);
      return;
    case Verdict::bad:
      line(at(-3.5f, -3.5f), at(3.5f, 3.5f)), line(at(-3.5f, 3.5f), at(3.5f, -3.5f));
      return;
    case Verdict::open:
      return line(at(-4, 0), at(4, 0));
    case Verdict::equal:
      line(at(-4, -2), at(4, -2)), line(at(-4, 2), at(4, 2));
      return;
    case Verdict::alert:
      line(at(0, -5), at(0, 1)), pen.canvas.circle(at(0, 4.2f), 1.3f * unit, color);
      return;
  }
}

namespace {
constexpr float beside_sign = 6;
}

float put_verdict_width(const Pen& pen, const std::string& words, float size, float width) {
  return width + (words.empty() ? 0 : beside_sign + pen.canvas.text_width(words, words_style({}, size)));
}

float put_verdict(const Pen& pen, Point right, Verdict verdict, const std::string& words, float size,
                  float width) {
  const float taken = put_verdict_width(pen, words, size, width);
  if (!words.empty())
    put(pen, right, words, aligned(words_style(verdict_color(pen.theme, verdict), size), Align::right));
  verdict_sign(pen, {right.x - taken + width / 2, right.y}, verdict, width);
  return taken;
}

}  // namespace headlight::views
