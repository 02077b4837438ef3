#include <algorithm>
#include <array>
#include <cmath>

#include "views/cost_sheet.h"
#include "views/position_axes.h"
#include "views/position_view.h"

namespace headlight::views {

using draw::Align;
using draw::Box;
using draw::Point;
using nn::Architecture;

namespace {

/// Printed in a course's chapter on self-attention, d = 64: milliseconds on its author's machine.
struct Printed {
  int T;
  double recurrence_ms, attention_ms, ratio;
};
constexpr Printed printed[] = {
    {16, 0.13, 0.08, 1.7}, {64, 0.37, 0.09, 4.4}, {256, 1.43, 0.21, 6.8}, {1024, 5.92, 2.19, 2.7}};

const scene::CostMeasurements* measured(const CostSheet& sheet) {
  return sheet.in.measured ? sheet.in.measured.get() : nullptr;
}

LogPlot time_plot(const CostSheet& sheet, Box box) {
  LogPlot plot{box, 16, 4096, 0.01, 10};
  const auto include = [&](double ms) {
    while (ms > 0 && ms < plot.from_y) plot.from_y /= 10;
    while (ms > plot.to_y) plot.to_y *= 10;
  };
  for (const Printed& p : printed) include(p.recurrence_ms), include(p.attention_ms);
  if (const auto* m = measured(sheet)) {
    for (const scene::CostMeasurement& row : m->rows)
      include(row.recurrence_ms), include(row.attention_ms), include(row.tiled_ms);
  }
  return plot;
}

void draw_plot(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const auto* m = measured(sheet);
  // The key, in as many lines as it takes.
  struct Entry {
    std::string words;
    draw::Color color;
  };
  std::vector<Entry> key = {{"recurrence", layer_color(pen.theme, Architecture::recurrence)},
                            {"attention", layer_color(pen.theme, Architecture::self_attention)}};
  if (m && !m->rows.empty()) key.push_back({"tiled attention", tiled_color(pen.theme)});
  Box keys = box.cut_bottom(18);
  float x = keys.x;
  for (const Entry& entry : key) {
    if (x + legend_width(pen, entry.words) > keys.right()) break;
    x += legend(pen, {x, keys.centre().y}, entry.color, entry.words) + 12;
  }
  const std::string other = "dashed: printed";
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  if (x + pen.canvas.text_width(other, quiet) <= keys.right()) put(pen, {x, keys.centre().y}, other, quiet);
  box.cut_bottom(36), box.cut_left(40), box.cut_top(8), box.cut_right(10);
  if (box.w < 60 || box.h < 40) return;
  const LogPlot plot = time_plot(sheet, box);
  std::vector<LogTick> ticks;
  for (double ms = plot.from_y; ms <= plot.to_y * 1.001; ms *= 10)
    ticks.push_back({ms, ms >= 1 ? fixed(ms, 0) : brief(ms, 1)});
  log_y_grid(pen, plot, ticks);
  put(pen, {box.x + 6, box.y + 4}, "ms", quiet);
  log_x_axis(pen, plot, "length T");
  std::vector<Point> recurrence, attention, tiled;
  for (const Printed& p : printed) {
    recurrence.push_back({static_cast<float>(p.T), static_cast<float>(p.recurrence_ms)});
    attention.push_back({static_cast<float>(p.T), static_cast<float>(p.attention_ms)});
  }
  log_line(pen, plot, recurrence, draw::faded(layer_color(pen.theme, Architecture::recurrence), 0.7f), false);
  log_line(pen, plot, attention, draw::faded(layer_color(pen.theme, Architecture::self_attention), 0.7f),
           false);
  if (!m) return;
  recurrence.clear(), attention.clear();
  for (const scene::CostMeasurement& row : m->rows) {
    const auto T = static_cast<float>(row.T);
    recurrence.push_back({T, static_cast<float>(row.recurrence_ms)});
    attention.push_back({T, static_cast<float>(row.attention_ms)});
    tiled.push_back({T, static_cast<float>(row.tiled_ms)});
  }
  log_line(pen, plot, tiled, tiled_color(pen.theme));
  log_line(pen, plot, recurrence, layer_color(pen.theme, Architecture::recurrence));
  log_line(pen, plot, attention, layer_color(pen.theme, Architecture::self_attention));
}

std::string ratio_words(double ratio) {
  return fixed(ratio, ratio < 10 ? 1 : 0) + "×";
}

void draw_table(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const auto* m = measured(sheet);
  const float unit = box.w / 100;
  const std::vector<TableColumn> columns = {
      {"T", 13 * unit, 13 * unit},     {"RNN", 30 * unit, 16 * unit}, {"attention", 46 * unit, 15 * unit},
      {"ratio", 58 * unit, 11 * unit}, {"RNN", 74 * unit, 13 * unit}, {"attention", 88 * unit, 13 * unit},
      {"ratio", 100 * unit, 11 * unit}};
  const draw::TextStyle dim = words_style(pen.theme.dim, small_size),
                        ours = mono_style(pen.theme.text, small_size),
                        theirs = mono_style(pen.theme.dim, small_size);
  Box head = box.cut_top(18);
  put(pen, {head.x + 58 * unit, head.y + 8}, m ? "here, ms" : "here, ms: not yet", aligned(dim, Align::right),
      46 * unit);
  put(pen, {head.right(), head.y + 8}, "printed ³, ms", aligned(dim, Align::right), 40 * unit);
  pen.canvas.line({box.x, box.y}, {box.right(), box.y}, {pen.theme.faint, 1});
  head = box.cut_top(20);
  std::vector<std::string> names;
  for (const TableColumn& c : columns) names.push_back(c.head == "attention" ? "attn" : c.head);
  table_row(pen, {head.x, head.centre().y}, columns, names, dim);
  const float height = std::min(24.f, box.h / 9);
  if (height < 12) return;
  for (int T = 16; T <= 4096; T *= 2) {
    const Box line = box.cut_top(height);
    std::vector<std::string> cells(7);
    table_row(pen, {line.x, line.centre().y}, columns, {with_commas(T)}, ours);
    if (m) {
      for (const scene::CostMeasurement& row : m->rows) {
        if (row.T != T) continue;
        table_row(pen, {line.x, line.centre().y}, columns,
                  {"", ms_words(row.recurrence_ms), ms_words(row.attention_ms),
                   ratio_words(row.recurrence_ms / row.attention_ms)},
                  ours);
      }
    }
    for (const Printed& p : printed) {
      if (p.T == T)
        table_row(pen, {line.x, line.centre().y}, columns,
                  {"", "", "", "", fixed(p.recurrence_ms, 2), fixed(p.attention_ms, 2), ratio_words(p.ratio)},
                  theirs);
    }
  }
}

std::string subtitle(const CostSheet& sheet) {
  const auto* m = measured(sheet);
  if (!m) return "one forward pass on this machine, median of several; nothing is measured yet";
  if (m->running) {
    const auto left = static_cast<int>(std::ceil(m->seconds_left));
    return "measuring at d = " + std::to_string(m->d) + ", " + std::to_string(m->rows.size()) + " of " +
           "the lengths are done" + (left > 0 ? ", about " + std::to_string(left) + " s left" : "");
  }
  return "one forward pass on this machine, d = " + std::to_string(m->d) + ", median of several";
}

}  // namespace

void cost_times_card(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const auto* m = measured(sheet);
  const bool running = m && m->running;
  const Choice measure = running
                             ? Choice{"stop", "", "stop measuring", false, "what is measured stays"}
                             : Choice{"measure times", "", "measure times", !m,
                                      "runs both layers at T = 16 … 4,096 and the width d of the settings, "
                                      "in the background"};
  Box inside = card(pen, box, {"Measured time", subtitle(sheet), button_width(pen, measure)});
  button(pen, card_corner(box), measure);
  if (running) progress_line(pen, box, m->fraction);
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  const std::string source =
      "³ dashed: printed in a course's chapter on self-attention, d = 64; times of another machine. Here: "
      "the recurrence on one core, attention on all of them.";
  const float foot = paragraph(pen, {inside.x, inside.y}, inside.w, source, quiet, 3, false);
  const Box lines = inside.cut_bottom(foot);
  paragraph(pen, {lines.x, lines.y}, lines.w, source, quiet, 3);
  inside.cut_bottom(8);
  if (inside.w >= 460) {
    const Box plot = inside.cut_left(std::round(inside.w * (inside.w < 560 ? 0.41f : 0.49f)));
    inside.cut_left(inside.w < 320 ? 10.f : 20.f);
    draw_plot(sheet, plot);
    draw_table(sheet, inside);
  } else {
    Box plot = inside.cut_top(std::max(120.f, inside.h - 210));
    draw_plot(sheet, plot);
    inside.cut_top(8);
    draw_table(sheet, inside);
  }
}

}  // namespace headlight::views
