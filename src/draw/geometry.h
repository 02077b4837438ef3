// Points and boxes in logical units: y down, 1 unit = 1 pixel at interface scale 1 on an ordinary display.
#pragma once

#include <algorithm>
#include <cstdint>

namespace headlight::draw {

struct Point {
  float x = 0, y = 0;
  bool operator==(const Point&) const = default;
};

struct Box {
  float x = 0, y = 0, w = 0, h = 0;
  float right() const { return x + w; }
  float bottom() const { return y + h; }
  Point centre() const { return {x + w / 2, y + h / 2}; }
  bool has(Point p) const { return p.x >= x && p.x < x + w && p.y >= y && p.y < y + h; }
  Box inset(float by) const { return {x + by, y + by, std::max(0.f, w - 2 * by), std::max(0.f, h - 2 * by)}; }
  /// Cuts a strip off one side and keeps the rest in this box.
  Box cut_top(float height) {
    Box b{x, y, w, height};
    y += height, h = std::max(0.f, h - height);
    return b;
  }
  Box cut_bottom(float height) {
    h = std::max(0.f, h - height);
    return {x, y + h, w, height};
  }
  Box cut_left(float width) {
    Box b{x, y, width, h};
    x += width, w = std::max(0.f, w - width);
    return b;
  }
  Box cut_right(float width) {
    w = std::max(0.f, w - width);
    return {x + w, y, width, h};
  }
  bool operator==(const Box&) const = default;
};

/// A colour with straight (not premultiplied) alpha.
struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  bool operator==(const Color&) const = default;
};

constexpr Color rgb(std::uint32_t hex) {
  return {std::uint8_t(hex >> 16), std::uint8_t(hex >> 8), std::uint8_t(hex), 255};
}
constexpr Color faded(Color c, float alpha) {
  return {c.r, c.g, c.b, std::uint8_t(float(c.a) * alpha + 0.5f)};
}
constexpr Color mix(Color a, Color b, float t) {
  auto lerp = [t](std::uint8_t u, std::uint8_t v) {
    return std::uint8_t(float(u) + (float(v) - float(u)) * t + 0.5f);
  };
  return {lerp(a.r, b.r), lerp(a.g, b.g), lerp(a.b, b.b), lerp(a.a, b.a)};
}

}  // namespace headlight::draw
