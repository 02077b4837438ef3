#include "pages/attention/view/cell_panel.h"

#include <algorithm>
#include <cmath>

#include "draw/colormap.h"
#include "kit/cells.h"
#include "kit/page_input.h"
#include "kit/weight_bar.h"
#include "kit/words.h"
#include "pages/attention/view/cell_lines.h"
#include "pages/attention/view/words.h"

namespace headlight::views {

namespace {

constexpr float row_label = 32;
constexpr float cell_row = 21;

constexpr float least_line = 16, most_line = 20;  // heights of a line

/// A row of cells with numbers, or only with colours. Each cell's tooltip has its number.
struct Cells {
  const char* name;
  const std::vector<double>& values;
  Color color;                   // of its name
  const char* note;              // "q", for "q[3] = −1.45"
  double end;                    // the scale is −end … end
  const char* stated = nullptr;  // not null: the scale is written at the right of the row, with this note
};
constexpr const char* scale_of_row =
    "a scale of its own: on the scale of the other rows, this row would look blank";
constexpr const char* scale_of_all = "the scale of the colours of all rows";

double largest_in(const std::vector<double>& row) {
  double largest = 0;
  for (const double v : row) largest = std::isfinite(v) ? std::max(largest, std::abs(v)) : largest;
  return largest;
}

/// Returns the largest magnitude of the four rows.
double scale_of(const nn::CellTrace& cell) {
  return std::max(
      {largest_in(cell.q), largest_in(cell.k), largest_in(cell.products), largest_in(cell.weighted_v)});
}

/// Returns the end of the scale of α × v alone if it would be blank on the shared one; else 0.
double own_scale_of_values(const nn::CellTrace& cell) {
  constexpr double least_part = 0.1;
  const double largest = largest_in(cell.weighted_v);
  return largest < least_part * scale_of(cell) ? largest : 0;
}

constexpr float most_cell = 110;  // width
float cell_gap(float wide) {
  return wide >= 12 ? 2.f : wide >= 5 ? 1.f : 0.f;
}

/// Returns with how many decimals a row's numbers are written; −1: without numbers. The largest has two
/// significant digits if they fit, else one. Where even these do not fit, the colours suffice, and the
/// tooltips have the numbers.
int decimals_of(const std::vector<double>& values, float width) {
  constexpr int usual = 2, most = 4;
  const float wide = std::min(width / static_cast<float>(std::max<std::size_t>(values.size(), 1)), most_cell);
  int digits = 0;
  double largest = 0;
  for (const double v : values) {
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
    const double whole = std::isfinite(v) ? std::floor(std::log10(std::max(1.0, std::abs(v)))) + 1 : 3;
    digits = std::max(digits, static_cast<int>(whole) + (v < 0 ? 1 : 0));
  }
  const int wanted = largest > 0 ? std::max(0, 1 - static_cast<int>(std::floor(std::log10(largest)))) : usual;
  if (wanted > most) return -1;
  const int least = largest < 1 ? wanted - 1 : wanted;
  for (int decimals = std::max(wanted, usual); decimals >= least; --decimals) {
    const int characters = digits + (decimals > 0 ? decimals + 1 : 0);
    if (wide - cell_gap(wide) - 2 >= 0.6f * word_size * static_cast<float>(characters)) return decimals;
  }
  return -1;
}

void draw_cells(const Sheet& sheet, Box row, const Cells& cells) {
  const draw::Theme& theme = sheet.theme();
  draw::Canvas& canvas = sheet.pen.canvas;
  const Box label = row.cut_left(row_label);
  put(sheet.pen, {label.x, label.centre().y}, cells.name, words_style(cells.color), label.w);
  const int count = static_cast<int>(cells.values.size());
  if (count == 0) return;
  if (cells.stated) {
    const std::string end = "±" + brief(cells.end, 2);
    const draw::TextStyle style = aligned(words_style(theme.dim, small_size), Align::right);
    const float wide = std::max(canvas.text_width(end, style), canvas.text_width("±0.00", style));
    const Box place = row.cut_right(wide + 6);  // as wide beside the other rows
    Mark mark;
    mark.part = Part::note, mark.area = place;
    mark.note = cells.stated;
    canvas.mark(mark);
    put(sheet.pen, {place.right(), place.centre().y}, end, style, place.w);
    canvas.mark({});
  }
  const float wide = std::min(row.w / static_cast<float>(count), most_cell);
  const float gap = cell_gap(wide);
  const int decimals = decimals_of(cells.values, row.w);
  const bool numbers = decimals >= 0;
  // When there are more numbers than units, those that share a unit show the largest.
  const int together =
      std::max(1, static_cast<int>(std::min(std::ceil(1.f / wide), static_cast<float>(count))));
  for (int c = 0; c < count; c += together) {
    int strongest = c;
    for (int other = c; other < std::min(count, c + together); ++other) {
      if (std::abs(cells.values[static_cast<std::size_t>(other)]) >
          std::abs(cells.values[static_cast<std::size_t>(strongest)]))
        strongest = other;
    }
    const double v = cells.values[static_cast<std::size_t>(strongest)];
    const auto end = static_cast<float>(cells.end);
    const Color ground =
        draw::color_of(theme, draw::Colormap::signed_weight, static_cast<float>(v), -end, end);
    Mark mark;
    mark.part = Part::note;
    mark.note = std::string(cells.note) + "[" + std::to_string(strongest) + "] = " + fixed(v, 4);
    canvas.mark(mark);
    const Box cell{row.x + static_cast<float>(c) * wide, row.y + 1, wide * static_cast<float>(together) - gap,
                   row.h - 3};
    canvas.rect(cell, ground, wide >= 12 ? 3.f : 0.f);
    if (wide >= 12) canvas.frame(cell, {theme.border, 1}, 3);
    if (numbers)
      canvas.text(cell.centre(), fixed(v, decimals),
                  aligned(mono_style(draw::readable_on(ground), word_size), Align::centre));
  }
  canvas.mark({});
}

/// Draws the switch of a line; a click assigns `set`.
void draw_switch(const Sheet& sheet, Box box, bool on, const std::string& set, const char* note) {
  const draw::Theme& theme = sheet.theme();
  Mark mark;
  mark.part = Part::control, mark.name = "divide by √d_k", mark.set = set, mark.note = note, mark.area = box;
  sheet.pen.canvas.mark(mark);
  sheet.pen.canvas.rect(box, on ? theme.accent : theme.field_hover, box.h / 2);
  sheet.pen.canvas.frame(box, {sheet.pen.over(mark.name) ? theme.dim : theme.border, 1}, box.h / 2);
  const float knob = box.h / 2 - 2.5f;
  sheet.pen.canvas.circle({on ? box.right() - knob - 2.5f : box.x + knob + 2.5f, box.centre().y}, knob,
                          on ? theme.on_accent : theme.dim);
  sheet.pen.canvas.mark({});
}

constexpr float temperature_decades = 1;  // range of the slider on both sides of 1

/// Is the number at the end of a line's words one that can be typed, in this width of the words? A shortened
/// line does not show it.
bool typed_in(const Sheet& sheet, const CellLine& line, float width) {
  if (sheet.pen.canvas.plain() || on_slide(sheet.pen)) return false;
  return sheet.pen.canvas.text_width(line.words, words_style({}, word_size)) <= width + 1;
}

/// Draws the slider of the temperature, which is logarithmic. `typed`: its number is beside it.
void draw_temperature(const Sheet& sheet, Box box, bool typed) {
  const draw::Theme& theme = sheet.theme();
  const auto now = static_cast<float>(std::log10(sheet.in.results.options.temperature));
  const float part = std::clamp((now / temperature_decades + 1) / 2, 0.f, 1.f);
  Mark mark;
  mark.part = Part::plane, mark.name = "temperature", mark.set = "temperature = 10^", mark.area = box;
  mark.from = -temperature_decades, mark.to = temperature_decades;
  mark.note = std::string("drag, or arrow keys: the temperature, from 0.1 to 10\n") +
              (typed ? "Enter, or a click on its number: type a value; " : "") + "double click: 1";
  sheet.pen.canvas.mark(mark);
  const Box track{box.x, box.centre().y - 2, box.w, 4};
  sheet.pen.canvas.rect(track, theme.selected == theme.panel ? theme.border : theme.selected, 2);
  sheet.pen.canvas.rect({track.x, track.y, track.w * part, track.h}, theme.accent, 2);
  sheet.pen.canvas.circle({track.x + track.w * part, box.centre().y}, 6, theme.text);
  sheet.pen.canvas.mark({});
}

/// Draws the control of a line between its words and its value, if there is room.
void draw_control(const Sheet& sheet, const CellLine& line, Box room, bool typed) {
  constexpr float switch_width = 28, least_slider = 24, most_slider = 110;
  if (sheet.pen.canvas.plain() || line.control == CellLine::Control::none) return;
  const float high = std::min(room.h - 2, 16.f), y = room.centre().y - high / 2;
  if (line.control == CellLine::Control::divides && room.w >= switch_width + 8) {
    const bool on = sheet.in.results.options.divide_by_sqrt_d_k;
    draw_switch(sheet, {room.x + 8, y, switch_width, high}, on, on ? "scale=false" : "scale=true",
                on ? "click: do not divide the scores by √d_k" : "click: divide the scores by √d_k");
  } else if (line.control == CellLine::Control::temperature && room.w >= least_slider + 20) {
    draw_temperature(sheet, {room.x + 12, room.y, std::min(room.w - 20, most_slider), room.h}, typed);
  }
}

/// Makes the number at the end of a line's words one that can be typed.
void typed_temperature(const Sheet& sheet, const CellLine& line, Box words) {
  const std::string number = line.words.substr(line.words.rfind(' ') + 1);
  const draw::TextStyle style = words_style(sheet.theme().text, word_size);
  const float width = sheet.pen.canvas.text_width(number, style);
  const Box box{words.right() - width - 2, words.y + 1, width + 4, words.h - 2};
  Mark mark;
  mark.part = Part::number, mark.set = "temperature", mark.query = 0, mark.key = 0, mark.area = box;
  mark.note = "click: type the temperature";
  sheet.pen.canvas.mark(mark);
  const draw::Hit* hover = sheet.pen.hover;
  if (hover && hover->mark.part == Part::number && hover->mark.set == mark.set)
    sheet.pen.canvas.frame(box, {sheet.theme().border, 1}, 3);
  sheet.pen.canvas.mark({});
}

/// Returns a weight's colour on the scale of the map.
Color weight_ground(const Sheet& sheet, float weight) {
  draw::Heatmap map;
  set_scale(map, shown_scale(sheet));
  const float value = std::isfinite(weight) ? draw::on_linear_scale(map, weight) : weight;
  return draw::color_of(sheet.theme(), map.map, value, map.lo, map.hi);
}

void draw_lines(const Sheet& sheet, Box& inside, const std::vector<CellLine>& lines, float high) {
  const draw::Theme& theme = sheet.theme();
  const float size = word_size;
  for (const CellLine& line : lines) {
    const Box row = inside.cut_top(high);
    const float y = row.centre().y;
    if (line.head >= 0) {
      Mark mark;
      mark.part = Part::control, mark.name = "open head " + std::to_string(line.head + 1), mark.area = row;
      mark.set = "head=" + std::to_string(line.head + 1);
      mark.note = "click: show this head alone, with its arithmetic";
      sheet.pen.canvas.mark(mark);
      if (sheet.pen.over(mark.name)) sheet.pen.canvas.rect(row, theme.field_hover, 3);
    }
    if (!line.explains.empty()) explains_mark(sheet.pen, line.explains, row);
    const draw::TextStyle value =
        aligned(mono_style(line.quiet ? theme.dim : theme.text, size), Align::right);
    const float width = sheet.pen.canvas.text_width(line.value, value);
    const float words = put(sheet.pen, {row.x, y}, line.words,
                            words_style(line.quiet ? theme.dim : theme.text, size), row.w - width - 16);
    const bool typed = line.control == CellLine::Control::temperature && typed_in(sheet, line, words);
    draw_control(sheet, line, {row.x + words, row.y, row.w - words - width, row.h}, typed);
    if (typed) typed_temperature(sheet, line, {row.x, row.y, words, row.h});
    if (line.weight) {
      const Color ground = weight_ground(sheet, static_cast<float>(sheet.in.cell->weight));
      const Box swatch{row.right() - width - 12, row.y, width + 12, high - 1};
      sheet.pen.canvas.rect(swatch, sheet.in.cell->allowed ? ground : theme.mask, 4);
      draw::TextStyle on = value;
      on.color = sheet.in.cell->allowed ? draw::readable_on(ground) : theme.text;
      sheet.pen.canvas.text({row.right() - 6, y}, line.value, on);
    } else {
      sheet.pen.canvas.text({row.right(), y}, line.value, value);
    }
    if (line.head >= 0) sheet.pen.canvas.mark({});
  }
}

constexpr float buttons_height = 28;

/// What the card is about, and below it the pair of tokens, of which long ones are shortened.
struct CellTitle {
  std::string title, pair;
};
CellTitle title_of(const Sheet& sheet, const nn::CellTrace& cell, float width) {
  // A blocked weight is not a small number: it is exactly 0.
  const std::string weight = weight_text(static_cast<double>(cell.weight_f32));
  std::string start = cell.allowed ? "How " + weight + " is computed" : "Why the weight is exactly 0", end;
  if (cell.heads.size() == 1) {
    start = weight + ", saved";
    if (sheet.selection.kind != HeadsShown::one) end = " · head " + std::to_string(cell.head + 1);
  } else if (!cell.heads.empty()) {
    start = weight + ", " + (cell.largest ? "max" : "mean") + " of " + std::to_string(cell.heads.size()) +
            " heads";
  } else if (sheet.selection.kind != HeadsShown::one) {
    end = " · head " + std::to_string(cell.head + 1);
  }
  const draw::TextStyle style = words_style(sheet.theme().dim);
  const std::string pair =
      token_in_words(sheet.in, cell.query) + " → " + key_in_words(sheet.in, cell.key) + end;
  const float whole = sheet.pen.canvas.text_width(pair, style);
  if (whole <= width) return {start, pair};
  const float query = sheet.pen.canvas.text_width(token_label(sheet.in, cell.query), style);
  const float key = sheet.pen.canvas.text_width(key_label(sheet.in, cell.key), style);
  constexpr float least_token = 20;
  const float tokens = width - whole + query + key - 2;
  const float half = std::max(tokens / 2, least_token);
  return {start, token_in_words(sheet, cell.query, std::max(half, tokens - key)) + " → " +
                     key_in_words(sheet, cell.key, std::max(half, tokens - query)) + end};
}

Choice copy_latex() {
  return {"Copy LaTeX", "", "copy latex", false, "this arithmetic as LaTeX"};
}
Choice copy_numpy() {
  return {"Copy NumPy", "", "copy numpy", false, "this arithmetic as Python"};
}

/// Returns the length of the bar of the scale that the strips share, at the left of the buttons in a row of
/// this width. 0: it has no room there.
float scale_bar_width(const Sheet& sheet, float width) {
  constexpr float most = 150, least = 52, beside = 10;
  const Pen& pen = sheet.pen;
  const float buttons = button_width(pen, copy_latex()) + button_width(pen, copy_numpy()) + 16;
  const float room = pen.canvas.plain() ? width : width - buttons - beside;  // paper has no buttons
  const std::string end = brief(scale_of(*sheet.in.cell), 2);
  const float ends = pen.canvas.text_width("−" + end + end, words_style({}, small_size));
  return room < std::max(least, ends + 8) ? 0 : std::min(most, room);
}

ColorBar scale_of_strips(const Sheet& sheet) {
  const std::string end = brief(scale_of(*sheet.in.cell), 2);
  return {draw::Colormap::signed_weight, "−" + end, "", end};
}

void draw_copies(const Sheet& sheet, Box row) {
  // Draw the buttons from left to right, which is the order of Tab.
  const float y = row.bottom() - control_height + 4;
  button(sheet.pen, {row.right() - button_width(sheet.pen, copy_numpy()) - 8, y}, copy_latex());
  button(sheet.pen, {row.right(), y}, copy_numpy());
  // The scale that all strips share, with its ends.
  const float wide = scale_bar_width(sheet, row.w);
  if (!sheet.in.cell->heads.empty() || wide <= 0) return;
  color_bar(sheet.pen, {row.x, y + 6, wide, 7}, scale_of_strips(sheet));
}

/// `stated`: the scale is written beside the strips, as its bar has no room.
void draw_products(const Sheet& sheet, Box& inside, bool stated) {
  const nn::CellTrace& cell = *sheet.in.cell;
  const double end = scale_of(cell);
  const char* note = stated ? scale_of_all : nullptr;
  draw_cells(sheet, inside.cut_top(cell_row), {"q", cell.q, sheet.theme().query, "q", end, note});
  draw_cells(sheet, inside.cut_top(cell_row), {"k", cell.k, sheet.theme().key, "k", end, note});
  draw_cells(sheet, inside.cut_top(cell_row), {"q×k", cell.products, sheet.theme().text, "q·k", end, note});
}

void draw_weighted_values(const Sheet& sheet, Box& inside, bool stated) {
  const nn::CellTrace& cell = *sheet.in.cell;
  const double own = own_scale_of_values(cell);
  draw_cells(sheet, inside.cut_top(cell_row),
             {"α×v", cell.weighted_v, sheet.theme().value, "α·v", own > 0 ? own : scale_of(cell),
              own > 0  ? scale_of_row
              : stated ? scale_of_all
                       : nullptr});
}

}  // namespace

float cell_height(const Sheet& sheet, CellLook look) {
  const float frame = 2 * card_padding + 18 + 8 + 16;
  const float high = look == CellLook::tall ? most_line : least_line;
  if (!sheet.in.cell) return frame + 60 + high * static_cast<float>(score_controls(sheet).size());
  const auto count = cell_lines(sheet).size() + cell_results(sheet.in, *sheet.in.cell).size();
  const float lines = static_cast<float>(count) * high;
  if (!sheet.in.cell->heads.empty()) return frame + lines + 4 + buttons_height;
  if (look == CellLook::wide) return frame + std::max(lines + 4, 4 * cell_row + 4) + buttons_height + 2;
  return frame + 4 * cell_row + 8 + lines + buttons_height;
}

void draw_cell(const Sheet& sheet, Box box, CellLook look) {
  const nn::CellTrace* cell = sheet.in.cell;
  if (!cell) {
    Box inside = card(sheet.pen, box, {}, "cell");
    // They change the weights of every cell.
    const std::vector<CellLine> controls = score_controls(sheet);
    Box below = inside.cut_bottom(most_line * static_cast<float>(controls.size()));
    draw_lines(sheet, below, controls, most_line);
    return invitation(sheet.pen, inside, "No cell is open", "click a cell to see its arithmetic");
  }
  const CellTitle title = title_of(sheet, *cell, box.w - 2 * card_padding);
  Box inside = card(sheet.pen, box, {title.title, title.pair, 0}, "cell");
  draw_copies(sheet, inside);
  const std::vector<CellLine> lines = cell_lines(sheet), results = cell_results(sheet.in, *cell);
  const bool combined = !cell->heads.empty(), wide = look == CellLook::wide;
  // The lines share the height.
  float others = buttons_height + (combined || wide ? 4.f : 4 * cell_row + 8);
  // Without room beside the buttons the bar of the strips has a row below them, else each states its scale.
  constexpr float scale_row = 18;
  const bool elsewhere = !combined && scale_bar_width(sheet, inside.w) <= 0;
  const float least = others + scale_row + least_line * static_cast<float>(lines.size() + results.size());
  const bool below = elsewhere && !wide && inside.h >= least, stated = elsewhere && !below;
  if (below) others += scale_row;
  const float high = std::clamp(std::floor((inside.h - others) / static_cast<float>(std::max<std::size_t>(
                                                                     1, lines.size() + results.size()))),
                                least_line, most_line);
  if (wide && !combined) {
    Box left = inside.cut_left(std::floor(std::max(inside.w * 0.48f, inside.w - 440)) - 12);
    inside.cut_left(24);
    draw_products(sheet, left, stated);
    left.cut_top(4);
    draw_weighted_values(sheet, left, stated);
  } else if (!combined) {
    draw_products(sheet, inside, stated);
    if (below) {
      constexpr float most = 190;
      const Box row = inside.cut_top(scale_row);
      low_color_bar(sheet.pen, {row.x + row_label, row.y, std::min(most, row.w - row_label), row.h - 2},
                    scale_of_strips(sheet));
    }
    inside.cut_top(4);
  }
  draw_lines(sheet, inside, lines, high);
  inside.cut_top(4);
  if (!combined && !wide) draw_weighted_values(sheet, inside, stated);
  draw_lines(sheet, inside, results, high);
}

}  // namespace headlight::views
