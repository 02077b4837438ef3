#include <algorithm>
#include <array>
#include <cmath>

#include "kit/curve.h"
#include "kit/words.h"
#include "pages/cost/cost.h"
#include "pages/cost/view/sheet.h"

namespace headlight::views {

using nn::Architecture;

namespace {

/// Printed in “Chapter 39: Self-Attention” of a course, d = 64: milliseconds on its author's machine.
struct Printed {
  int T;
  double recurrence_ms, attention_ms;
};
constexpr Printed printed[] = {{16, 0.13, 0.08}, {64, 0.37, 0.09}, {256, 1.43, 0.21}, {1024, 5.92, 2.19}};

const scene::CostMeasurements* measured(const CostSheet& sheet) {
  return sheet.in.measured ? sheet.in.measured.get() : nullptr;
}

/// On paper and slides, lengths without a time have no row. Are those of the source the only ones?
bool only_source(const CostSheet& sheet) {
  const auto* m = measured(sheet);
  return sheet.pen.canvas.plain() && !(m && !m->rows.empty());
}

Plot time_plot(const CostSheet& sheet, Box box) {
  // Without times of this machine the axes end where those of the source do.
  Plot plot = only_source(sheet) ? log_plot(box, 16, 1024, 0.05, 10) : log_plot(box, 16, 4096, 0.01, 10);
  const auto include = [&](double ms) {
    while (ms > 0 && ms < plot.from_y) plot.from_y /= 10;
    while (ms > plot.to_y) plot.to_y *= 10;
  };
  for (const Printed& p : printed) include(p.recurrence_ms), include(p.attention_ms);
  if (const auto* m = measured(sheet)) {
    for (const scene::CostMeasurement& row : m->rows)
      include(row.recurrence.ms), include(row.attention.ms), include(row.tiled.ms);
  }
  return plot;
}

void draw_plot(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const auto* m = measured(sheet);
  std::vector<LegendEntry> key = {
      {"recurrence", layer_color(pen.theme, Architecture::recurrence), layer_place(Architecture::recurrence)},
      {"self-attention", layer_color(pen.theme, Architecture::self_attention),
       layer_place(Architecture::self_attention)}};
  if (m && !m->rows.empty()) key.push_back({"the same, tiled", tiled_color(pen.theme), tiled_place});
  constexpr int rings = -2;
  if (only_source(sheet)) {
    for (LegendEntry& entry : key) entry.place = rings;
  } else {
    key.push_back({"pale, rings: source", draw::Color{0, 0, 0, 0}});
  }
  legend_lines(pen, box, key);
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  box.cut_bottom(36), box.cut_left(40), box.cut_top(22), box.cut_right(10);
  if (box.w < 60 || box.h < 40) return;
  const Plot plot = time_plot(sheet, box);
  std::vector<Tick> ticks;
  for (double ms = plot.from_y; ms <= plot.to_y * 1.001; ms *= 10)
    ticks.push_back({ms, ms >= 1 ? fixed(ms, 0) : brief(ms, 1)});
  y_grid(pen, plot, ticks);
  put(pen, {box.x - 6, box.y - 15}, "ms", aligned(quiet, Align::right));
  log_x_axis(pen, plot, "length n");
  std::vector<PlotPoint> recurrence, attention, tiled;
  for (const Printed& p : printed) {
    recurrence.push_back({double(p.T), p.recurrence_ms});
    attention.push_back({double(p.T), p.attention_ms});
  }
  for (const auto& [points, whose] : {std::pair{&recurrence, Architecture::recurrence},
                                      std::pair{&attention, Architecture::self_attention}})
    curve(pen, plot, *points, {draw::faded(layer_color(pen.theme, whose), 0.7f), 1.5f, 4, PointMark::ring});
  if (!m) return;
  recurrence.clear(), attention.clear();
  for (const scene::CostMeasurement& row : m->rows) {
    const auto T = static_cast<double>(row.T);
    recurrence.push_back({T, row.recurrence.ms});
    attention.push_back({T, row.attention.ms});
    tiled.push_back({T, row.tiled.ms});
  }
  curve(pen, plot, tiled, series_style(tiled_color(pen.theme), tiled_place));
  for (const auto& [points, whose] : {std::pair{&recurrence, Architecture::recurrence},
                                      std::pair{&attention, Architecture::self_attention}})
    curve(pen, plot, *points, series_style(layer_color(pen.theme, whose), layer_place(whose)));
}

std::string ratio_words(double ratio) {
  return fixed(ratio, ratio < 10 ? 1 : 0) + "×";
}

std::string runs_words(const char* name, const scene::CostTime& time) {
  return std::string(name) + " " + ms_words(time.ms) + " ms, fastest of " + std::to_string(time.runs);
}

/// Every length, what was measured here, and below it, quieter, what is printed for it.
void draw_times(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const auto* m = measured(sheet);
  const float unit = box.w / 100;
  const bool source = only_source(sheet);  // which has no tiled form
  std::vector<TableColumn> columns = {{"n", 25 * unit, 25 * unit},
                                      {"recurrence", 48.5f * unit, 23.5f * unit},
                                      {"self-att.", 69 * unit, 20 * unit},
                                      {"tiled", 84 * unit, 16 * unit},
                                      {"ratio", 100 * unit, 16 * unit}};
  if (source)
    columns = {{"n", 25 * unit, 25 * unit},
               {"recurrence", 50 * unit, 25 * unit},
               {"self-att.", 76 * unit, 25 * unit},
               {"ratio", 100 * unit, 22 * unit}};
  // The few rows of a slide fill what the plot leaves them.
  const float size = on_slide(pen) ? title_size : small_size, highest = on_slide(pen) ? 40.f : 22.f;
  const draw::TextStyle dim = words_style(pen.theme.dim, size), ours = mono_style(pen.theme.text, size),
                        theirs = words_style(pen.theme.dim, size);
  const Box head = box.cut_top(text_line(pen, 18));
  std::vector<std::string> names;
  for (const TableColumn& c : columns) names.push_back(c.head);
  // Columns end 20.5 units apart, and a blank stands between two heads.
  if (pen.canvas.text_width("self-attention ", dim) <= 20.5f * unit) names[2] = "self-attention";
  table_row(pen, {head.x, head.centre().y}, columns, names, dim);
  pen.canvas.line({box.x, box.y}, {box.right(), box.y}, {pen.theme.faint, 1});
  box.cut_top(3);
  const float lines = static_cast<float>(std::size(printed)) + (source ? 0.f : 9.f);
  const float height = std::min(highest, box.h / lines);
  if (height < 11) return;
  for (int T = 16; T <= 4096; T *= 2) {
    const bool known = m && std::any_of(m->rows.begin(), m->rows.end(),
                                        [T](const scene::CostMeasurement& row) { return row.T == T; });
    const bool has_printed =
        std::any_of(std::begin(printed), std::end(printed), [T](const Printed& p) { return p.T == T; });
    const bool joined = pen.canvas.plain() && !known;  // a row of dashes shows nothing
    if (joined && !has_printed) continue;
    const Box line = joined ? Box{} : box.cut_top(height);
    if (!joined) table_row(pen, {line.x, line.centre().y}, columns, {with_commas(T)}, ours);
    if (!known && !joined)
      table_row(pen, {line.x, line.centre().y}, columns, {"", "–", "–", "–", "–"}, theirs);
    for (std::size_t i = 0; m && i < m->rows.size(); ++i) {
      const scene::CostMeasurement& row = m->rows[i];
      if (row.T != T) continue;
      table_row(pen, {line.x, line.centre().y}, columns,
                {"", ms_words(row.recurrence.ms), ms_words(row.attention.ms), ms_words(row.tiled.ms),
                 ratio_words(row.recurrence.ms / row.attention.ms)},
                ours);
      draw::Mark mark;
      mark.part = draw::Part::note, mark.name = "time " + std::to_string(T), mark.area = line;
      mark.note = "n = " + with_commas(T) + "\n" + runs_words("recurrence", row.recurrence) + "\n" +
                  runs_words("self-attention", row.attention) + "\n" + runs_words("tiled", row.tiled) +
                  "\nratio: recurrence ÷ self-attention";
      pen.canvas.mark(mark);
      pen.canvas.mark({});
    }
    for (const Printed& p : printed) {
      if (p.T != T) continue;
      // What was not measured here has a ground of its own, and no row of measurements.
      const Box below = box.cut_top(height);
      pen.canvas.rect({below.x, below.y + 1, below.w, below.h - 2}, pen.theme.field, 4);
      if (joined && source) {  // the title says whose it is
        table_row(pen, {below.x, below.centre().y}, columns, {with_commas(T)}, theirs);
      } else {
        put(pen, {below.x + 8, below.centre().y}, joined ? with_commas(T) + ", source" : "source", dim,
            columns[1].right - columns[1].width - 8);
      }
      std::vector<std::string> numbers = {"", fixed(p.recurrence_ms, 2), fixed(p.attention_ms, 2)};
      if (!source) numbers.emplace_back();
      numbers.push_back(ratio_words(p.recurrence_ms / p.attention_ms));
      table_row(pen, {below.x, below.centre().y}, columns, numbers, theirs);
    }
  }
}

std::string subtitle(const CostSheet& sheet) {
  const auto* m = measured(sheet);
  if (only_source(sheet)) return "ms on the machine of the source, d = 64";
  const std::string pass = "ms on this machine";
  if (!m) return pass + ", the fastest of several runs; not measured yet";
  const std::string width = "d = " + std::to_string(m->d);
  if (m->running) {
    const auto left = static_cast<int>(std::ceil(m->seconds_left));
    return "measuring at " + width + ": " + std::to_string(m->rows.size()) + " of " +
           std::to_string(m->lengths) + " lengths are done" +
           (left > 0 ? ", about " + std::to_string(left) + " s left" : "");
  }
  int fewest = scene::most_cost_runs, most = 0;
  for (const scene::CostMeasurement& row : m->rows) {
    for (const scene::CostTime* time : {&row.recurrence, &row.attention, &row.tiled})
      fewest = std::min(fewest, time->runs), most = std::max(most, time->runs);
  }
  if (m->lengths == 0) return pass + ": " + width + " is too wide to be measured here";
  if (most == 0) return pass + ", " + width + ": stopped before the first measurement";
  return pass + ", " + width + ": the fastest of " + std::to_string(fewest) +
         (most > fewest ? " to " + std::to_string(most) : "") + " runs";
}

}  // namespace

std::string cost_times_finding(const PageInput& in) {
  const scene::CostMeasurements* m = in.measured.get();
  if (m && !m->rows.empty()) {
    const scene::CostMeasurement& row = m->rows.back();
    return "For " + with_commas(row.T) + " tokens self-attention takes " + ms_words(row.attention.ms) +
           " ms, its tiled form " + ms_words(row.tiled.ms) + " ms and the recurrence " +
           ms_words(row.recurrence.ms) + " ms";
  }
  const Printed& longest = printed[std::size(printed) - 1];
  return "For " + with_commas(longest.T) + " tokens the course prints " + fixed(longest.attention_ms, 2) +
         " ms for self-attention and " + fixed(longest.recurrence_ms, 2) + " ms for the recurrence";
}

void cost_times_card(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const auto* m = measured(sheet);
  const bool running = m && m->running;
  const Choice measure =
      running ? Choice{"Stop", "", "stop measuring", false, "measured times are kept"}
              : Choice{"Measure times", "", "measure times", !m,
                       "runs the recurrence, self-attention and its tiled form in the background at n = 16, "
                       "32 … up to 4,096; lengths that would take seconds at this width d are skipped"};
  Box inside = card(pen, box,
                    {only_source(sheet) ? "Times printed in the source" : "Measured time", subtitle(sheet),
                     button_width(pen, measure)},
                    "times");
  button(pen, card_corner(box), measure);
  if (running) progress_line(pen, box, m->fraction);
  const std::string source =
      only_source(sheet)
          ? "Ratio: recurrence ÷ self-attention. Source: “Chapter 39: Self-Attention”."
          : "Measured: attention from given q, k and v, without W_Q, W_K, W_V and W_O; the recurrence with "
            "both its matrices. Ratio: recurrence ÷ self-attention. The recurrence runs on one core, step "
            "after step, self-attention on all of them. Source: “Chapter 39: Self-Attention”, "
            "d\u00a0=\u00a064, "
            "measured on another machine.";
  plot_beside_table(sheet, inside,
                    {.foot = source,
                     .plot = draw_plot,
                     .table = draw_times,
                     .narrow_part = 0.38f,
                     .table_height = only_source(sheet) ? 120.f : 270.f,
                     .tight_gap = 12});
}

}  // namespace headlight::views
