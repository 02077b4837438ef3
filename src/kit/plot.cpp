#include "kit/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "draw/scripts.h"

namespace headlight::views {

namespace {

std::vector<int> ticks_by(int last, int step) {
  std::vector<int> ticks;
  for (int value = 0; value <= last; value += step) ticks.push_back(value);
  return ticks;
}

}  // namespace

std::vector<int> whole_ticks(int last, float width, float room) {
  return ticks_by(last, label_step(width / static_cast<float>(std::max(1, last)), room));
}

std::vector<int> binary_ticks(int last, float width, float room) {
  int step = 1;
  while (static_cast<float>(step) * width / static_cast<float>(std::max(1, last)) < room && step <= last)
    step *= 2;
  return ticks_by(last, step);
}

void y_grid(const Pen& pen, const Plot& plot, const std::vector<double>& values, int decimals,
            double factor) {
  const draw::TextStyle style = aligned(words_style(pen.theme.dim, small_size), Align::right);
  // No more digits than the values need: 0.5 beside 1, not 0.50.
  const auto exact = [&](int digits) {
    const double ten = std::pow(10.0, digits);
    return std::all_of(values.begin(), values.end(), [&](double value) {
      return std::abs(std::round(value * factor * ten) / ten - value * factor) < 1e-9;
    });
  };
  while (decimals > 1 && exact(decimals - 1)) --decimals;
  for (const double value : values) {
    const float y = plot.y(value);
    pen.canvas.line({plot.box.x, y}, {plot.box.right(), y}, {pen.theme.faint, 1});
    const bool whole = value == std::round(value);
    pen.canvas.text({plot.box.x - 8, y}, fixed(value * factor, whole ? 0 : decimals), style);
  }
}

void x_axis(const Pen& pen, const Plot& plot, const std::vector<int>& ticks, const std::string& name) {
  const draw::TextStyle style = aligned(words_style(pen.theme.dim, small_size), Align::centre);
  const float y = plot.box.bottom() + 12;
  for (const int tick : ticks) pen.canvas.text({plot.x(tick), y}, std::to_string(tick), style);
  if (!name.empty()) put(pen, {plot.box.centre().x, y + 16}, name, style, plot.box.w);
}

void line_labels(const Pen& pen, std::vector<LineLabel> labels, float y, float left, float right) {
  constexpr float apart = 10;
  std::stable_sort(labels.begin(), labels.end(),
                   [](const LineLabel& a, const LineLabel& b) { return a.x < b.x; });
  const auto style = [](const LineLabel& label) { return strong_style(label.color, small_size); };
  std::vector<Box> boxes;
  for (const LineLabel& label : labels) {
    const float width = pen.canvas.text_width(label.words, style(label));
    boxes.push_back({label.x - width / 2, y, width, 0});
  }
  for (std::size_t n = 1; n < boxes.size(); ++n) {  // half of the overlap to either side
    const float overlap = boxes[n - 1].right() + apart - boxes[n].x;
    if (overlap > 0) boxes[n - 1].x -= overlap / 2, boxes[n].x += overlap / 2;
  }
  for (std::size_t n = boxes.size(); n-- > 0;) {  // inside at the right, then inside at the left
    const float limit = n + 1 < boxes.size() ? boxes[n + 1].x - apart : right;
    boxes[n].x = std::min(boxes[n].x, limit - boxes[n].w);
  }
  for (std::size_t n = 0; n < boxes.size(); ++n) {
    const float limit = n > 0 ? boxes[n - 1].right() + apart : left;
    boxes[n].x = std::max(boxes[n].x, limit);
    pen.canvas.text({boxes[n].x, y}, labels[n].words, style(labels[n]));
  }
}

void play_sign(const Pen& pen, Point centre, float size, bool running, draw::Color color) {
  const float half = size / 2;
  if (running) {
    pen.canvas.rect({centre.x - half, centre.y - half, size * 0.34f, size}, color, 1);
    pen.canvas.rect({centre.x + half - size * 0.34f, centre.y - half, size * 0.34f, size}, color, 1);
    return;
  }
  const std::array<Point, 3> triangle = {Point{centre.x - half * 0.8f, centre.y - half},
                                         Point{centre.x + half, centre.y},
                                         Point{centre.x - half * 0.8f, centre.y + half}};
  pen.canvas.polygon(triangle, color);
}

float paragraph(const Pen& pen, Point top_left, float width, const std::string& words,
                const draw::TextStyle& style, int most, bool draw) {
  if (!with_hints(pen) && style.color == pen.theme.dim) return 0;  // a note
  const float pitch = text_line(pen, style.size * 1.4f);
  const draw::TextStyle measured = literal(style);  // at least as wide as with its indices
  int lines = 0;
  bool quoted = false;  // a quotation goes on from the line before
  std::string line, word, rest = words + " ";
  const auto finish = [&](const std::string& text) {
    if (draw)
      put(pen, {top_left.x, top_left.y + pitch * (static_cast<float>(lines) + 0.5f)}, text,
          quoted ? measured : style, width);
    quoted = draw::open_quotation(text, quoted);
    ++lines;
  };
  for (std::size_t at = 0; at < rest.size() && lines < most;) {
    const std::size_t blank = rest.find(' ', at);
    word = rest.substr(at, blank - at);
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && pen.canvas.text_width(longer, measured) > width) {
      if (lines + 1 == most) {  // no more lines: the rest goes here and is shortened
        finish(line + " " + rest.substr(at, rest.size() - at - 1));
        return pitch * static_cast<float>(lines);
      }
      finish(line);
      line = word;
    } else {
      line = longer;
    }
    at = blank + 1;
  }
  if (!line.empty() && lines < most) finish(line);
  return pitch * static_cast<float>(lines);
}

std::string fitting_remarks(const Pen& pen, const std::vector<std::string>& remarks, float width,
                            const draw::TextStyle& style, int lines) {
  const float high = text_line(pen, style.size * 1.4f) * (static_cast<float>(lines) + 0.5f);
  std::string out;
  for (const std::string& remark : remarks) {
    if (remark.empty() || !with_hints(pen)) continue;
    const std::string longer = out.empty() ? remark : out + " · " + remark;
    if (pen.canvas.text_width(longer, style) > width &&
        paragraph(pen, {}, width, longer, style, lines + 1, false) > high)
      break;
    out = longer;
  }
  return out;
}

int label_step(float pitch, float room) {
  if (pitch <= 0) return 1;
  constexpr float most = 1e9f;
  const float wanted = std::ceil(room / pitch);
  const int least = wanted < most ? static_cast<int>(wanted) : static_cast<int>(most);
  for (int decade = 1; decade < 1000000; decade *= 10) {
    for (int step : {1, 2, 5}) {
      if (step * decade >= least) return step * decade;
    }
  }
  return std::max(1, least);
}

float series_dash(int place) {
  static constexpr std::array<float, 4> dashes = {0, 7, 3, 12};
  return dashes[static_cast<std::size_t>(place) % dashes.size()];
}

void series_mark(const Pen& pen, Point c, draw::Color color, int place, float size) {
  const auto shape = [&](float r, draw::Color fill) {
    switch ((place + place / 4) % 4) {  // the next four have another one with each dash
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

std::string power_words(double value) {
  static constexpr std::array<const char*, 10> raised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const long power = std::lround(std::log10(value));
  std::string words = power < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(power)))
    words += raised[static_cast<std::size_t>(digit - '0')];
  return words;
}

std::string power_words(double value, int decimals) {
  double power = std::pow(10.0, std::floor(std::log10(value)));
  const double unit = std::pow(10.0, decimals);
  if (std::round(value / power * unit) >= 10 * unit) power *= 10;  // 9.96 is 1.0 of the next power
  return fixed(value / power, decimals) + "·" + power_words(power);
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
              bool ours, int place) {
  std::vector<Point> points;
  for (const Point v : values) points.push_back(plot.at(static_cast<double>(v.x), static_cast<double>(v.y)));
  for (std::size_t i = 1; i < points.size(); ++i) {
    pen.canvas.line(points[i - 1], points[i], {color, ours ? 2.f : 1.5f, ours ? series_dash(place) : 4.f});
  }
  for (const Point p : points) {
    if (ours) {
      series_mark(pen, p, color, place);
      continue;
    }
    pen.canvas.circle(p, 4, pen.theme.panel);
    pen.canvas.ring(p, 3.5f, {color, 1.5f});
  }
}

void legend_lines(const Pen& pen, Box& box, const std::vector<LegendEntry>& entries) {
  constexpr float pitch = 17, apart = 12;
  const auto width = [&](const LegendEntry& e) {
    if (e.place >= 0) return series_legend_width(pen, e.words);
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
    } else if (entries[i].color.a > 0) {
      legend(pen, at, entries[i].color, entries[i].words);
    } else {
      put(pen, at, entries[i].words, words_style(pen.theme.dim, small_size), lines.right() - at.x);
    }
  }
}

}  // namespace headlight::views
