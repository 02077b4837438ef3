#include "pictures/first_start_light.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>

#include "kit/beam.h"

namespace headlight::app {

using draw::Color;
using draw::Point;
using views::Pen;

namespace {

float eased(float part) {
  const float rest = 1 - part;
  return 1 - rest * rest * rest;
}

constexpr int halo_layers = 18;

bool to_itself(const BeamPlace& place) {
  return std::hypot(place.key.x - place.query.x, place.key.y - place.query.y) < 1;
}

/// Returns so many points at equal distances along the path.
std::vector<Point> even(std::span<const Point> path, std::size_t count) {
  std::vector<Point> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(views::along(path, static_cast<float>(i) / static_cast<float>(count - 1)));
  return out;
}

/// Returns the path while it moves from one to the other.
std::vector<Point> mixed(std::span<const Point> from, std::span<const Point> to, float part) {
  if (from.empty() || to.empty()) return {to.begin(), to.end()};
  constexpr std::size_t count = 97;
  const std::vector<Point> before = even(from, count);
  std::vector<Point> out = even(to, count);
  for (std::size_t i = 0; i < count; ++i)
    out[i] = {before[i].x + (out[i].x - before[i].x) * part, before[i].y + (out[i].y - before[i].y) * part};
  return out;
}

}  // namespace

BeamPlace between(const BeamPlace& from, const BeamPlace& to, float part) {
  if (!from.there || !to.there || part >= 1) return to;
  const float t = eased(part);
  const auto mix = [t](float a, float b) { return a + (b - a) * t; };
  return {{mix(from.query.x, to.query.x), mix(from.query.y, to.query.y)},
          {mix(from.key.x, to.key.x), mix(from.key.y, to.key.y)},
          mix(from.query_width, to.query_width),
          mix(from.key_width, to.key_width),
          mix(from.weight, to.weight),
          true,
          mixed(from.path, to.path, t)};
}

BeamCurve beam_curve(const BeamPlace& place, float height, float reach) {
  Point a = place.query, b = place.key;
  const float apart = std::hypot(b.x - a.x, b.y - a.y);
  if (to_itself(place)) {
    const float half = std::min(std::max(place.query_width / 2, 0.035f * reach), height / 3 + 10);
    // A loop that leaves the word and returns to it, so that its ends meet.
    const float up = std::min(height, 3.2f * half), wide = 2.2f * half;
    return {a, {a.x - wide, a.y - up}, {b.x + wide, b.y - up}, b, true};
  }
  // Short curves are lower, so that they are inside longer ones.
  const float up = height * std::min(1.f, 0.3f + 0.7f * apart / reach) / 0.75f;
  const float top = std::min(a.y, b.y) - up;
  return {a, {a.x, top}, {b.x, top}, b};
}

std::vector<Point> path_of(const BeamPlace& place, const BeamRoute& route, float radius) {
  const Point a = place.query, b = place.key;
  if (!route.around) return views::cubic_path(a, {a.x, route.from}, {b.x, route.to}, b);
  const Point corners[] = {
      a, {a.x, route.from}, {route.side, route.from}, {route.side, route.to}, {b.x, route.to}, b};
  std::vector<Point> out{a};
  for (std::size_t i = 1; i + 1 < std::size(corners); ++i) {
    const Point before = corners[i - 1], corner = corners[i], after = corners[i + 1];
    const auto towards = [&](Point end) {
      const float length = std::hypot(end.x - corner.x, end.y - corner.y);
      const float part = length > 0 ? std::min(radius, length / 2) / length : 0;
      return Point{corner.x + (end.x - corner.x) * part, corner.y + (end.y - corner.y) * part};
    };
    const Point in = towards(before), from = towards(after);
    const auto bend = views::cubic_path(in, corner, corner, from);
    out.insert(out.end(), bend.begin(), bend.end());
  }
  out.push_back(b);
  constexpr std::size_t count = 161;
  return even(out, count);
}

// Colours are opaque, since each translucent layer would change a pixel by less than one step of eight bits,
// and hues would drift.
void draw_layer(const Pen& pen, const Light& light, float wider, float opacity) {
  const Color ground = pen.theme.window;
  const std::size_t end = light.path.size() - 1, half = end / 2;
  const auto part = [&](std::size_t i) { return static_cast<float>(i) / static_cast<float>(end); };
  const auto width = [&](std::size_t i) {
    return light.narrow + (light.wide - light.narrow) * part(i) + 2 * wider;
  };
  const auto color = [&](std::size_t i) {
    const float at = 2 * part(i);
    const Color lit =
        at < 1 ? draw::mix(light.query, light.glow, at) : draw::mix(light.glow, light.key, at - 1);
    return opacity < 1 ? draw::mix(ground, lit, opacity) : lit;
  };
  pen.canvas.circle(light.path.front(), width(0) / 2, color(0));
  pen.canvas.circle(light.path[light.last], width(light.last) / 2, color(light.last));
  // The second half is drawn first, so that the first half covers the seam.
  for (const auto& [from, to] :
       {std::pair{half, light.last}, std::pair{std::size_t(0), std::min(half + 1, light.last)}}) {
    if (to <= from + 1) continue;
    views::draw_beam(pen.canvas, std::span(light.path).subspan(from, to - from + 1),
                     {.width_a = width(from), .width_b = width(to), .a = color(from), .b = color(to)});
  }
}

void draw_halo(const Pen& pen, const Light& light, float reach) {
  const float most = pen.theme.dark ? 0.24f : 0.17f;
  for (int i = halo_layers; i > 0; --i) {
    const float away = static_cast<float>(i) / halo_layers;
    draw_layer(pen, light, reach * away, most * (1 - away) * (1 - away) + 0.008f);
  }
}

float wide_end(float weight, float thick) {
  return std::max(2.5f, (6 + 20 * weight) * thick);
}

Light light_of(const draw::Theme& t, const BeamPlace& place, float thick, float drawn) {
  Light light{.path = place.path};
  if (to_itself(place)) thick *= 0.6f;
  light.narrow = std::max(2.f, 6 * thick), light.wide = wide_end(place.weight, thick);
  light.query = t.query;
  light.glow = draw::color_of(t, draw::Colormap::weight, t.dark ? 0.74f : 0.6f, 0, 1);
  light.key = draw::color_of(t, draw::Colormap::weight, 0.95f, 0, 1);
  const auto end = static_cast<float>(light.path.size() - 1);
  light.last = std::max<std::size_t>(2, static_cast<std::size_t>(std::lround(eased(drawn) * end)));
  return light;
}

}  // namespace headlight::app
