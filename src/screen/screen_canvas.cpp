#include "screen/screen_canvas.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "draw/scripts.h"
#include "draw/turned.h"
#include "screen/paint.h"

namespace headlight::screen {
namespace {

using draw::Box;
using draw::Color;
using draw::Point;
using draw::Stroke;

constexpr std::size_t longest_run = 4000;  // points in one of ImGui's polylines, whose indices have 16 bits
constexpr float most_off_curve = 1;        // pixels, at the worst point; half of that nearly everywhere
constexpr float most_dashes =
    20000;  // limit for one path; a longer one is not a meaningful picture and is drawn solid

bool finite(ImVec2 p) {
  return std::isfinite(p.x) && std::isfinite(p.y);
}
bool finite(Box b) {
  return std::isfinite(b.x) && std::isfinite(b.y) && std::isfinite(b.w) && std::isfinite(b.h);
}

// A line thinner than a pixel is drawn one pixel wide and paler.
struct Pen {
  float width;
  ImU32 color;
};
Pen pen(Stroke stroke, float scale) {
  float width = stroke.width * scale;
  return width >= 1 ? Pen{width, packed(stroke.color)}
                    : Pen{1, packed(draw::faded(stroke.color, std::max(0.f, width)))};
}

// Whole pixels wide, at least one: for upright lines.
float whole_width(float width) {
  return std::max(1.f, std::round(width));
}

float twice_area(std::span<const ImVec2> points) {
  float sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    ImVec2 a = points[i], b = points[(i + 1) % points.size()];
    sum += a.x * b.y - b.x * a.y;
  }
  return sum;
}

float distance(ImVec2 a, ImVec2 b) {
  return std::hypot(b.x - a.x, b.y - a.y);
}

}  // namespace

ScreenCanvas::ScreenCanvas(ImDrawList& list, ImVec2 origin, float scale, TextPainter& text,
                           HeatmapPainter& heatmaps)
    : list_(list), origin_(origin), scale_(scale), text_(text), heatmaps_(heatmaps) {}

Box ScreenCanvas::pixels(Box box) const {
  ImVec2 p = pixel({box.x, box.y});
  return {p.x, p.y, box.w * scale_, box.h * scale_};
}

// Returns the nearest whole pixels; a box with any extent keeps at least one.
Box ScreenCanvas::whole_pixels(Box box) const {
  Box b = pixels(box);
  float x = std::round(b.x), y = std::round(b.y);
  return {x, y, std::max(std::round(b.right()) - x, b.w > 0 ? 1.f : 0.f),
          std::max(std::round(b.bottom()) - y, b.h > 0 ? 1.f : 0.f)};
}

bool ScreenCanvas::seen(ImVec2 from, ImVec2 to, float around) const {
  const ImVec2 low = list_.GetClipRectMin(), high = list_.GetClipRectMax();
  const float more = around + 2;  // soft edges, and rounding to whole pixels
  return to.x + more >= low.x && from.x - more <= high.x && to.y + more >= low.y && from.y - more <= high.y;
}

bool ScreenCanvas::seen(std::span<const ImVec2> points, float around) const {
  ImVec2 from = points[0], to = points[0];
  for (const ImVec2 p : points) {
    from = {std::min(from.x, p.x), std::min(from.y, p.y)};
    to = {std::max(to.x, p.x), std::max(to.y, p.y)};
  }
  return seen(from, to, around);
}

void ScreenCanvas::rect(Box box, Color fill, float radius) {
  Box b = whole_pixels(box);
  if (!finite(b) || b.w <= 0 || b.h <= 0 || fill.a == 0 || !seen({b.x, b.y}, {b.right(), b.bottom()})) return;
  float r = std::min(radius * scale_, std::min(b.w, b.h) / 2);
  list_.AddRectFilled({b.x, b.y}, {b.right(), b.bottom()}, packed(fill), r < 0.5f ? 0.f : r);
}

void ScreenCanvas::frame(Box box, Stroke stroke, float radius) {
  Box b = whole_pixels(box);
  if (!finite(b) || b.w <= 0 || b.h <= 0 || stroke.color.a == 0 || stroke.width <= 0) return;
  if (!seen({b.x, b.y}, {b.right(), b.bottom()}, stroke.width * scale_)) return;
  // The outline is centred on the edge; an odd width moves half a pixel inwards to fall on whole pixels.
  float width = whole_width(stroke.width * scale_);
  float inset = static_cast<int>(width) % 2 ? 0.5f : 0.f;
  Box o = {b.x + inset, b.y + inset, std::max(0.f, b.w - 2 * inset), std::max(0.f, b.h - 2 * inset)};
  float r = std::min(radius * scale_, std::min(o.w, o.h) / 2);
  if (r < 0.5f && stroke.dash <= 0) {  // four bars, so that the corners are not blurred
    float h = width / 2;
    ImU32 color = packed(stroke.color);
    list_.AddRectFilled({o.x - h, o.y - h}, {o.right() + h, o.y + h}, color);
    list_.AddRectFilled({o.x - h, o.bottom() - h}, {o.right() + h, o.bottom() + h}, color);
    list_.AddRectFilled({o.x - h, o.y + h}, {o.x + h, o.bottom() - h}, color);
    list_.AddRectFilled({o.right() - h, o.y + h}, {o.right() + h, o.bottom() - h}, color);
    return;
  }
  list_.PathRect({o.x, o.y}, {o.right(), o.bottom()}, r < 0.5f ? 0.f : r);
  if (stroke.dash <= 0) {
    list_.PathStroke(packed(stroke.color), ImDrawFlags_Closed, width);
    return;
  }
  std::vector<ImVec2> outline(list_._Path.begin(), list_._Path.end());
  list_.PathClear();
  stroke_path(outline, stroke, true);
}

void ScreenCanvas::line(Point a, Point b, Stroke stroke) {
  ImVec2 p = pixel(a), q = pixel(b);
  if (!finite(p) || !finite(q) || stroke.color.a == 0 || stroke.width <= 0) return;
  const ImVec2 path[] = {p, q};
  if (!seen(path, stroke.width * scale_)) return;
  if (p.x == q.x || p.y == q.y) {
    upright_line(p, q, stroke);
    return;
  }
  stroke_path(path, stroke, false);
}

// Draws a horizontal or vertical line on whole pixels.
void ScreenCanvas::upright_line(ImVec2 a, ImVec2 b, Stroke stroke) {
  bool level = a.y == b.y;
  float width = whole_width(stroke.width * scale_);
  float across = level ? a.y : a.x;
  float near =
      static_cast<int>(width) % 2 ? std::floor(across) - (width - 1) / 2 : std::round(across) - width / 2;
  float from = level ? std::min(a.x, b.x) : std::min(a.y, b.y),
        to = level ? std::max(a.x, b.x) : std::max(a.y, b.y);
  ImU32 color = stroke.width * scale_ < 1 ? pen(stroke, scale_).color : packed(stroke.color);
  float dash = stroke.dash * scale_;
  float step = dash > 0 ? 2 * std::max(1.f, dash) : to - from;
  if (dash > 0) {  // only the visible dashes: a line may be longer than any screen
    const float low = level ? list_.GetClipRectMin().x : list_.GetClipRectMin().y,
                high = level ? list_.GetClipRectMax().x : list_.GetClipRectMax().y;
    if (from < low) from += std::floor((low - from) / step) * step;
    to = std::min(to, high);
  }
  for (float at = from; at < to && step > 0; at += step) {
    float begin = std::round(at), end = std::round(std::min(to, dash > 0 ? at + dash : to));
    if (end <= begin) continue;
    if (level)
      list_.AddRectFilled({begin, near}, {end, near + width}, color);
    else
      list_.AddRectFilled({near, begin}, {near + width, end}, color);
  }
}

void ScreenCanvas::polyline(std::span<const Point> points, Stroke stroke) {
  if (stroke.color.a == 0 || stroke.width <= 0) return;
  path_.clear();
  auto flush = [&] {
    if (path_.size() >= 2 && seen(path_, stroke.width * scale_)) stroke_path(path_, stroke, false);
    path_.clear();
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    ImVec2 p = pixel(points[i]);
    if (!finite(p)) {
      flush();
      continue;
    }
    // Points closer than a quarter of a pixel only cost time; the last one is kept.
    if (!path_.empty() && i + 1 < points.size() && std::abs(p.x - path_.back().x) < 0.25f &&
        std::abs(p.y - path_.back().y) < 0.25f)
      continue;
    path_.push_back(p);
  }
  flush();
}

void ScreenCanvas::stroke_path(std::span<const ImVec2> path, Stroke stroke, bool closed) {
  Pen p = pen(stroke, scale_);
  float dash = stroke.dash * scale_;
  if (dash <= 0) {
    if (closed && path.size() <= longest_run) {
      list_.AddPolyline(path.data(), static_cast<int>(path.size()), p.color, ImDrawFlags_Closed, p.width);
      return;
    }
    for (std::size_t begin = 0; begin + 1 < path.size(); begin += longest_run - 1) {
      std::size_t count = std::min(longest_run, path.size() - begin);
      list_.AddPolyline(path.data() + begin, static_cast<int>(count), p.color, ImDrawFlags_None, p.width);
    }
    return;
  }
  dash = std::max(dash, 1.f);
  float whole = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) whole += distance(path[i], path[i + 1]);
  if (!(whole < most_dashes * dash)) return stroke_path(path, {stroke.color, stroke.width}, closed);
  // Walks along the path; `left` is what remains of the dash or gap.
  bool drawing = true;
  float left = dash;
  dash_.assign(1, path.empty() ? ImVec2{} : path[0]);
  auto end_dash = [&] {
    if (drawing && dash_.size() >= 2)
      list_.AddPolyline(dash_.data(), static_cast<int>(std::min(dash_.size(), longest_run)), p.color,
                        ImDrawFlags_None, p.width);
  };
  std::size_t segments = path.empty() ? 0 : path.size() - (closed ? 0 : 1);
  for (std::size_t i = 0; i < segments; ++i) {
    ImVec2 a = path[i], b = path[(i + 1) % path.size()];
    float length = distance(a, b), at = 0;
    while (length - at > left) {
      at += left;
      ImVec2 cut{a.x + (b.x - a.x) * at / length, a.y + (b.y - a.y) * at / length};
      if (drawing) dash_.push_back(cut);
      end_dash();
      drawing = !drawing;
      dash_.assign(1, cut);
      left = dash;
    }
    left -= length - at;
    if (drawing) dash_.push_back(b);
  }
  end_dash();
}

void ScreenCanvas::polygon(std::span<const Point> convex, Color fill) {
  if (convex.size() < 3 || fill.a == 0) return;
  path_.clear();
  for (Point point : convex) {
    ImVec2 p = pixel(point);
    if (!finite(p)) return;
    path_.push_back(p);
  }
  if (!seen(path_)) return;
  // ImGui's soft edge lies outside only when the corners run clockwise.
  if (twice_area(path_) < 0) std::reverse(path_.begin(), path_.end());
  list_.AddConvexPolyFilled(path_.data(), static_cast<int>(std::min(path_.size(), longest_run)),
                            packed(fill));
}

void ScreenCanvas::curve(Point a, Point control_a, Point control_b, Point b, Stroke stroke) {
  ImVec2 p[4] = {pixel(a), pixel(control_a), pixel(control_b), pixel(b)};
  if (!std::all_of(p, p + 4, [](ImVec2 v) { return finite(v); }) || stroke.color.a == 0 || stroke.width <= 0)
    return;
  if (!seen(p, stroke.width * scale_)) return;  // the curve stays within its four points
  // Chords of n equal steps stay within (0.75 / n²) · the larger second difference of the curve.
  const float bend_a = std::hypot(p[0].x - 2 * p[1].x + p[2].x, p[0].y - 2 * p[1].y + p[2].y);
  const float bend_b = std::hypot(p[1].x - 2 * p[2].x + p[3].x, p[1].y - 2 * p[2].y + p[3].y);
  const float steps = std::ceil(std::sqrt(0.75f * std::max(bend_a, bend_b) / most_off_curve));
  const int n = static_cast<int>(std::clamp(steps, 1.f, 200.f));
  path_.clear();
  for (int i = 0; i <= n; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(n), u = 1 - t;
    const float w0 = u * u * u, w1 = 3 * u * u * t, w2 = 3 * u * t * t, w3 = t * t * t;
    path_.push_back({w0 * p[0].x + w1 * p[1].x + w2 * p[2].x + w3 * p[3].x,
                     w0 * p[0].y + w1 * p[1].y + w2 * p[2].y + w3 * p[3].y});
  }
  stroke_path(path_, stroke, false);
}

void ScreenCanvas::circle(Point centre, float radius, Color fill) {
  ImVec2 c = pixel(centre);
  float r = radius * scale_;
  if (!finite(c) || !(r > 0) || fill.a == 0 || !seen(c, c, r)) return;
  list_.AddCircleFilled(c, r, packed(fill));
}

void ScreenCanvas::ring(Point centre, float radius, Stroke stroke) {
  ImVec2 c = pixel(centre);
  float r = radius * scale_;
  if (!finite(c) || !(r > 0) || stroke.color.a == 0 || stroke.width <= 0) return;
  if (!seen(c, c, r + stroke.width * scale_)) return;
  list_.PathArcTo(c, r, 0, 2 * std::numbers::pi_v<float>);
  path_.assign(list_._Path.begin(), list_._Path.end());
  list_.PathClear();
  if (path_.size() > 2 && distance(path_.front(), path_.back()) < 0.01f) path_.pop_back();
  stroke_path(path_, stroke, true);
}

void ScreenCanvas::sector(Point centre, float radius, float from, float to, Color fill) {
  if (!std::isfinite(from) || !std::isfinite(to)) return;
  if (from > to) std::swap(from, to);
  constexpr float turn = 2 * std::numbers::pi_v<float>;
  if (to - from >= turn) {
    circle(centre, radius, fill);
    return;
  }
  ImVec2 c = pixel(centre);
  float r = radius * scale_;
  if (!finite(c) || !(r > 0) || to <= from || fill.a == 0 || !seen(c, c, r)) return;
  // The centre comes first: ImGui's fan then starts there, which is also correct for more than half a turn.
  int segments =
      std::clamp(static_cast<int>(std::ceil((to - from) / turn * (12 + 2.2f * std::sqrt(r) * 4))), 2, 256);
  path_.assign(1, c);
  for (int i = 0; i <= segments; ++i) {
    float angle = from + (to - from) * static_cast<float>(i) / static_cast<float>(segments);
    path_.push_back({c.x + r * std::cos(angle), c.y + r * std::sin(angle)});
  }
  list_.AddConvexPolyFilled(path_.data(), static_cast<int>(path_.size()), packed(fill));
}

void ScreenCanvas::text(Point at, std::string_view words, const draw::TextStyle& style) {
  if (draw::text_in_pieces(*this, at, words, style)) return;
  ImVec2 p = pixel(at);
  float px = style.size * scale_;
  if (words.empty() || !finite(p) || !(px > 0) || style.color.a == 0) return;
  // Out of sight, for any width: no glyph is further from the point.
  const float reach = 3 * px, far = std::numeric_limits<float>::max() / 4;
  const bool upwards = style.turn == draw::upwards;
  if ((upwards && !seen({p.x - reach, -far}, {p.x + reach, far})) ||
      (style.turn == 0 && !seen({-far, p.y - reach}, {far, p.y + reach})))
    return;
  float back = 0;  // from the point to the start of the pen, against the reading direction
  if (style.align != draw::Align::left) {
    float width = text_.width(words, style.font, px);
    back = style.align == draw::Align::centre ? width / 2 : width;
  }
  // From the point to the baseline: half the height of Inter's capitals (0.727 em), or its ascent.
  float down = style.valign == draw::VAlign::middle ? 0.36f * px
               : style.valign == draw::VAlign::top  ? 0.95f * px
                                                    : 0.f;
  if (style.turn != 0 && !upwards) {
    const Point pen = draw::turned({p.x, p.y}, -back, down, style.turn);
    return text_.draw_turned(list_, pen.x, pen.y, words, style.font, px, packed(style.color), style.turn);
  }
  if (upwards)  // the reading direction is up the screen, so the letters' foot is to the right
    text_.draw(list_, std::round(p.x + down), p.y + back, words, style.font, px, packed(style.color), true);
  else
    text_.draw(list_, p.x - back, std::round(p.y + down), words, style.font, px, packed(style.color));
}

float ScreenCanvas::text_width(std::string_view words, const draw::TextStyle& style) {
  if (const auto width = draw::width_in_pieces(*this, words, style)) return *width;
  return text_.width(words, style.font, style.size * scale_) / scale_;
}

void ScreenCanvas::heatmap(Box box, const draw::Heatmap& map) {
  Box b = pixels(box);
  if (finite(b) && seen({b.x, b.y}, {b.right(), b.bottom()})) heatmaps_.draw(list_, b, map, scale_);
}

void ScreenCanvas::push_clip(Box box) {
  Box b = whole_pixels(box);
  list_.PushClipRect({b.x, b.y}, {b.right(), b.bottom()}, true);
}

void ScreenCanvas::pop_clip() {
  list_.PopClipRect();
}

}  // namespace headlight::screen
