#include <algorithm>
#include <array>

#include "views/cost_sheet.h"
#include "views/position_axes.h"
#include "views/position_view.h"

namespace headlight::views {

using draw::Align;
using draw::Box;
using draw::Point;
using nn::Architecture;

namespace {

std::string number(std::uint64_t value) {
  return with_commas(static_cast<long long>(value));
}

struct Row {
  Architecture architecture;
  const char* name;
  const char* leading;  // as the table of the paper has it
  const char* counted;  // what the loops multiply
  const char* reason;
};

constexpr Row rows[] = {
    {Architecture::convolution, "Convolution", "k n d²", "k n d²",
     "each of n outputs: k inputs times a d × d matrix each"},
    {Architecture::recurrence, "Recurrence", "n d²", "2 n d²",
     "each of n steps: the state times W_h and the input times W_x, d × d both"},
    {Architecture::self_attention, "Self-attention", "n² d", "2 n² d",
     "Q Kᵀ and A V: n × n products of d numbers, twice"},
};

/// Left edges and widths of the columns.
struct Columns {
  float name, operations, counted, steps, path, end;
  explicit Columns(Box box) {
    const float w = box.w;
    name = box.x, operations = box.x + std::max(108.f, w * 0.17f), end = box.right();
    const float rest = end - operations;
    counted = operations + rest * 0.27f, steps = operations + rest * 0.585f, path = operations + rest * 0.74f;
  }
};

void note(const Pen& pen, Box area, const std::string& name, const std::string& words) {
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = name, mark.note = words, mark.area = area;
  pen.canvas.mark(mark);
  pen.canvas.mark({});
}

std::string size_words(const nn::LayerSize& size, bool with_kernel) {
  return "n = " + number(static_cast<std::uint64_t>(size.n)) + ", d = " + std::to_string(size.d) +
         (with_kernel ? ", k = " + std::to_string(size.k) : "");
}

void operations_cell(const CostSheet& sheet, const Row& row, Box cell, std::uint64_t most) {
  const Pen& pen = sheet.pen;
  const scene::CountedLayer& layer = sheet.results.of(row.architecture);
  const float y = cell.centre().y;
  put(pen, {cell.x, y - 12}, number(layer.cost.leading), mono_style(pen.theme.text, 14), cell.w);
  put(pen, {cell.x, y + 6}, row.leading, words_style(pen.theme.dim), cell.w);
  const float share = static_cast<float>(layer.cost.leading) / static_cast<float>(most);
  const Box track{cell.x, y + 18, cell.w, 4};
  pen.canvas.rect(track, pen.theme.faint, 2);
  pen.canvas.rect({track.x, track.y, std::max(2.f, track.w * share), track.h},
                  layer_color(pen.theme, row.architecture), 2);
}

void counted_cell(const CostSheet& sheet, const Row& row, Box cell) {
  const Pen& pen = sheet.pen;
  const scene::CountedLayer& layer = sheet.results.of(row.architecture);
  const float y = cell.centre().y;
  verdict_sign(pen, {cell.x + 8, y - 12}, layer.agrees());
  put(pen, {cell.x + 22, y - 12}, number(layer.by_running), mono_style(pen.theme.text, 13), cell.w - 22);
  put(pen, {cell.x + 22, y + 6},
      layer.agrees() ? std::string("= ") + row.counted : "≠ " + number(layer.by_formula),
      words_style(pen.theme.dim), cell.w - 22);
  const auto& at = layer.counted_at;
  const bool smaller = at.n != sheet.settings.n || at.d != sheet.settings.d;
  if (smaller) {
    put(pen, {cell.x + 22, y + 22},
        "n = " + number(static_cast<std::uint64_t>(at.n)) + ", d = " + std::to_string(at.d),
        words_style(pen.theme.dim, small_size), cell.w - 22);
  }
  note(pen, cell, std::string("counted ") + row.name,
       std::string(row.reason) + "\nrun at " + size_words(at, row.architecture == Architecture::convolution) +
           ": " + number(layer.by_running) + " multiplications noted one by one, by formula " +
           number(layer.by_formula));
}

void path_cell(const CostSheet& sheet, const Row& row, Box cell) {
  const Pen& pen = sheet.pen;
  const float y = cell.centre().y;
  const auto line = [&](float at, double value, bool whole, const std::string& words) {
    const float width =
        put(pen, {cell.x, at},
            whole ? number(static_cast<std::uint64_t>(value)) : fixed(value, value < 100 ? 2 : 1),
            mono_style(pen.theme.text, 13), cell.w);
    put(pen, {cell.x + width + 8, at}, words, words_style(pen.theme.dim), cell.w - width - 8);
  };
  if (row.architecture != Architecture::convolution) {
    line(y - 12, sheet.results.of(row.architecture).cost.longest_path, true,
         row.architecture == Architecture::recurrence ? "n" : "");
    return;
  }
  line(y - 12, sheet.results.of(Architecture::convolution).cost.longest_path, false, "n/k ¹");
  line(y + 6, sheet.results.of(Architecture::dilated_convolution).cost.longest_path, false, "logₖ n ²");
  note(pen, cell, "path Convolution",
       "n/k: plain layers one over the other (Dive into Deep Learning)\n"
       "logₖ n: kernels with ever wider gaps (Vaswani et al. 2017, table 1)");
}

std::string comparison(const CostSheet& sheet) {
  const auto attention = static_cast<double>(sheet.results.of(Architecture::self_attention).cost.leading);
  const auto recurrence = static_cast<double>(sheet.results.of(Architecture::recurrence).cost.leading);
  const double ratio = std::max(attention, recurrence) / std::min(attention, recurrence);
  if (attention == recurrence) return "Here n = d: self-attention and recurrence do equally many operations.";
  const std::string times = fixed(ratio, ratio < 10 ? 1 : 0);
  const std::string factor = ratio < 10 ? times : with_commas(static_cast<long long>(ratio + 0.5));
  return attention < recurrence
             ? "Here n < d: self-attention does " + factor + " times fewer operations than recurrence."
             : "Here n > d: self-attention does " + factor + " times more operations than recurrence.";
}

}  // namespace

void cost_table_card(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const scene::CostSettings& s = sheet.settings;
  Box inside = card(pen, box,
                    {"What one layer costs",
                     size_words({s.n, s.d, s.k}, true) + "; the softmax and the projections are left out"});
  // The sentence and the sources at the foot.
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  const std::string sources =
      "¹ stacked kernels: Dive into Deep Learning   ² dilated kernels: Vaswani et al. 2017, table 1";
  const float foot = paragraph(pen, {inside.x, inside.y}, inside.w, sources, quiet, 2, false);
  const Box source_lines = inside.cut_bottom(foot);
  paragraph(pen, {source_lines.x, source_lines.y}, source_lines.w, sources, quiet, 2);
  inside.cut_bottom(6);
  const Box sentence = inside.cut_bottom(20);
  put(pen, {sentence.x, sentence.centre().y}, comparison(sheet), words_style(pen.theme.text), sentence.w);
  inside.cut_bottom(6);

  const Columns columns(inside);
  const Box head = inside.cut_top(22);
  const draw::TextStyle dim = words_style(pen.theme.dim, small_size);
  const auto heading = [&](float from, float to, const char* words) {
    put(pen, {from, head.centre().y}, words, dim, to - from - 8);
  };
  heading(columns.operations, columns.counted, "operations");
  heading(columns.counted, columns.steps, inside.w < 560 ? "multiplications" : "multiplications, counted");
  heading(columns.steps, columns.path, inside.w < 560 ? "steps" : "steps in turn");
  heading(columns.path, columns.end + 8, "longest path");

  std::uint64_t most = 1;
  for (const Row& row : rows) most = std::max(most, sheet.results.of(row.architecture).cost.leading);
  const float height = std::min(84.f, inside.h / static_cast<float>(std::size(rows)));
  for (const Row& row : rows) {
    const Box line = inside.cut_top(height);
    pen.canvas.line({line.x, line.y}, {line.right(), line.y}, {pen.theme.faint, 1});
    const auto cell = [&](float from, float to) { return Box{from, line.y + 2, to - from - 14, line.h - 4}; };
    const float y = line.centre().y - 12;
    pen.canvas.circle({columns.name + 4, y}, 4, layer_color(pen.theme, row.architecture));
    put(pen, {columns.name + 14, y}, row.name, strong_style(pen.theme.text, 12.5f),
        columns.operations - columns.name - 20);
    operations_cell(sheet, row, cell(columns.operations, columns.counted), most);
    counted_cell(sheet, row, cell(columns.counted, columns.steps));
    put(pen, {columns.steps, y}, number(sheet.results.of(row.architecture).cost.sequential),
        mono_style(pen.theme.text, 13), columns.path - columns.steps - 8);
    path_cell(sheet, row, cell(columns.path, columns.end + 14));
  }
}

}  // namespace headlight::views
