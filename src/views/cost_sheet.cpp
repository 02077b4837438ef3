#include "views/cost_sheet.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "views/position_view.h"

namespace headlight::views {

using draw::Align;
using draw::Box;
using draw::Point;

draw::Color layer_color(const draw::Theme& theme, nn::Architecture architecture) {
  switch (architecture) {
    case nn::Architecture::self_attention:
      return draw::series(theme, 0);
    case nn::Architecture::recurrence:
      return draw::series(theme, 4);
    case nn::Architecture::convolution:
    case nn::Architecture::dilated_convolution:
      return draw::series(theme, 6);
    case nn::Architecture::linear_attention:
      return draw::series(theme, 2);
  }
  return theme.text;
}

draw::Color tiled_color(const draw::Theme& theme) {
  return draw::series(theme, 5);
}

float LogPlot::x(double value) const {
  const double part = std::log(value / from_x) / std::log(to_x / from_x);
  return box.x + box.w * static_cast<float>(std::clamp(part, 0.0, 1.0));
}

float LogPlot::y(double value) const {
  if (!(value > 0)) return box.bottom();
  const double part = std::log(value / from_y) / std::log(to_y / from_y);
  return box.bottom() - box.h * static_cast<float>(std::clamp(part, 0.0, 1.0));
}

void log_x_axis(const Pen& pen, const LogPlot& plot, const std::string& name) {
  const draw::TextStyle style = aligned(words_style(pen.theme.dim, small_size), Align::centre);
  const float y = plot.box.bottom() + 12;
  float free_from = -1e9f;
  for (double value = plot.from_x; value <= plot.to_x * 1.001; value *= 2) {
    const float x = plot.x(value);
    pen.canvas.line({x, plot.box.bottom()}, {x, plot.box.bottom() + 3}, {pen.theme.faint, 1});
    const std::string words = value >= 1024 ? fixed(value / 1024, 0) + "k" : fixed(value, 0);
    const float half = pen.canvas.text_width(words, style) / 2;
    if (x - half < free_from + 6) continue;
    pen.canvas.text({x, y}, words, style);
    free_from = x + half;
  }
  put(pen, {plot.box.centre().x, y + 16}, name, style, plot.box.w);
}

void log_y_grid(const Pen& pen, const LogPlot& plot, const std::vector<LogTick>& ticks) {
  const draw::TextStyle style = aligned(words_style(pen.theme.dim, small_size), Align::right);
  float free_below = 1e9f;
  for (const LogTick& tick : ticks) {
    const float y = plot.y(tick.value);
    pen.canvas.line({plot.box.x, y}, {plot.box.right(), y}, {pen.theme.faint, 1});
    if (y > free_below - 15) continue;
    put(pen, {plot.box.x - 7, y}, tick.words, style);
    free_below = y;
  }
}

void log_line(const Pen& pen, const LogPlot& plot, const std::vector<Point>& values, draw::Color color,
              bool ours) {
  std::vector<Point> points;
  for (const Point v : values) points.push_back(plot.at(static_cast<double>(v.x), static_cast<double>(v.y)));
  for (std::size_t i = 1; i < points.size(); ++i) {
    pen.canvas.line(points[i - 1], points[i], {color, ours ? 2.f : 1.5f, ours ? 0.f : 4.f});
  }
  for (const Point p : points) {
    pen.canvas.circle(p, 4, ours ? color : pen.theme.panel);
    if (!ours) pen.canvas.ring(p, 3.5f, {color, 1.5f});
  }
}

void legend_lines(const Pen& pen, Box& box, const std::vector<LegendEntry>& entries) {
  constexpr float pitch = 17, apart = 12;
  const auto width = [&](const LegendEntry& e) {
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
    if (entries[i].color.a > 0) {
      legend(pen, at, entries[i].color, entries[i].words);
    } else {
      put(pen, at, entries[i].words, words_style(pen.theme.dim, small_size), lines.right() - at.x);
    }
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

std::string byte_words(double bytes) {
  static constexpr std::array<const char*, 7> units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) bytes /= 1024, ++unit;
  const bool whole = bytes == std::floor(bytes);
  return fixed(bytes, whole || bytes >= 100 ? 0 : bytes >= 10 ? 1 : 2) + " " + units[unit];
}

std::string ms_words(double ms) {
  return fixed(ms, ms < 0.1 ? 3 : ms < 10 ? 2 : ms < 100 ? 1 : 0);
}

float put_number(const Pen& pen, Point at, double value, const draw::TextStyle& style, float width) {
  const std::string whole = with_commas(static_cast<long long>(value));
  draw::TextStyle smaller = style;
  for (; smaller.size >= small_size; smaller.size -= 0.5f) {
    if (pen.canvas.text_width(whole, smaller) <= width) return put(pen, at, whole, smaller, width);
  }
  static constexpr std::array<const char*, 10> raised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  // 0.002 more: what would be written as 10.00 is the next power's 1.00.
  const int power = static_cast<int>(std::floor(std::log10(value) + 0.002));
  std::string words = fixed(value / std::pow(10.0, power), 2) + "·10";
  for (const char digit : std::to_string(power)) words += raised[static_cast<std::size_t>(digit - '0')];
  smaller.size = small_size;
  return put(pen, at, words, smaller, width);
}

void table_row(const Pen& pen, Point left, const std::vector<TableColumn>& columns,
               const std::vector<std::string>& cells, const draw::TextStyle& style) {
  for (std::size_t c = 0; c < columns.size() && c < cells.size(); ++c) {
    put(pen, {left.x + columns[c].right, left.y}, cells[c], aligned(style, Align::right), columns[c].width);
  }
}

}  // namespace headlight::views
