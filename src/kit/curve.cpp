#include "kit/curve.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "draw/colormap.h"

namespace headlight::views {

float series_dash(int place) {
  static constexpr std::array<float, 4> dashes = {0, 7, 3, 12};
  return dashes[static_cast<std::size_t>(place) % dashes.size()];
}

void series_mark(const Pen& pen, Point c, draw::Color color, int place, float size) {
  const auto shape = [&](float r, draw::Color fill) {
    switch ((place + place / 4) % 4) {  // the second four pair each dash with another mark
      case 0:
        return pen.canvas.circle(c, r, fill);
      case 1:
        return pen.canvas.rect({c.x - r * 0.9f, c.y - r * 0.9f, r * 1.8f, r * 1.8f}, fill, 0);
      case 2: {
        const std::array<Point, 3> up = {Point{c.x, c.y - r * 1.15f}, Point{c.x + r * 1.1f, c.y + r * 0.8f},
                                         Point{c.x - r * 1.1f, c.y + r * 0.8f}};
        return pen.canvas.polygon(up, fill);
      }
      default: {
        const std::array<Point, 4> diamond = {Point{c.x, c.y - r * 1.2f}, Point{c.x + r * 1.2f, c.y},
                                              Point{c.x, c.y + r * 1.2f}, Point{c.x - r * 1.2f, c.y}};
        return pen.canvas.polygon(diamond, fill);
      }
    }
  };
  shape(size + 1.5f, pen.theme.panel);
  shape(size, color);
}

float series_legend_width(const Pen& pen, const std::string& words) {
  return series_swatch + 6 + pen.canvas.text_width(words, words_style({}, small_size));
}

float series_legend(const Pen& pen, Point at, draw::Color color, int place, const std::string& words) {
  pen.canvas.line(at, {at.x + series_swatch, at.y}, {color, 2, series_dash(place)});
  series_mark(pen, {at.x + series_swatch / 2, at.y}, color, place);
  pen.canvas.text({at.x + series_swatch + 6, at.y}, words, words_style(pen.theme.dim, small_size));
  return series_legend_width(pen, words);
}

void legend_lines(const Pen& pen, Box& box, const std::vector<LegendEntry>& entries) {
  constexpr float pitch = 17, apart = 12;
  constexpr int rings = -2;
  const auto width = [&](const LegendEntry& e) {
    if (e.place >= 0 || e.place == rings) return series_legend_width(pen, e.words);
    return legend_width(pen, e.words) - (e.color.a > 0 ? 0 : 16);
  };
  std::vector<Point> places;
  float x = 0, y = 0;
  for (const LegendEntry& entry : entries) {
    if (x > 0 && x + width(entry) > box.w) x = 0, y += pitch;
    places.push_back({x, y});
    x += width(entry) + apart;
  }
  const Box lines = box.cut_bottom(y + pitch);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Point at{lines.x + places[i].x, lines.y + places[i].y + pitch / 2};
    if (entries[i].place >= 0) {
      series_legend(pen, at, entries[i].color, entries[i].place, entries[i].words);
    } else if (entries[i].place == rings) {
      constexpr float wide = 28, radius = 3.5f;
      const draw::Stroke stroke{draw::faded(entries[i].color, 0.7f), 1.5f, 4};
      pen.canvas.line(at, {at.x + wide / 2 - radius, at.y}, stroke);
      pen.canvas.line({at.x + wide / 2 + radius, at.y}, {at.x + wide, at.y}, stroke);
      pen.canvas.ring({at.x + wide / 2, at.y}, radius, {stroke.color, 1.5f});
      put(pen, {at.x + wide + 6, at.y}, entries[i].words, words_style(pen.theme.dim, small_size),
          lines.right() - at.x - wide - 6);
    } else if (entries[i].color.a > 0) {
      legend(pen, at, entries[i].color, entries[i].words);
    } else {
      put(pen, at, entries[i].words, words_style(pen.theme.dim, small_size), lines.right() - at.x);
    }
  }
}

CurveStyle series_style(draw::Color color, int place, float size) {
  CurveStyle style;
  style.color = color, style.dash = series_dash(place);
  style.mark = PointMark::series, style.place = place, style.size = size;
  return style;
}

namespace {

void point_mark(const Pen& pen, Point at, const CurveStyle& style) {
  switch (style.mark) {
    case PointMark::none:
      return;
    case PointMark::series:
      return series_mark(pen, at, style.color, style.place, style.size);
    case PointMark::dot:
      return pen.canvas.circle(at, style.size, style.color);
    case PointMark::ring:
      pen.canvas.circle(at, style.size, pen.theme.panel);
      return pen.canvas.ring(at, style.size - 0.5f, {style.color, 1.5f});
  }
}

}  // namespace

void curve(const Pen& pen, const Plot& plot, std::span<const PlotPoint> points, const CurveStyle& style) {
  std::vector<Point> piece;
  const auto flush = [&] {
    if (style.width > 0 && piece.size() > 1)
      pen.canvas.polyline(piece, {style.color, style.width, style.dash});
    for (const Point at : piece) point_mark(pen, at, style);
    piece.clear();
  };
  for (const PlotPoint& value : points) {
    if (!std::isfinite(value.y)) {
      flush();
      if (style.lost_marked)
        pen.canvas.circle({plot.x(value.x), plot.box.y}, std::min(style.size, 3.2f), draw::nan_color);
      continue;
    }
    Point at = plot.at(value.x, value.y);
    // Far outside, the line is clipped anyway, but dashes would be computed along all of it.
    at.y = std::clamp(at.y, plot.box.y - plot.box.h, plot.box.bottom() + plot.box.h);
    piece.push_back(at);
  }
  flush();
}

void column_marks(const Pen& pen, Box area, std::size_t count,
                  const std::function<Mark(std::size_t)>& mark_of) {
  const float pitch = area.w / static_cast<float>(std::max<std::size_t>(1, count - 1));
  for (std::size_t i = 0; i < count; ++i) {
    Mark mark = mark_of(i);
    const float left = std::max(area.x, area.x + (static_cast<float>(i) - 0.5f) * pitch);
    const float right = std::min(area.right(), area.x + (static_cast<float>(i) + 0.5f) * pitch);
    mark.area = {left, area.y, std::max(1.f, right - left), area.h};
    pen.canvas.mark(mark);
    pen.canvas.mark({});
  }
}

}  // namespace headlight::views
