#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "kit/area_name.h"
#include "kit/curve.h"
#include "kit/words.h"
#include "pages/cost/cost.h"
#include "pages/cost/view/sheet.h"

namespace headlight::views {

namespace {

constexpr double mib = 1024.0 * 1024, gib = 1024 * mib;

Plot memory_plot(const CostSheet& sheet, Box box) {
  const std::vector<scene::MemoryRow>& rows = sheet.results.memory;
  Plot plot = log_plot(box, 512, 131072, mib, 1024 * gib);
  const auto low = static_cast<double>(std::min(rows.front().tiled, rows.front().all_maps));
  const auto high = static_cast<double>(std::max(rows.back().all_maps, rows.back().tiled));
  while (low < plot.from_y) plot.from_y /= 1024;
  while (low >= plot.from_y * 1024) plot.from_y *= 1024;
  while (high > plot.to_y) plot.to_y *= 32;
  return plot;
}

/// What a lesson covers begins after this length.
constexpr int known_memory = 2048;

void draw_curve(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const draw::Color dense = layer_color(pen.theme, nn::Architecture::self_attention);
  legend_lines(pen, box,
               {{"all n × n maps", dense, 0}, {"the same, tiled", tiled_color(pen.theme), tiled_place}});
  const draw::TextStyle wall_style = words_style(pen.theme.accent, small_size);
  // At the right are the names of the walls.
  box.cut_bottom(36), box.cut_left(48), box.cut_top(8);
  box.cut_right(std::ceil(pen.canvas.text_width("80 GiB", wall_style)) + 12);
  if (box.w < 60 || box.h < 40) return;
  const Plot plot = memory_plot(sheet, box);
  std::vector<Tick> ticks;
  for (double bytes = plot.from_y; bytes <= plot.to_y * 1.001; bytes *= 1024)
    ticks.push_back({bytes, byte_words(bytes)});
  // The lowest name would meet the first length below it.
  const Tick lowest{ticks.front().value, ""};
  const std::string lowest_words = std::exchange(ticks.front(), lowest).words;
  y_grid(pen, plot, ticks);
  put(pen, {box.x - 6, plot.y(lowest.value) - text_line(pen, 14) / 2 + 2}, lowest_words,
      aligned(words_style(pen.theme.dim, small_size), Align::right));
  log_x_axis(pen, plot, "length n");

  std::vector<PlotPoint> maps, tiled;
  for (const scene::MemoryRow& row : sheet.results.memory) {
    maps.push_back({double(row.T), double(row.all_maps)});
    tiled.push_back({double(row.T), double(row.tiled)});
  }
  struct Named {
    float y;
    std::string words;
  };
  std::vector<Named> named;
  std::vector<scene::MemoryWall> walls(sheet.results.walls.begin(), sheet.results.walls.end());
  std::reverse(walls.begin(), walls.end());  // from the top
  for (const scene::MemoryWall& wall : walls) {
    const double bytes = wall.gib * gib;
    if (bytes < plot.from_y || bytes > plot.to_y) continue;
    const float y = plot.y(bytes);
    pen.canvas.line({box.x, y}, {box.right(), y}, {pen.theme.accent, 1.2f, 5});
    named.push_back({y, std::to_string(wall.gib) + " GiB"});
    if (wall.T >= 512 && wall.T <= 131072)
      pen.canvas.ring(plot.at(static_cast<double>(wall.T), bytes), 4.5f, {pen.theme.accent, 1.8f});
  }
  // Around the middle one, a line apart.
  const float apart = text_line(pen, 14);
  const float middle = named.empty() ? 0 : named[named.size() / 2].y;
  const auto half = static_cast<float>(named.size() / 2);
  for (std::size_t n = 0; n < named.size(); ++n) {
    const float least = middle + (static_cast<float>(n) - half) * apart;
    const float y = n < named.size() / 2 ? std::min(named[n].y, least) : std::max(named[n].y, least);
    put(pen, {box.right() + 8, y}, named[n].words, wall_style);
  }
  curve(pen, plot, tiled, series_style(tiled_color(pen.theme), tiled_place));
  curve(pen, plot, maps, series_style(dense, 0));
  // Clear of the point at the known length.
  const float from = plot.x(known_memory) + 5;
  name_area(pen, sheet.in, "beyond 2,048", {from, plot.box.y - 8, box.right() + 6 - from, plot.box.h + 6});
}

void draw_table(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const float unit = box.w / 100;
  const std::vector<TableColumn> columns = {{"n", 20 * unit, 20 * unit},
                                            {"one map", 47 * unit, 25 * unit},
                                            {"all maps", 74 * unit, 25 * unit},
                                            {"tiled", 100 * unit, 25 * unit}};
  const Box head = box.cut_top(20);
  std::vector<std::string> names;
  for (const TableColumn& c : columns) names.push_back(c.head);
  table_row(pen, {head.x, head.centre().y}, columns, names, words_style(pen.theme.dim, small_size));
  pen.canvas.line({box.x, box.y}, {box.right(), box.y}, {pen.theme.faint, 1});
  box.cut_top(4);
  const auto rows = static_cast<float>(sheet.results.memory.size());
  const float walls = 17.f * static_cast<float>(sheet.results.walls.size());
  const float height = std::clamp((box.h - walls - 8) / rows, 14.f, 26.f);
  const auto beyond =
      static_cast<float>(std::count_if(sheet.results.memory.begin(), sheet.results.memory.end(),
                                       [](const scene::MemoryRow& row) { return row.T > known_memory; }));
  name_area(pen, sheet.in, "beyond 2,048",
            {box.x + 24 * unit, box.y + (rows - beyond) * height, 77 * unit, beyond * height});
  for (const scene::MemoryRow& row : sheet.results.memory) {
    const Box line = box.cut_top(height);
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "memory " + std::to_string(row.T), mark.area = line;
    mark.note = "n = " + with_commas(static_cast<long long>(row.T)) +
                "\none map of one head: " + with_commas(static_cast<long long>(row.one_map)) +
                " bytes\nall of them: " + with_commas(static_cast<long long>(row.all_maps)) +
                " bytes = " + byte_words(static_cast<double>(row.all_maps)) +
                "\ntiled self-attention keeps " + with_commas(static_cast<long long>(row.tiled)) + " bytes";
    pen.canvas.mark(mark);
    pen.canvas.mark({});
    table_row(pen, {line.x, line.centre().y}, columns,
              {with_commas(static_cast<long long>(row.T)), byte_words(static_cast<double>(row.one_map)),
               byte_words(static_cast<double>(row.all_maps)), byte_words(static_cast<double>(row.tiled))},
              mono_style(pen.theme.text, small_size));
  }
  box.cut_top(8);
  // What fits, and the check that the tiled one computes the same.
  for (const scene::MemoryWall& wall : sheet.results.walls) {
    if (box.h < 16.5f) return;  // the heights of the rows above have been rounded
    const Box line = box.cut_top(17);
    pen.canvas.ring({line.x + 5, line.centre().y}, 3.5f, {pen.theme.accent, 1.6f});
    put(pen, {line.x + 16, line.centre().y},
        std::to_string(wall.gib) + " GiB holds n ≤ " +
            sheet.in.text(quantity("longest_in_gib", {{"gib", wall.gib}})),
        words_style(pen.theme.text), line.w - 16);
    name_area(pen, sheet.in, "lengths that fit",
              {line.x + 12, line.y, std::min(line.w - 12, 172.f), line.h - 1});
  }
}

}  // namespace

void cost_memory_card(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const scene::CostSettings& s = sheet.settings;
  const int heads = sheet.results.heads.many.heads;
  Box inside =
      card(pen, box,
           {"The memory wall",
            std::string("B · h · L · n² · bytes, with B = ") + std::to_string(s.batch) +
                ", h = " + std::to_string(heads) +
                (heads == s.heads ? "" : " (at most d: " + std::to_string(s.heads) + " are selected)") +
                ", L = " + std::to_string(s.layers) + ", " + scene::word(s.bytes) +
                (s.bytes == scene::CostBytes::one ? " byte" : " bytes") + " per value"},
           "memory");
  const scene::TiledCheck& check = sheet.results.check;
  const std::string words =
      "One map: one head of one layer. All maps: B · h · L of them. Tiled attention keeps the output and two "
      "numbers per query and head: B · L · n · (d + 2h) values, here with d = " +
      std::to_string(s.d) + ". Run at n\u00a0=\u00a0" + std::to_string(check.T) + ", d\u00a0=\u00a0" +
      std::to_string(check.d) + " in " + std::to_string(check.heads) +
      " heads, its outputs differ from the dense ones by at most " + sheet.in.text("tiled_difference") +
      "; it kept " + sheet.in.text("tiled_bytes", byte_words) + " instead of " +
      sheet.in.text("dense_bytes", byte_words) + ".";
  plot_beside_table(
      sheet, inside,
      {.foot = words, .plot = draw_curve, .table = draw_table, .narrow_part = 0.43f, .table_height = 262});
}

}  // namespace headlight::views
