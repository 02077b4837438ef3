#include "kit/beam.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight::views {

using draw::Canvas;

namespace {

constexpr int least_slices = 24, most_slices = 96;
constexpr std::size_t halo_slices = 48;  // pale shapes hide coarser steps
constexpr float overlap = 0.7f;
constexpr float pi_half = 1.57079633f;

Point cubic(Point a, Point b, Point c, Point d, float t) {
  const float u = 1 - t, w0 = u * u * u, w1 = 3 * u * u * t, w2 = 3 * u * t * t, w3 = t * t * t;
  return {w0 * a.x + w1 * b.x + w2 * c.x + w3 * d.x, w0 * a.y + w1 * b.y + w2 * c.y + w3 * d.y};
}

float apart(Point a, Point b) {
  return std::hypot(b.x - a.x, b.y - a.y);
}

/// A cut through the path: its point, the direction there, and its fraction of the length.
struct Cut {
  Point at, direction;
  float part = 0;
  /// The widest that each side may be. Beyond the centre of a bend, the light of its slices would overlap.
  std::array<float, 2> most{1e9f, 1e9f};
};

std::vector<Cut> cuts_of(std::span<const Point> path, std::size_t most) {
  std::vector<Cut> out;
  for (const Point p : path) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return {};
    if (out.empty() || apart(out.back().at, p) > 1e-4f) out.push_back({p, {}, 0});
  }
  if (out.size() < 2) return {};
  for (std::size_t i = 1; i < out.size(); ++i)
    out[i].part = out[i - 1].part + apart(out[i - 1].at, out[i].at);
  const float whole = out.back().part;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Point before = out[i == 0 ? 0 : i - 1].at, after = out[std::min(i + 1, out.size() - 1)].at;
    const float length = std::max(apart(before, after), 1e-6f);
    out[i].direction = {(after.x - before.x) / length, (after.y - before.y) / length};
    out[i].part /= whole;
  }
  // At an end the direction continues the bend instead of the outermost chord, so that an arc ends at a right
  // angle to its tangent.
  const auto onwards = [&](Cut& end, const Cut& near, const Cut& far, float way) {
    const Point d{1.5f * (near.at.x - end.at.x) - 0.5f * (far.at.x - near.at.x),
                  1.5f * (near.at.y - end.at.y) - 0.5f * (far.at.y - near.at.y)};
    if (const float length = std::hypot(d.x, d.y); length > 1e-4f)
      end.direction = {way * d.x / length, way * d.y / length};
  };
  if (const std::size_t n = out.size(); n >= 3) {
    onwards(out[0], out[1], out[2], 1);
    onwards(out[n - 1], out[n - 2], out[n - 3], -1);
  }
  const std::size_t every = (out.size() - 2) / most + 1;
  if (every == 1) return out;
  std::vector<Cut> fewer;
  for (std::size_t i = 0; i + 1 < out.size(); i += every) fewer.push_back(out[i]);
  fewer.push_back(out.back());
  return fewer;
}

/// Moves the cuts between the two ends by `part` (0 … 1) of the way to the next one.
std::vector<Cut> moved(const std::vector<Cut>& cuts, float part) {
  std::vector<Cut> out{cuts.front()};
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const Cut &a = cuts[i], &b = cuts[i + 1];
    const auto mixed = [&](float from, float to) { return from + (to - from) * part; };
    Point direction{mixed(a.direction.x, b.direction.x), mixed(a.direction.y, b.direction.y)};
    const float length = std::hypot(direction.x, direction.y);
    if (!(length > 1e-4f)) continue;  // the path turns back here
    direction = {direction.x / length, direction.y / length};
    out.push_back({{mixed(a.at.x, b.at.x), mixed(a.at.y, b.at.y)},
                   direction,
                   mixed(a.part, b.part),
                   {mixed(a.most[0], b.most[0]), mixed(a.most[1], b.most[1])}});
  }
  out.push_back(cuts.back());
  return out;
}

/// Limits the inner side of each cut to the radius of the bend.
void limit_to_bend(std::vector<Cut>& cuts) {
  for (std::size_t i = 1; i + 1 < cuts.size(); ++i) {
    const Point a = cuts[i - 1].at, b = cuts[i].at, c = cuts[i + 1].at;
    const float turn = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
    const float bend = 2 * turn / std::max(apart(a, b) * apart(b, c) * apart(a, c), 1e-6f);
    if (std::abs(bend) > 1e-6f) cuts[i].most[bend > 0 ? 0 : 1] = 1 / std::abs(bend);
  }
  if (cuts.size() < 3) return;
  cuts.front().most = cuts[1].most;
  cuts.back().most = cuts[cuts.size() - 2].most;
}

/// The two sides of the beam at a cut.
std::array<Point, 2> sides(const Cut& cut, float width) {
  const float left = std::min(width / 2, cut.most[0]), right = std::min(width / 2, cut.most[1]);
  const Point n{-cut.direction.y, cut.direction.x};
  return {Point{cut.at.x + n.x * left, cut.at.y + n.y * left},
          Point{cut.at.x - n.x * right, cut.at.y - n.y * right}};
}

/// Draws half a disc at an end. It bulges against (`out` −1) or along (+1) the direction there.
void draw_cap(Canvas& canvas, const Cut& cut, float width, float out, Color color) {
  if (!(width > 0)) return;
  const int steps = std::clamp(static_cast<int>(std::sqrt(width) * 4), 6, 40);
  const float middle = std::atan2(cut.direction.y * out, cut.direction.x * out);
  std::vector<Point> points;
  for (int i = 0; i <= steps; ++i) {
    const float angle = middle + (2 * static_cast<float>(i) / static_cast<float>(steps) - 1) * pi_half;
    points.push_back({cut.at.x + std::cos(angle) * width / 2, cut.at.y + std::sin(angle) * width / 2});
  }
  canvas.polygon(points, color);
}

/// Draws a slice from `from` to `to`, extended by `more`. In a bend that is tighter than the beam is wide,
/// the inner side would run backwards. It then stays in place, so that the slice remains convex.
void draw_slice(Canvas& canvas, const Cut& from, const Cut& to, std::array<float, 2> widths, float more,
                Color color) {
  const std::array<Point, 2> a = sides(from, widths[0]);
  std::array<Point, 2> b = sides(to, widths[1]);
  std::array<bool, 2> stays{};
  for (std::size_t side = 0; side < 2; ++side) {
    const float ahead =
        (b[side].x - a[side].x) * (to.at.x - from.at.x) + (b[side].y - a[side].y) * (to.at.y - from.at.y);
    stays[side] = ahead <= 0;
    b[side].x += to.direction.x * more, b[side].y += to.direction.y * more;
  }
  if (stays[0] && stays[1]) return;
  if (stays[0]) {
    canvas.polygon(std::array<Point, 3>{a[0], b[1], a[1]}, color);
  } else if (stays[1]) {
    canvas.polygon(std::array<Point, 3>{a[0], b[0], a[1]}, color);
  } else {
    canvas.polygon(std::array<Point, 4>{a[0], b[0], b[1], a[1]}, color);
  }
}

float between(float a, float b, float part) {
  return a + (b - a) * part;
}

void draw_cuts(Canvas& canvas, const std::vector<Cut>& cuts, const Beam& beam, float wider, float more) {
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const std::array<float, 2> widths{between(beam.width_a, beam.width_b, cuts[i].part) + wider,
                                      between(beam.width_a, beam.width_b, cuts[i + 1].part) + wider};
    const Color color = draw::mix(beam.a, beam.b, (cuts[i].part + cuts[i + 1].part) / 2);
    draw_slice(canvas, cuts[i], cuts[i + 1], widths, i + 2 < cuts.size() ? more : 0, color);
  }
  if (beam.round_a) draw_cap(canvas, cuts.front(), beam.width_a + wider, -1, beam.a);
  if (beam.round_b) draw_cap(canvas, cuts.back(), beam.width_b + wider, 1, beam.b);
}

}  // namespace

std::vector<Point> cubic_path(Point a, Point control_a, Point control_b, Point b, float off) {
  // Chords of n equal steps stay within (0.75 / n²) · the larger second difference of the curve.
  const float bend_a = std::hypot(a.x - 2 * control_a.x + control_b.x, a.y - 2 * control_a.y + control_b.y);
  const float bend_b = std::hypot(control_a.x - 2 * control_b.x + b.x, control_a.y - 2 * control_b.y + b.y);
  const float steps = std::ceil(std::sqrt(0.75f * std::max(bend_a, bend_b) / std::max(off, 1e-3f)));
  // Not std::clamp: a path that contains NaN gets the fewest steps.
  const int n = steps > least_slices ? static_cast<int>(std::min(steps, float(most_slices))) : least_slices;
  std::vector<Point> out;
  for (int i = 0; i <= n; ++i)
    out.push_back(cubic(a, control_a, control_b, b, static_cast<float>(i) / static_cast<float>(n)));
  return out;
}

std::vector<Point> arc_path(Point centre, float across, float up, float from, float to) {
  constexpr float off = 0.1f;
  const float radius = std::max({std::abs(across), std::abs(up), 1.f});
  const float step = 2 * std::acos(1 - std::min(off / radius, 1.f));
  const float steps = std::ceil(std::abs(to - from) / step);
  const int n = steps > least_slices ? static_cast<int>(std::min(steps, float(most_slices))) : least_slices;
  std::vector<Point> out;
  for (int i = 0; i <= n; ++i) {
    const float angle = between(from, to, static_cast<float>(i) / static_cast<float>(n));
    out.push_back({centre.x + across * std::cos(angle), centre.y + up * std::sin(angle)});
  }
  return out;
}

Point along(std::span<const Point> path, float part) {
  if (path.empty()) return {};
  float whole = 0;
  for (std::size_t i = 1; i < path.size(); ++i) whole += apart(path[i - 1], path[i]);
  float left = std::clamp(part, 0.f, 1.f) * whole;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const float length = apart(path[i - 1], path[i]);
    if (length > 0 && left <= length) {
      const float t = left / length;
      return {between(path[i - 1].x, path[i].x, t), between(path[i - 1].y, path[i].y, t)};
    }
    left -= length;
  }
  return path.back();
}

void draw_beam(Canvas& canvas, std::span<const Point> path, const Beam& beam) {
  const std::vector<Cut> cuts = cuts_of(path, path.size());
  if (cuts.empty()) return;
  draw_cuts(canvas, cuts, beam, 0, overlap);
}

void draw_halo(Canvas& canvas, std::span<const Point> path, const Beam& beam, const Halo& halo) {
  std::vector<Cut> cuts = cuts_of(path, halo_slices);
  if (cuts.empty()) return;
  limit_to_bend(cuts);
  Beam light = beam;
  light.round_a = halo.round_a, light.round_b = halo.round_b;
  for (int layer = halo.layers; layer > 0; --layer) {
    // A pale layer changes a pixel by one or two of 255 steps. Identical layers would all be rounded in the
    // same way, and the light would show bands. So the layers differ slightly in opacity and in where their
    // colours change.
    const float turn = static_cast<float>(layer) * 0.618034f, part = turn - std::floor(turn) - 0.5f;
    const float opacity = halo.opacity * (halo.layers > 6 ? 1 + 0.7f * part : 1.f),
                shift = halo.layers > 6 ? 0.2f * part : 0.f;
    light.a = draw::faded(draw::mix(beam.a, beam.b, std::max(shift, 0.f)), opacity);
    light.b = draw::faded(draw::mix(beam.a, beam.b, 1 + std::min(shift, 0.f)), opacity);
    // Where two slices meet, a pixel is rounded twice. The layers are cut in different places, so that these
    // differences do not add up to rays.
    const std::vector<Cut> here = halo.layers > 6 ? moved(cuts, 0.5f + 0.9f * part) : cuts;
    draw_cuts(canvas, here, light, 2 * halo.step * static_cast<float>(layer), 0);
  }
}

}  // namespace headlight::views
