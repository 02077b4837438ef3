#include "kit/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

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

std::vector<Tick> round_ticks(double top, float wanted) {
  const double raw = top / std::max(1.0, static_cast<double>(wanted));
  const double decade = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * decade;
  for (const double part : {5.0, 2.5, 2.0, 1.0}) {
    if (raw <= part * decade * (1 + 1e-9)) step = part * decade;
  }
  int decimals = 0;
  for (double s = step; decimals < 8 && std::abs(s - std::round(s)) > 1e-6; s *= 10) ++decimals;
  constexpr int most = 20;
  std::vector<Tick> ticks;
  for (int n = 0; n < most && n * step <= top * 1.0001; ++n)
    ticks.push_back({n * step, n == 0 ? "0" : fixed(n * step, decimals)});
  return ticks;
}

float Plot::logarithmic(double value, double from, double to) {
  if (!(value > 0)) return 0;
  return static_cast<float>(std::clamp(std::log(value / from) / std::log(to / from), 0.0, 1.0));
}

Plot true_plot(Box box, Point low, Point high, float margin) {
  const auto wide = static_cast<double>(std::max(high.x - low.x, 1e-20f)),
             tall = static_cast<double>(std::max(high.y - low.y, 1e-20f));
  const double scale = std::min(static_cast<double>(box.w - 2 * margin) / wide,
                                static_cast<double>(box.h - 2 * margin) / tall);
  const double x = static_cast<double>(low.x + high.x) / 2, y = static_cast<double>(low.y + high.y) / 2;
  const double half_x = static_cast<double>(box.w) / 2 / scale,
               half_y = static_cast<double>(box.h) / 2 / scale;
  return {box, x - half_x, x + half_x, y - half_y, y + half_y};
}

void y_grid(const Pen& pen, const Plot& plot, const std::vector<Tick>& ticks) {
  const draw::TextStyle style = aligned(words_style(pen.theme.dim, small_size), Align::right);
  const float apart = text_line(pen, 15);
  std::vector<float> written;
  for (const Tick& tick : ticks) {
    const float y = plot.y(tick.value);
    pen.canvas.line({plot.box.x, y}, {plot.box.right(), y}, {pen.theme.faint, 1});
    if (std::any_of(written.begin(), written.end(), [&](float at) { return std::abs(at - y) < apart; }))
      continue;
    pen.canvas.text({plot.box.x - 8, y}, tick.words, style);
    written.push_back(y);
  }
}

void y_grid(const Pen& pen, const Plot& plot, const std::vector<double>& values, int decimals,
            double factor) {
  // Use no more digits than the values need: 0.5 and 1, not 0.50 and 1.00.
  const auto exact = [&](int digits) {
    const double ten = std::pow(10.0, digits);
    return std::all_of(values.begin(), values.end(), [&](double value) {
      return std::abs(std::round(value * factor * ten) / ten - value * factor) < 1e-9;
    });
  };
  while (decimals > 1 && exact(decimals - 1)) --decimals;
  std::vector<Tick> ticks;
  for (const double value : values)
    ticks.push_back({value, fixed(value * factor, value == std::round(value) ? 0 : decimals)});
  y_grid(pen, plot, ticks);
}

void x_axis(const Pen& pen, const Plot& plot, const std::vector<Tick>& ticks, const std::string& name,
            float below) {
  const draw::TextStyle style = aligned(words_style(pen.theme.dim, small_size), Align::centre);
  const float y = plot.box.bottom() + below;
  for (const Tick& tick : ticks) pen.canvas.text({plot.x(tick.value), y}, tick.words, style);
  if (!name.empty()) put(pen, {plot.box.centre().x, y + 16}, name, style, plot.box.w);
}

void x_axis(const Pen& pen, const Plot& plot, const std::vector<int>& ticks, const std::string& name) {
  std::vector<Tick> all;
  for (const int tick : ticks) all.push_back({static_cast<double>(tick), std::to_string(tick)});
  x_axis(pen, plot, all, name);
}

void log_x_axis(const Pen& pen, const Plot& plot, const std::string& name) {
  const draw::TextStyle style = aligned(words_style(pen.theme.dim, small_size), Align::centre);
  const float y = plot.box.bottom() + 12;
  std::vector<double> values;
  for (double value = plot.from_x; value <= plot.to_x * 1.001; value *= 2) values.push_back(value);
  // From the right: the last one, where the curves end, is always named.
  float free_to = 1e9f;
  for (std::size_t i = values.size(); i-- > 0;) {
    const double value = values[i];
    const float x = plot.x(value);
    pen.canvas.line({x, plot.box.bottom()}, {x, plot.box.bottom() + 3}, {pen.theme.faint, 1});
    const std::string words = value >= 1024 ? fixed(value / 1024, 0) + "k" : fixed(value, 0);
    const float half = pen.canvas.text_width(words, style) / 2;
    if (x + half + 6 > free_to) continue;
    pen.canvas.text({x, y}, words, style);
    free_to = x - half;
  }
  put(pen, {plot.box.centre().x, y + 16}, name, style, plot.box.w);
}

void plane_grid(const Pen& pen, const Plot& plot) {
  const draw::Theme& theme = pen.theme;
  pen.canvas.rect(plot.box, draw::mix(theme.panel, theme.window, 0.6f), 6);
  const auto range = static_cast<float>(plot.to_x - plot.from_x);
  const int step = label_step(plot.box.w / range, 22);
  // A model file may contain values of any size, so the lines must not outnumber the pixels.
  const auto lines = static_cast<int>(
      std::min(std::floor(std::max(std::abs(plot.from_x), plot.to_x) / step), double(plot.box.w)));
  for (int n = -lines; n <= lines; ++n) {
    const double v = static_cast<double>(n) * step;
    const draw::Stroke stroke{v == 0 ? theme.dim : theme.faint, 1};
    if (plot.holds(v, plot.from_y)) pen.canvas.line(plot.at(v, plot.from_y), plot.at(v, plot.to_y), stroke);
    if (plot.holds(plot.from_x, v)) pen.canvas.line(plot.at(plot.from_x, v), plot.at(plot.to_x, v), stroke);
  }
}

Plot framed_plot(const Pen& pen, Box area, Plot axes, const PlotWords& words) {
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  if (!words.title.empty()) {
    put(pen, {area.x, area.y + 7}, words.title, strong_style(pen.theme.text, word_size), area.w);
    area.cut_top(22);
  }
  float gutter = 8;
  for (const Tick& tick : words.y) gutter = std::max(gutter, pen.canvas.text_width(tick.words, quiet) + 9);
  area.cut_left(gutter), area.cut_bottom(20), area.cut_top(6), area.cut_right(8);
  axes.box = area;
  if (area.w < 10 || area.h < 10) return axes;
  y_grid(pen, axes, words.y);
  x_axis(pen, axes, words.x, "");
  return axes;
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
  for (std::size_t n = 1; n < boxes.size(); ++n) {  // move each label by half of the overlap
    const float overlap = boxes[n - 1].right() + apart - boxes[n].x;
    if (overlap > 0) boxes[n - 1].x -= overlap / 2, boxes[n].x += overlap / 2;
  }
  for (std::size_t n = boxes.size(); n-- > 0;) {  // keep inside at the right, then at the left
    const float limit = n + 1 < boxes.size() ? boxes[n + 1].x - apart : right;
    boxes[n].x = std::min(boxes[n].x, limit - boxes[n].w);
  }
  for (std::size_t n = 0; n < boxes.size(); ++n) {
    const float limit = n > 0 ? boxes[n - 1].right() + apart : left;
    boxes[n].x = std::max(boxes[n].x, limit);
    pen.canvas.text({boxes[n].x, y}, labels[n].words, style(labels[n]));
  }
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
  if (std::round(value / power * unit) >= 10 * unit) power *= 10;  // 9.96 rounds to 1.0 of the next power
  return fixed(value / power, decimals) + "·" + power_words(power);
}

}  // namespace headlight::views
