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

constexpr float tabular_width = 460;  // narrower, each layer is a list instead of a row

std::string number(std::uint64_t value) {
  return with_commas(static_cast<long long>(value));
}

struct Row {
  Architecture architecture;
  const char* name;
  const char* leading;  // as the table of the paper has it
  const char* counted;  // what the loops multiply
  const char* factors;  // what that consists of
  const char* reason;
};

constexpr Row rows[] = {
    {Architecture::convolution, "Convolution", "k n d²", "k n d²", "k matrices",
     "each of n outputs: k inputs times a d × d matrix each"},
    {Architecture::recurrence, "Recurrence", "n d²", "2 n d²", "W_h and W_x",
     "each of n steps: the state times W_h and the input times W_x, d × d both"},
    {Architecture::self_attention, "Self-attention", "n² d", "2 n² d", "Q Kᵀ and A V",
     "Q Kᵀ and A V: n × n products of d numbers, twice"},
};

/// Left edges of the columns.
struct Columns {
  float name, operations, counted, steps, path, end;
  explicit Columns(Box box) {
    const float w = box.w;
    name = box.x, operations = box.x + std::max(108.f, w * 0.17f), end = box.right();
    const float rest = end - operations;
    counted = operations + rest * 0.26f, steps = operations + rest * 0.575f,
    path = operations + rest * 0.745f;
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

bool counted_smaller(const CostSheet& sheet, const scene::CountedLayer& layer) {
  return layer.counted_at.n != sheet.settings.n || layer.counted_at.d != sheet.settings.d;
}

std::string counted_words(const Row& row, const scene::CountedLayer& layer) {
  return layer.agrees() ? std::string("= ") + row.counted : "≠ " + number(layer.by_formula);
}

/// The bar that compares the operations of the layers.
void share_bar(const CostSheet& sheet, const Row& row, Box track) {
  std::uint64_t most = 1;
  for (const Row& other : rows) most = std::max(most, sheet.results.of(other.architecture).cost.leading);
  const float share =
      static_cast<float>(sheet.results.of(row.architecture).cost.leading) / static_cast<float>(most);
  sheet.pen.canvas.rect(track, sheet.pen.theme.faint, 2);
  sheet.pen.canvas.rect({track.x, track.y, std::max(2.f, track.w * share), track.h},
                        layer_color(sheet.pen.theme, row.architecture), 2);
}

void notes_of(const CostSheet& sheet, const Row& row, Box operations, Box counted, Box path) {
  const scene::CountedLayer& layer = sheet.results.of(row.architecture);
  note(sheet.pen, operations, std::string("operations ") + row.name,
       std::string(row.leading) + " = " + number(layer.cost.leading) +
           "\nthe leading product alone, as the sources print it");
  note(sheet.pen, counted, std::string("counted ") + row.name,
       std::string(row.reason) + "\nrun at " +
           size_words(layer.counted_at, row.architecture == Architecture::convolution) + ": " +
           number(layer.by_running) + " multiplications noted one by one, by formula " +
           number(layer.by_formula));
  if (row.architecture == Architecture::convolution) {
    note(sheet.pen, path, "path Convolution",
         "n/k: plain layers one over the other (Dive into Deep Learning)\n"
         "logₖ n: kernels with ever wider gaps (Vaswani et al. 2017, table 1)\n"
         "orders of growth over all n tokens; the layers of one way are drawn beside this card");
  }
}

struct PathEntry {
  std::string value, words;
};

std::vector<PathEntry> path_entries(const CostSheet& sheet, const Row& row) {
  const double longest = sheet.results.of(row.architecture).cost.longest_path;
  if (row.architecture == Architecture::convolution) {
    return {{path_words(longest), "n/k ¹"},
            {path_words(sheet.results.of(Architecture::dilated_convolution).cost.longest_path), "logₖ n ²"}};
  }
  return {
      {number(static_cast<std::uint64_t>(longest)), row.architecture == Architecture::recurrence ? "n" : ""}};
}

/// One layer as a row of the table.
void table_line(const CostSheet& sheet, const Row& row, const Columns& columns, Box line) {
  const Pen& pen = sheet.pen;
  const scene::CountedLayer& layer = sheet.results.of(row.architecture);
  const draw::TextStyle dim = words_style(pen.theme.dim), small = words_style(pen.theme.dim, small_size);
  pen.canvas.line({line.x, line.y}, {line.right(), line.y}, {pen.theme.faint, 1});
  const auto cell = [&](float from, float to) { return Box{from, line.y + 2, to - from - 12, line.h - 4}; };
  const float pitch = std::min(18.f, (line.h - 4) / 3.6f);
  const float y = line.y + 4 + pitch * 0.6f;
  pen.canvas.circle({columns.name + 4, y}, 4, layer_color(pen.theme, row.architecture));
  put(pen, {columns.name + 14, y}, row.name, strong_style(pen.theme.text, 12.5f),
      columns.operations - columns.name - 20);

  const Box operations = cell(columns.operations, columns.counted);
  put_number(pen, {operations.x, y}, static_cast<double>(layer.cost.leading), mono_style(pen.theme.text, 14),
             operations.w);
  put(pen, {operations.x, y + pitch}, row.leading, dim, operations.w);
  share_bar(sheet, row, {operations.x, y + 1.65f * pitch, operations.w, 4});

  const Box counted = cell(columns.counted, columns.steps);
  verdict_sign(pen, {counted.x + 8, y}, layer.agrees());
  const float from = counted.x + 22, room = counted.right() - from;
  put_number(pen, {from, y}, static_cast<double>(layer.by_running), mono_style(pen.theme.text, 13), room);
  put(pen, {from, y + pitch}, counted_words(row, layer), dim, room);
  // What the factor consists of; or, where it was counted at a smaller size, that size.
  if (counted_smaller(sheet, layer)) {
    put(pen, {from, y + 1.9f * pitch}, "at n = " + number(static_cast<std::uint64_t>(layer.counted_at.n)),
        small, room);
    put(pen, {from, y + 2.7f * pitch}, "and d = " + std::to_string(layer.counted_at.d), small, room);
  } else {
    put(pen, {from, y + 1.9f * pitch}, row.factors, small, room);
  }

  put_number(pen, {columns.steps, y}, static_cast<double>(layer.cost.sequential),
             mono_style(pen.theme.text, 13), columns.path - columns.steps - 8);
  const Box path = cell(columns.path, columns.end + 12);
  float at = y;
  for (const PathEntry& entry : path_entries(sheet, row)) {
    const float width = put(pen, {path.x, at}, entry.value, mono_style(pen.theme.text, 13), path.w);
    put(pen, {path.x + width + 7, at}, entry.words, dim, path.w - width - 7);
    at += pitch;
  }
  notes_of(sheet, row, operations, counted, path);
}

/// One layer as a list of four entries.
void list_entry(const CostSheet& sheet, const Row& row, Box box) {
  const Pen& pen = sheet.pen;
  const scene::CountedLayer& layer = sheet.results.of(row.architecture);
  const draw::TextStyle dim = words_style(pen.theme.dim), value = mono_style(pen.theme.text, 12.5f);
  pen.canvas.line({box.x, box.y}, {box.right(), box.y}, {pen.theme.faint, 1});
  box.cut_top(4);
  const float pitch = box.h / 5;
  const Box title = box.cut_top(pitch);
  pen.canvas.circle({title.x + 4, title.centre().y}, 4, layer_color(pen.theme, row.architecture));
  put(pen, {title.x + 14, title.centre().y}, row.name, strong_style(pen.theme.text, 12.5f), title.w - 14);
  const float split = std::max(96.f, box.w * 0.3f);
  const auto entry = [&](const char* label, auto&& draw_value) {
    const Box line = box.cut_top(pitch);
    put(pen, {line.x + 14, line.centre().y}, label, dim, split - 20);
    const Box rest{line.x + split, line.y, line.w - split, line.h};
    draw_value(rest, rest.centre().y);
    return rest;
  };
  const Box operations = entry("operations", [&](Box rest, float y) {
    const float w = put_number(pen, {rest.x, y}, static_cast<double>(layer.cost.leading), value, rest.w - 60);
    put(pen, {rest.x + w + 8, y}, row.leading, dim, rest.w - w - 8);
  });
  const Box counted = entry("multiplied", [&](Box rest, float y) {
    verdict_sign(pen, {rest.x + 7, y}, layer.agrees());
    float x = rest.x + 20;
    x += put_number(pen, {x, y}, static_cast<double>(layer.by_running), value, rest.right() - x) + 8;
    const std::string words = counted_words(row, layer);
    const std::string where =
        counted_smaller(sheet, layer) ? " at " + size_words(layer.counted_at, false) : "";
    const float room = rest.right() - x;
    put(pen, {x, y}, pen.canvas.text_width(words + where, dim) <= room ? words + where : words, dim, room);
  });
  entry("steps in turn", [&](Box rest, float y) {
    put_number(pen, {rest.x, y}, static_cast<double>(layer.cost.sequential), value, rest.w);
  });
  const Box path = entry("longest path", [&](Box rest, float y) {
    float x = rest.x;
    for (const PathEntry& e : path_entries(sheet, row)) {
      x += put(pen, {x, y}, e.value, value, rest.right() - x) + 6;
      x += put(pen, {x, y}, e.words, dim, rest.right() - x) + 14;
    }
  });
  notes_of(sheet, row, operations, counted, path);
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

/// What the two columns count, and where the factor 2 comes from.
constexpr const char* what_is_counted =
    "Operations: the leading product alone, as the sources print it. Multiplications: all that the loops do, "
    "noted one by one. Hence the factor 2: a recurrence multiplies by two matrices, W_h and W_x, and "
    "self-attention forms two products, Q Kᵀ and A V.";
constexpr const char* what_paths_are =
    "Longest path: order of growth over all n tokens. ¹ stacked kernels, Dive into Deep Learning. "
    "² dilated kernels, Vaswani et al. 2017, table 1.";

/// Words at the foot of `inside`, which they are cut from.
void foot_words(const Pen& pen, Box& inside, const std::string& words, const draw::TextStyle& style) {
  const Box foot = inside.cut_bottom(paragraph(pen, {inside.x, inside.y}, inside.w, words, style, 6, false));
  paragraph(pen, {foot.x, foot.y}, foot.w, words, style, 6);
}

}  // namespace

void cost_table_card(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const scene::CostSettings& s = sheet.settings;
  Box inside = card(pen, box,
                    {"What one layer costs",
                     size_words({s.n, s.d, s.k}, true) + "; the softmax and the projections are left out"},
                    "table");
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  foot_words(pen, inside, what_paths_are, quiet);
  inside.cut_bottom(3);
  foot_words(pen, inside, what_is_counted, quiet);
  inside.cut_bottom(3);
  foot_words(pen, inside, comparison(sheet), words_style(pen.theme.text));
  inside.cut_bottom(6);

  const auto count = static_cast<float>(std::size(rows));
  if (inside.w < tabular_width) {
    const float height = std::min(110.f, inside.h / count);
    for (const Row& row : rows) list_entry(sheet, row, inside.cut_top(height));
    return;
  }
  const Columns columns(inside);
  const Box head = inside.cut_top(20);
  const auto heading = [&](float from, float to, const char* words) {
    put(pen, {from, head.centre().y}, words, quiet, to - from - 6);
  };
  heading(columns.operations, columns.counted, "operations");
  heading(columns.counted, columns.steps, inside.w < 560 ? "multiplications" : "multiplications, counted");
  heading(columns.steps, columns.path, inside.w < 560 ? "steps" : "steps in turn");
  heading(columns.path, columns.end + 6, "longest path");
  const float height = std::min(88.f, inside.h / count);
  for (const Row& row : rows) table_line(sheet, row, columns, inside.cut_top(height));
}

}  // namespace headlight::views
