#include <algorithm>
#include <array>
#include <cmath>

#include "kit/area_name.h"
#include "kit/verdict.h"
#include "kit/words.h"
#include "pages/cost/cost.h"
#include "pages/cost/view/table_rows.h"

namespace headlight::views {

using nn::Architecture;

namespace {

constexpr float tabular_width = 460;  // narrower, each layer is a list instead of a row

constexpr const char* steps_note = "sequential operations: each must wait for the one before it";

bool counted_smaller(const CostSheet& sheet, const nn::LayerSize& counted_at) {
  return counted_at.n != sheet.settings.n || counted_at.d != sheet.settings.d;
}

/// The bar that compares the operations of the layers.
void share_bar(const CostSheet& sheet, const CostRow& row, Box track) {
  std::uint64_t most = 1;
  for (const CostRow& other : cost_rows)
    most = std::max(most, sheet.results.of(other.architecture).cost.leading);
  const float share =
      static_cast<float>(sheet.results.of(row.architecture).cost.leading) / static_cast<float>(most);
  sheet.pen.canvas.rect(track, sheet.pen.theme.faint, 2);
  sheet.pen.canvas.rect({track.x, track.y, std::max(2.f, track.w * share), track.h},
                        layer_color(sheet.pen.theme, row.architecture), 2);
}

/// Draws a quantity of the layer, and notes it unless there is only room for a power of ten.
float put_quantity(const CostSheet& sheet, const std::string& name, Point at, const draw::TextStyle& style,
                   float width) {
  const double value = sheet.in.value(name);
  const float wide = put_number(sheet.pen, at, value, style, width);
  if (sheet.in.stated && std::isfinite(value)) {
    std::string words = base::written(value, base::whole_form);
    draw::TextStyle smallest = style;
    smallest.size = small_size;
    if (sheet.pen.canvas.text_width(words, smallest) <= width) sheet.in.noted(name, value, std::move(words));
  }
  return wide;
}

/// What is shown of the multiplications: that of the formula, if the loops agree with it.
float put_counted(const CostSheet& sheet, const CostRow& row, const CostCounts& counts, Point at,
                  const draw::TextStyle& style, float width) {
  if (row.kind != CostRowKind::heads && counts.agrees)
    return put_quantity(sheet, of_layer("multiplications", row), at, style, width);
  return put_number(sheet.pen, at, static_cast<double>(counts.shown), style, width);
}

void row_sign(const CostSheet& sheet, const CostRow& row, Point at) {
  const draw::Color color = layer_color(sheet.pen.theme, row.architecture);
  if (row.kind == CostRowKind::heads) {
    sheet.pen.canvas.ring(at, 3.2f, {color, 1.6f});
  } else {
    sheet.pen.canvas.circle(at, 4, color);
  }
}

/// Left edges of the columns. Each has room for its widest number whole; where they are too many for the
/// table, numbers become smaller, and then whole layers have no column but a line of their own in each row,
/// or a note where cost_rows are low.
struct Columns {
  float name = 0, operations = 0, counted = 0, whole = 0, steps = 0, path = 0, end = 0;
  float number_size = 13;
  bool shows_whole = true, long_heads = false;

  Columns(const CostSheet& sheet, Box box) {
    long_heads = box.w >= 620;
    for (const bool with_whole : {true, false}) {
      for (const float size : {title_size, small_size}) {
        shows_whole = with_whole, number_size = size;
        if (lay_out(sheet, box)) return;
      }
    }
  }

 private:
  static constexpr float gap = 10, sign = 22;

  float number(const Pen& pen, double value) const {
    return pen.canvas.text_width(with_commas(static_cast<long long>(value)), mono_style({}, number_size));
  }

  bool lay_out(const CostSheet& sheet, Box box) {
    const Pen& pen = sheet.pen;
    const auto width = [&](const std::string& words, float size = word_size) {
      return pen.canvas.text_width(words, words_style({}, size));
    };
    const float longest = width("Linear attention", 12.5f) + 22;
    float wide[5] = {width(heads()[0], small_size), width(heads()[1], small_size),
                     shows_whole ? width(heads()[2], small_size) : 0, width(steps_head(), small_size),
                     width(path_head(), small_size)};
    for (const CostRow& row : cost_rows) {
      const CostCounts counts = counts_of(sheet, row);
      wide[0] =
          std::max({wide[0], number(pen, sheet.in.value(of_layer("operations", row))), width(row.leading)});
      wide[1] = std::max({wide[1], sign + number(pen, static_cast<double>(counts.shown)),
                          sign + width(counted_words(row, counts))});
      if (shows_whole)
        wide[2] =
            std::max({wide[2], number(pen, static_cast<double>(counts.whole)), width(row.whole, small_size)});
      wide[3] = std::max(wide[3], number(pen, sheet.in.value(of_layer("steps", row))));
      for (const CostPathEntry& entry : path_entries(sheet, row))
        wide[4] = std::max(wide[4], pen.canvas.text_width(entry.value, mono_style({}, number_size)) + 7 +
                                        width(entry.words));
    }
    float all = longest;
    for (const float one : wide) all += one;
    const float left = box.w - all - gap * (shows_whole ? 5.f : 4.f);
    const float more = std::max(0.f, left) / (shows_whole ? 6.f : 5.f);  // for each column alike
    name = box.x, end = box.right();
    operations = name + longest + gap + more, counted = operations + wide[0] + gap + more;
    whole = counted + wide[1] + gap + more;
    steps = shows_whole ? whole + wide[2] + gap + more : whole;
    path = steps + wide[3] + gap + more;
    return left >= 0;
  }

 public:
  static std::array<const char*, 3> heads() { return {"leading term", "multiply-adds", "whole layer"}; }
  const char* steps_head() const { return long_heads ? "sequential" : "steps"; }
  const char* path_head() const { return long_heads ? "maximum path length" : "path length"; }
};

constexpr float with_whole_below = 49;  // the least height of a row with a third line

/// One layer as a row of the table.
void table_line(const CostSheet& sheet, const CostRow& row, const Columns& columns, Box line) {
  const Pen& pen = sheet.pen;
  const CostCounts counts = counts_of(sheet, row);
  const draw::TextStyle dim = words_style(pen.theme.dim), small = words_style(pen.theme.dim, small_size);
  pen.canvas.line({line.x, line.y}, {line.right(), line.y}, {pen.theme.faint, 1});
  const auto cell = [&](float from, float to) { return Box{from, line.y + 2, to - from - 10, line.h - 4}; };
  // An outline around a note touches neither its numbers nor those of the columns beside it: it is in the
  // middle of the gaps between them.
  const auto clear = [](Box box) {
    constexpr float margin = 2;
    return Box{box.x - margin, box.y, box.w + 2 * margin, box.h};
  };
  const bool whole_below = !columns.shows_whole && line.h >= with_whole_below;
  const float pitch =
      std::min(line.h > 76 ? 22.f : text_line(pen, 17), (line.h - 4) / (whole_below ? 3.4f : 2.5f));
  const float y = line.y + 3 + pitch * 0.6f;
  row_sign(sheet, row, {columns.name + 4, y});
  put(pen, {columns.name + 14, y}, name_of(sheet, row), strong_style(pen.theme.text, 12),
      columns.operations - columns.name - 18);

  const draw::TextStyle figures = mono_style(pen.theme.text, columns.number_size);
  const Box operations = cell(columns.operations, columns.counted);
  put_number(pen, {operations.x, y}, sheet.in.value(of_layer("operations", row)), figures, operations.w);
  put(pen, {operations.x, y + pitch}, row.leading, dim, operations.w);
  const float bar_y = y + (whole_below ? 1.5f : 1.65f) * pitch;
  share_bar(sheet, row, {operations.x, bar_y, operations.w, 4});
  // Without the formulas below the numbers.
  const auto name_numbers = [&](Box box) { name_area(pen, sheet.in, "operations", box); };
  const float from_numbers = operations.x - 4;
  const float high = std::max(pitch, 15.f);  // of the figures, in a low table as well; below them are commas
  name_numbers({from_numbers, y - high / 2, columns.steps - 8 - from_numbers, high + 1.5f});
  name_numbers({from_numbers, bar_y - 1, operations.w + 8, 6});

  const Box counted = cell(columns.counted, columns.whole);
  verdict_sign(pen, {counted.x + 8, y}, verdict_of(counts.agrees), small_verdict);
  const float from = counted.x + 22, room = counted.right() - from;
  put_counted(sheet, row, counts, {from, y}, figures, room);
  put(pen, {from, y + pitch}, counted_words(row, counts), dim, room);

  const Box whole =
      columns.shows_whole ? cell(columns.whole, columns.steps)
      : whole_below ? Box{columns.name + 14, y + 1.85f * pitch, columns.operations - columns.name - 20, pitch}
                    : Box{columns.name, line.y + 2, columns.operations - columns.name, line.h - 4};
  if (columns.shows_whole) {
    put_number(pen, {whole.x, y}, static_cast<double>(counts.whole), figures, whole.w);
    put(pen, {whole.x, y + pitch}, row.whole, small, whole.w);
  } else if (whole_below) {
    // Below the name, so that no outline around a column crosses it; the formula is below that of the loops.
    const draw::TextStyle of_value = mono_style(pen.theme.text, word_size);
    const float at = whole.centre().y;
    const float x = whole.x + put(pen, {whole.x, at}, "whole", dim, whole.w) + 8;
    // A longer number goes on below the bar, rather than be a power of ten beside numbers that are none.
    const bool fits =
        x + pen.canvas.text_width(whole_words(counts.whole), mono_style({}, small_size)) <= whole.right();
    const float wide = put_number(pen, {x, at}, static_cast<double>(counts.whole), of_value,
                                  (fits ? whole.right() : counted.x - 6) - x);
    name_numbers({x - 3, at - high / 2, wide + 6, high});
    if (pen.canvas.text_width(row.whole, small) <= counted.w) put(pen, {counted.x, at}, row.whole, small);
  }

  note_on(pen, clear(cell(columns.steps, columns.path)), "steps " + name_of(sheet, row), steps_note);
  put_quantity(sheet, of_layer("steps", row), {columns.steps, y}, figures, columns.path - columns.steps - 8);
  const Box path = cell(columns.path, columns.end + 12);
  float at = y;
  for (const CostPathEntry& entry : path_entries(sheet, row)) {
    const float width = put(pen, {path.x, at}, entry.value, figures, path.w);
    put(pen, {path.x + width + 7, at}, entry.words, dim, path.w - width - 7);
    at += pitch;
  }
  notes_of(sheet, row, clear(operations), counted, whole, path);
}

/// One layer as a list of five entries.
void list_entry(const CostSheet& sheet, const CostRow& row, Box box) {
  const Pen& pen = sheet.pen;
  const CostCounts counts = counts_of(sheet, row);
  const draw::TextStyle dim = words_style(pen.theme.dim), value = mono_style(pen.theme.text, 12);
  pen.canvas.line({box.x, box.y}, {box.right(), box.y}, {pen.theme.faint, 1});
  box.cut_top(4);
  const float pitch = box.h / 6;
  const Box title = box.cut_top(pitch);
  row_sign(sheet, row, {title.x + 4, title.centre().y});
  put(pen, {title.x + 14, title.centre().y}, name_of(sheet, row), strong_style(pen.theme.text, 12),
      title.w - 14);
  const float split = std::max(96.f, box.w * 0.3f);
  const auto entry = [&](const char* label, auto&& draw_value) {
    const Box line = box.cut_top(pitch);
    put(pen, {line.x + 14, line.centre().y}, label, dim, split - 20);
    const Box rest{line.x + split, line.y, line.w - split, line.h};
    draw_value(rest, rest.centre().y);
    return rest;
  };
  const Box operations = entry("leading term", [&](Box rest, float y) {
    const float w =
        put_number(pen, {rest.x, y}, sheet.in.value(of_layer("operations", row)), value, rest.w - 60);
    name_area(pen, sheet.in, "operations", {rest.x - 4, rest.y, w + 8, rest.h});
    put(pen, {rest.x + w + 8, y}, row.leading, dim, rest.w - w - 8);
  });
  const Box counted = entry("multiply-adds", [&](Box rest, float y) {
    verdict_sign(pen, {rest.x + 7, y}, verdict_of(counts.agrees), small_verdict);
    float x = rest.x + 20;
    const float w = put_counted(sheet, row, counts, {x, y}, value, rest.right() - x);
    name_area(pen, sheet.in, "operations", {x - 4, rest.y, w + 8, rest.h});
    x += w + 8;
    put(pen, {x, y}, counted_words(row, counts), dim, rest.right() - x);
  });
  const Box whole = entry("whole layer", [&](Box rest, float y) {
    const float w = put_number(pen, {rest.x, y}, static_cast<double>(counts.whole), value, rest.w);
    name_area(pen, sheet.in, "operations", {rest.x - 4, rest.y, w + 8, rest.h});
    if (pen.canvas.text_width(row.whole, dim) <= rest.w - w - 8)
      put(pen, {rest.x + w + 8, y}, row.whole, dim);
  });
  entry("sequential", [&](Box rest, float y) {
    note_on(pen, rest, "steps " + name_of(sheet, row), steps_note);
    put_quantity(sheet, of_layer("steps", row), {rest.x, y}, value, rest.w);
  });
  const Box path = entry("path length", [&](Box rest, float y) {
    float x = rest.x;
    for (const CostPathEntry& e : path_entries(sheet, row)) {
      x += put(pen, {x, y}, e.value, value, rest.right() - x) + 6;
      x += put(pen, {x, y}, e.words, dim, rest.right() - x) + 14;
    }
  });
  notes_of(sheet, row, operations, counted, whole, path);
}

std::string times_words(double ratio) {
  return ratio < 10 || !std::isfinite(ratio) ? fixed(ratio, 1)
                                             : with_commas(static_cast<long long>(ratio + 0.5));
}

std::string comparison(const CostSheet& sheet) {
  const auto attention = static_cast<double>(sheet.results.of(Architecture::self_attention).cost.leading);
  const auto recurrence = static_cast<double>(sheet.results.of(Architecture::recurrence).cost.leading);
  const double whole = sheet.in.value("layer_multiplications of=attention") /
                       sheet.in.value("layer_multiplications of=recurrence");
  const std::string layer = " A whole layer of self-attention, with the projections, has " +
                            sheet.in.text("layer_multiplications of=attention") + " multiply-adds, " +
                            times_words(whole) + " times those of a recurrence.";
  if (attention == recurrence)
    return "Here n = d: the leading terms of self-attention and recurrence are equal." + layer;
  const bool shorter = attention < recurrence;
  const std::string of[] = {"self-attention", "a recurrence"};
  return std::string(shorter ? "Here n < d" : "Here n > d") + ": the leading term of " + of[shorter] +
         " is " + sheet.in.text("leading_ratio") + " times that of " + of[!shorter] + "." + layer;
}

/// Whose sizes these are.
std::string of_model(const CostSheet& sheet) {
  const std::string words = of_model_words(sheet.results);
  return words.empty() ? "" : " · " + words;
}

/// What the columns count, and where the factor 2 comes from.
std::string what_is_counted(const CostSheet& sheet) {
  const scene::CountedHeads& heads = sheet.results.heads;
  bool smaller = counted_smaller(sheet, heads.counted_at);
  for (const scene::CountedLayer& layer : sheet.results.layers)
    smaller = smaller || counted_smaller(sheet, layer.counted_at);
  return std::string(
             "Leading term: the one that tables of complexity give. Multiply-adds: counted one by one while "
             "the loops ran") +
         (smaller ? " (✓, at a smaller size)" : " (✓)") +
         "; hence the factor 2: W_h and W_x, Q Kᵀ and A V. Linear attention: in one head; in h heads 2 n "
         "d²/h. "
         "Whole layer: with W_Q, W_K, W_V and W_O, 4\u00a0n\u00a0d². "
         "One "
         "multiply-add is two FLOP. The softmax is left out: " +
         sheet.in.text("heads_exponentials") + " exponentials in " + sheet.in.text("heads_counted") +
         (heads.many.heads == 1 ? " head, " : " heads, ") + sheet.in.text("one_head_exponentials") +
         " in one.";
}
constexpr const char* what_paths_are =
    "Maximum path length: the largest number of layers, steps or hops between two connected positions. "
    "Stacked kernels: O(n/k), Dive into Deep Learning; dilated: O(logₖ n), Vaswani et al. 2017.";

/// Words at the foot of `inside`, which they are cut from.
void foot_words(const Pen& pen, Box& inside, const std::string& words, const draw::TextStyle& style) {
  const Box foot = inside.cut_bottom(paragraph(pen, {inside.x, inside.y}, inside.w, words, style, 6, false));
  paragraph(pen, {foot.x, foot.y}, foot.w, words, style, 6);
}

constexpr float heads_row = 20;   // the names of the columns
constexpr float low_table = 300;  // what a table with its notes takes at least

}  // namespace

float cost_table_height(const CostSheet& sheet, float width) {
  const float inside = width - 2 * card_padding;
  constexpr float as_lists = 760, as_rows = 520, third_lines = 64;
  if (inside < tabular_width) return as_lists;
  return as_rows + (Columns(sheet, {0, 0, inside, as_rows}).shows_whole ? 0 : third_lines);
}

void cost_table_card(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const scene::CostSettings& s = sheet.settings;
  Box inside =
      card(pen, box, {"What one layer costs", size_words({s.n, s.d, s.k}, true) + of_model(sheet)}, "table");
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  const bool low = inside.h < low_table;  // the table alone; what it counts is in the page's mathematics
  const Columns columns(sheet, inside);
  const auto count = static_cast<float>(std::size(cost_rows));
  if (!low) {
    // Where whole layers need lines of their own, the sources of the paths are in the page's mathematics.
    Box below = inside;
    for (const std::string& words : {std::string(what_paths_are), what_is_counted(sheet)})
      below.cut_bottom(3 + paragraph(pen, {below.x, below.y}, below.w, words, quiet, 6, false));
    below.cut_bottom(6 + paragraph(pen, {below.x, below.y}, below.w, comparison(sheet),
                                   words_style(pen.theme.text), 6, false));
    const bool tight =
        inside.w >= tabular_width && !columns.shows_whole && below.h < heads_row + count * with_whole_below;
    if (!tight) {
      foot_words(pen, inside, what_paths_are, quiet);
      inside.cut_bottom(3);
    }
    foot_words(pen, inside, what_is_counted(sheet), quiet);
    inside.cut_bottom(3);
  }
  const float above_comparison = inside.bottom();
  foot_words(pen, inside, comparison(sheet), words_style(pen.theme.text));
  name_area(pen, sheet.in, "comparison",
            {inside.x - 4, inside.bottom(), inside.w + 8, above_comparison - inside.bottom()});
  inside.cut_bottom(6);

  if (inside.w < tabular_width) {
    const float height = std::min(118.f, inside.h / count);
    for (const CostRow& row : cost_rows) list_entry(sheet, row, inside.cut_top(height));
    return;
  }
  const Box head = inside.cut_top(heads_row);
  const auto heading = [&](float from, float to, const char* words) {
    put(pen, {from, head.centre().y}, words, quiet, to - from - 6);
  };
  const auto [leading, counted, whole] = Columns::heads();
  heading(columns.operations, columns.counted, leading);
  heading(columns.counted, columns.whole, counted);
  if (columns.shows_whole) heading(columns.whole, columns.steps, whole);
  heading(columns.steps, columns.path, columns.steps_head());
  heading(columns.path, columns.end + 6, columns.path_head());
  constexpr float highest = 96;
  const float height = std::min(highest, inside.h / count);
  for (const CostRow& row : cost_rows) table_line(sheet, row, columns, inside.cut_top(height));
}

}  // namespace headlight::views
