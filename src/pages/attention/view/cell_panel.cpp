#include "pages/attention/view/cell_panel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "draw/colormap.h"
#include "kit/cells.h"
#include "kit/page_input.h"
#include "kit/weight_bar.h"
#include "kit/words.h"
#include "pages/attention/view/words.h"

namespace headlight::views {

namespace {

constexpr float row_label = 32;
constexpr float cell_row = 21;

struct Line {
  std::string words, value;
  bool weight = false;  // the resulting weight: drawn like its cell
  bool quiet = false;
  int head = -1;  // a click shows this head alone
  enum class Control { none, divides, temperature } control = Control::none;
  std::string explains;  // the quantity that the tooltip explains
};

Line explained(Line line, std::string quantity) {
  line.explains = std::move(quantity);
  return line;
}

constexpr std::size_t most_heads_listed = 8;

/// A mean or a maximum has no softmax of its own, so the lines list the heads' weights.
std::vector<Line> lines_of_heads(const nn::CellTrace& cell) {
  std::vector<Line> out;
  const std::size_t count = cell.heads.size();
  const std::size_t listed = count <= most_heads_listed ? count : most_heads_listed - 1;
  double sum = 0, rest = 0, largest_of_rest = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const nn::HeadWeight& one = cell.heads[n];
    sum += one.weight;
    if (n < listed) {
      out.push_back(
          {"head " + std::to_string(one.head + 1), weight_text(one.weight), false, false, one.head});
    } else {
      rest += one.weight, largest_of_rest = std::max(largest_of_rest, one.weight);
    }
  }
  if (listed < count) {
    const std::string more = std::to_string(count - listed) + " more heads, ";
    out.push_back({more + (cell.largest ? "the largest" : "together"),
                   weight_text(cell.largest ? largest_of_rest : rest), false, true});
  }
  if (!cell.allowed) {
    out.push_back({"mask: every head’s weight is exactly", "0", true});
  } else if (cell.largest) {
    out.push_back({"the largest: head " + std::to_string(cell.head + 1), weight_text(cell.weight), true});
  } else {
    out.push_back({"sum", weight_text(sum)});
    out.push_back({"÷ " + std::to_string(count) + " heads = mean", weight_text(cell.weight), true});
  }
  out.push_back({"display only: no layer computes it", "", false, true});
  return out;
}

std::string of_cell(const char* name, const nn::CellTrace& cell) {
  return quantity(name, {{"head", cell.head + 1}, {"query", cell.query}, {"key", cell.key}});
}

/// Returns the lines of a weight that was saved without q and k.
std::vector<Line> lines_of_saved(const PageInput& in, const nn::CellTrace& cell) {
  const std::string weight = in.text(of_cell("weight", cell));
  std::vector<Line> out{{"weight", weight, cell.allowed}};
  out.push_back({"sum of the query’s row",
                 in.text(quantity("row_sum", {{"head", cell.head + 1}, {"query", cell.query}}))});
  out.push_back({"entropy of the row in bits",
                 in.text(quantity("row_entropy", {{"head", cell.head + 1}, {"query", cell.query}}))});
  out.push_back({"no q and k in the file: no scores", "", false, true});
  return out;
}

/// Describes what an imported model does to q and k before they are multiplied; empty: it only projects.
std::string done_to_q_and_k(const scene::OpenedLayer& layer, int d_k) {
  std::string out;
  const auto add = [&](const std::string& words) { out += (out.empty() ? "q, k: after " : ", ") + words; };
  if (layer.bias) add("bias");
  if (layer.qk_norm) add("norm");
  if (layer.rotary > 0)
    add("RoPE" + (layer.rotary < d_k
                      ? " on " + std::to_string(layer.rotary) + " of " + std::to_string(d_k) + " components"
                      : std::string()));
  return out;
}

/// Adds the lines from q · k to the score, one for each step.
void add_steps_to_score(const Sheet& sheet, std::vector<Line>& out) {
  const PageInput& in = sheet.in;
  const nn::CellTrace& cell = *in.cell;
  const scene::OpenedLayer* opened = in.results.opened.get();
  double score = cell.dot;
  // Settings of the scene have their control at the step that they change; for an opened model they change
  // the layer.
  using Control = Line::Control;
  const double scale = in.results.options.custom_scale;
  if (in.results.options.divide_by_sqrt_d_k) {
    score /= cell.sqrt_d_k;
    out.push_back(
        {"÷ √d_k = √" + fixed(static_cast<double>(cell.q.size()), 0) + " = " + fixed(cell.sqrt_d_k, 3),
         fixed(score, 3), false, false, -1, Control::divides});
  } else if (opened && scale != 1) {
    score *= scale;
    out.push_back({"× " + brief(scale, 4) + ", the model’s scale", fixed(score, 3)});
  } else {
    const bool own = opened && opened->scale == 1;
    out.push_back({own ? "not ÷ √d_k, the model’s own" : "not divided by √d_k", fixed(score, 3), false, true,
                   -1, own ? Control::none : Control::divides});
  }
  score /= cell.temperature;
  out.push_back({"÷ temperature " + brief(cell.temperature, 4), fixed(score, 3), false, cell.temperature == 1,
                 -1, Control::temperature});
  if (cell.cap > 0) {
    const std::string cap = brief(cell.cap, 4);
    score = cell.cap * std::tanh(score / cell.cap);
    out.push_back({"soft cap " + cap + " · tanh(score ÷ " + cap + ")", fixed(score, 3)});
  }
}

std::string mask_words(const Sheet& sheet) {
  const nn::CellTrace& cell = *sheet.in.cell;
  const scene::OpenedLayer* opened = sheet.in.results.opened.get();
  if (cell.row_masked) return "mask: this query may attend to no key";
  if (opened && opened->causal && cell.key > cell.query) return "causal mask: this key comes later";
  if (opened && opened->window > 0 && cell.key <= cell.query - opened->window)
    return "window: only the last " + std::to_string(opened->window) + " keys are allowed";
  return "mask: this key is blocked";
}

std::vector<Line> lines_of(const Sheet& sheet) {
  const PageInput& in = sheet.in;
  const nn::CellTrace& cell = *in.cell;
  if (cell.heads.size() == 1) return lines_of_saved(in, cell);
  if (!cell.heads.empty()) return lines_of_heads(cell);
  std::vector<Line> out;
  const auto number = [&](const char* name) { return in.text(of_cell(name, cell)); };
  const auto of_row = [&](const char* name) {
    return quantity(name, {{"head", cell.head + 1}, {"query", cell.query}});
  };
  const auto in_row = [&](const char* name) { return in.text(of_row(name)); };
  out.push_back(explained({"q · k (sum of the row q×k)", number("dot")}, of_cell("dot", cell)));
  if (const scene::OpenedLayer* opened = in.results.opened.get()) {
    if (std::string done = done_to_q_and_k(*opened, static_cast<int>(cell.q.size())); !done.empty())
      out.push_back({std::move(done), "", false, true});
  }
  add_steps_to_score(sheet, out);
  if (cell.add != 0) {
    out.push_back({"+ bias " + number("bias"), number("score")});
  } else {
    out.back().value = number("score");
  }
  if (!cell.allowed) {
    out.push_back({mask_words(sheet), "score −∞"});
    out.push_back({"weight is exactly", "0", true});
    return out;
  }
  out.push_back({"mask", sheet.selection.masked ? "allowed" : "none", false, true});
  out.push_back(explained({"row maximum", in_row("row_maximum")}, of_row("row_maximum")));
  out.push_back(explained({"exp(score − row maximum)", in.text(of_cell("exponential", cell))},
                          of_cell("exponential", cell)));
  out.push_back(
      explained({"÷ row sum " + in_row("exponentials") + " = weight", number("weight_in_double"), true},
                of_row("exponentials")));
  return out;
}

std::vector<Line> results_of(const PageInput& in, const nn::CellTrace& cell) {
  if (cell.heads.size() == 1) return {};
  if (in.results.attention.q.empty()) return {};  // the weights were loaded without q and k
  if (!cell.heads.empty()) return {{"float32 error", brief(cell.residual, 2), false, true}};
  const std::string share = in.text(of_cell("value_share", cell)),
                    along = in.text(of_cell("value_projection", cell));
  const Line residual = explained({"float32 error", in.text(of_cell("weight_error", cell)), false, true},
                                  of_cell("weight_error", cell));
  if (cell.v.empty()) return {residual, {"the file holds no v", "", false, true}};
  const Line of_values =
      explained({"share of ‖αv‖, over all keys", share, false, true}, of_cell("value_share", cell));
  return {
      of_values,
      explained({"αv along the output, ÷ ‖output‖", along, false, true}, of_cell("value_projection", cell)),
      residual};
}

constexpr float least_line = 16, most_line = 20;  // heights of a line

/// A row of cells with numbers, or only with colours. Each cell's tooltip has its number.
struct Cells {
  const char* name;
  const std::vector<double>& values;
  Color color;       // of its name
  const char* note;  // "q", for "q[3] = −1.45"
  double end;        // the scale is −end … end
  bool own = false;  // the scale is of this row alone, and is written at its right
};

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
  constexpr double least_part = 0.05;
  const double largest = largest_in(cell.weighted_v);
  return largest < least_part * scale_of(cell) ? largest : 0;
}

constexpr float most_cell = 110;  // width
float cell_gap(float wide) {
  return wide >= 12 ? 2.f : wide >= 5 ? 1.f : 0.f;
}

/// Returns with how many decimals a row's numbers are written; −1: without numbers. The largest has at least
/// two significant digits. Where these do not fit, the colours suffice, and the tooltips have the numbers.
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
  const int least = largest > 0 ? std::max(0, 1 - static_cast<int>(std::floor(std::log10(largest)))) : usual;
  if (least > most) return -1;
  for (int decimals = std::max(least, usual); decimals >= least; --decimals) {
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
  if (cells.own) {
    const std::string end = "±" + brief(cells.end, 2);
    const draw::TextStyle style = aligned(words_style(theme.dim, small_size), Align::right);
    const Box place = row.cut_right(canvas.text_width(end, style) + 6);
    Mark mark;
    mark.part = Part::note, mark.area = place;
    mark.note = "the scale of this row alone: on that of the other rows it would be blank";
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

/// Draws the slider of the temperature, which is logarithmic.
void draw_temperature(const Sheet& sheet, Box box) {
  const draw::Theme& theme = sheet.theme();
  const auto now = static_cast<float>(std::log10(sheet.in.cell->temperature));
  const float part = std::clamp((now / temperature_decades + 1) / 2, 0.f, 1.f);
  Mark mark;
  mark.part = Part::plane, mark.set = "temperature = 10^", mark.area = box;
  mark.from = -temperature_decades, mark.to = temperature_decades;
  mark.note = "drag: the temperature, from 0.1 to 10";
  sheet.pen.canvas.mark(mark);
  const Box track{box.x, box.centre().y - 2, box.w, 4};
  sheet.pen.canvas.rect(track, theme.selected == theme.panel ? theme.border : theme.selected, 2);
  sheet.pen.canvas.rect({track.x, track.y, track.w * part, track.h}, theme.accent, 2);
  sheet.pen.canvas.circle({track.x + track.w * part, box.centre().y}, 6, theme.text);
  sheet.pen.canvas.mark({});
}

/// Draws the control of a line between its words and its value, if there is room.
void draw_control(const Sheet& sheet, const Line& line, Box room) {
  constexpr float switch_width = 28, least_slider = 44, most_slider = 110;
  if (sheet.pen.canvas.plain() || line.control == Line::Control::none) return;
  const float high = std::min(room.h - 2, 16.f), y = room.centre().y - high / 2;
  if (line.control == Line::Control::divides && room.w >= switch_width + 8) {
    const bool on = sheet.in.results.options.divide_by_sqrt_d_k;
    draw_switch(sheet, {room.x + 8, y, switch_width, high}, on, on ? "scale=false" : "scale=true",
                on ? "click: do not divide the scores by √d_k" : "click: divide the scores by √d_k");
  } else if (line.control == Line::Control::temperature && room.w >= least_slider + 20) {
    draw_temperature(sheet, {room.x + 12, room.y, std::min(room.w - 20, most_slider), room.h});
  }
}

/// Returns a weight's colour on the scale of the map.
Color weight_ground(const Sheet& sheet, float weight) {
  draw::Heatmap map;
  set_scale(map, shown_scale(sheet));
  const float value = std::isfinite(weight) ? draw::on_linear_scale(map, weight) : weight;
  return draw::color_of(sheet.theme(), map.map, value, map.lo, map.hi);
}

void draw_lines(const Sheet& sheet, Box& inside, const std::vector<Line>& lines, float high) {
  const draw::Theme& theme = sheet.theme();
  const float size = word_size;
  for (const Line& line : lines) {
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
    draw_control(sheet, line, {row.x + words, row.y, row.w - words - width, row.h});
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

/// Returns a title with the weight and, where there is room, both tokens; long tokens are shortened.
std::string title_of(const Sheet& sheet, const nn::CellTrace& cell, float width) {
  // A blocked weight is not a small number: it is exactly 0.
  const std::string weight = weight_text(static_cast<double>(cell.weight_f32));
  std::string start = cell.allowed ? "How " + weight + " is computed: " : "Why the weight is exactly 0: ",
              end;
  if (cell.heads.size() == 1) {
    start = weight + ", saved: ";
    if (sheet.selection.kind != HeadsShown::one) end = " · head " + std::to_string(cell.head + 1);
  } else if (!cell.heads.empty()) {
    start = weight + ", " + (cell.largest ? "max" : "mean") + " of " + std::to_string(cell.heads.size()) +
            " heads: ";
  } else if (sheet.selection.kind != HeadsShown::one) {
    end = " · head " + std::to_string(cell.head + 1);
  }
  const draw::TextStyle style = strong_style(sheet.theme().text);
  // The tokens are more important than what the card shows anyway.
  const std::string told = told_token(sheet.in, cell.query) + " → " + told_key(sheet.in, cell.key) + end;
  if (sheet.pen.canvas.text_width(start + told, style) <= width) return start + told;
  // Without room the words before the pair are left out, then parts of its tokens are.
  if (cell.allowed && cell.heads.empty()) start = weight + ": ";
  if (sheet.pen.canvas.text_width(start + told, style) <= width) return start + told;
  const float query = sheet.pen.canvas.text_width(token_label(sheet.in, cell.query), style);
  const float key = sheet.pen.canvas.text_width(key_label(sheet.in, cell.key), style);
  constexpr float least_token = 20;
  const float tokens = width - sheet.pen.canvas.text_width(start + told, style) + query + key - 2;
  if (tokens < 2 * least_token && !cell.heads.empty()) return start.substr(0, start.size() - 2) + end;
  const float half = std::max(tokens / 2, least_token);
  return start + told_token(sheet, cell.query, std::max(half, tokens - key)) + " → " +
         told_key(sheet, cell.key, std::max(half, tokens - query)) + end;
}

void draw_copies(const Sheet& sheet, Box row) {
  const Choice latex{"Copy LaTeX", "", "copy latex", false, "this arithmetic as LaTeX"},
      numpy{"Copy NumPy", "", "copy numpy", false, "this arithmetic as Python"};
  // Draw the buttons from left to right, which is the order of Tab.
  const float y = row.bottom() - control_height + 4;
  const float x = button(sheet.pen, {row.right() - button_width(sheet.pen, numpy) - 8, y}, latex).x - 8;
  button(sheet.pen, {row.right(), y}, numpy);
  // The scale that all strips share, with its ends.
  const float room = x - row.x - 10;
  const std::string end = brief(scale_of(*sheet.in.cell), 2);
  const float ends = sheet.pen.canvas.text_width("−" + end + end, words_style(sheet.theme().dim, small_size));
  if (!sheet.in.cell->heads.empty() || room < std::max(52.f, ends + 8)) return;
  color_bar(sheet.pen, {row.x, y + 6, std::min(150.f, room), 7},
            {draw::Colormap::signed_weight, "−" + end, "", end});
}

void draw_products(const Sheet& sheet, Box& inside) {
  const nn::CellTrace& cell = *sheet.in.cell;
  const double end = scale_of(cell);
  draw_cells(sheet, inside.cut_top(cell_row), {"q", cell.q, sheet.theme().query, "q", end});
  draw_cells(sheet, inside.cut_top(cell_row), {"k", cell.k, sheet.theme().key, "k", end});
  draw_cells(sheet, inside.cut_top(cell_row), {"q×k", cell.products, sheet.theme().text, "q·k", end});
}

void draw_weighted_values(const Sheet& sheet, Box& inside) {
  const nn::CellTrace& cell = *sheet.in.cell;
  const double own = own_scale_of_values(cell);
  draw_cells(sheet, inside.cut_top(cell_row),
             {"α×v", cell.weighted_v, sheet.theme().value, "α·v", own > 0 ? own : scale_of(cell), own > 0});
}

}  // namespace

float cell_height(const Sheet& sheet, CellLook look) {
  const float frame = 2 * card_padding + 18 + 8;
  if (!sheet.in.cell) return frame + 60;
  const float high = look == CellLook::tall ? most_line : least_line;
  const auto count = lines_of(sheet).size() + results_of(sheet.in, *sheet.in.cell).size();
  const float lines = static_cast<float>(count) * high;
  if (!sheet.in.cell->heads.empty()) return frame + lines + 4 + buttons_height;
  if (look == CellLook::wide) return frame + std::max(lines + 4, 4 * cell_row + 4) + buttons_height + 2;
  return frame + 4 * cell_row + 8 + lines + buttons_height;
}

void draw_cell(const Sheet& sheet, Box box, CellLook look) {
  const nn::CellTrace* cell = sheet.in.cell;
  if (!cell) {
    invitation(sheet.pen, card(sheet.pen, box, {}, "cell"), "No cell is open",
               "click a cell to see how its weight is computed");
    return;
  }
  Box inside = card(sheet.pen, box, {title_of(sheet, *cell, box.w - 2 * card_padding), {}, 0}, "cell");
  draw_copies(sheet, inside);
  const std::vector<Line> lines = lines_of(sheet), results = results_of(sheet.in, *cell);
  const bool combined = !cell->heads.empty(), wide = look == CellLook::wide;
  // The lines share the height.
  const float others = buttons_height + (combined || wide ? 4.f : 4 * cell_row + 8);
  const float high = std::clamp(std::floor((inside.h - others) / static_cast<float>(std::max<std::size_t>(
                                                                     1, lines.size() + results.size()))),
                                least_line, most_line);
  if (wide && !combined) {
    Box left = inside.cut_left(std::floor(std::max(inside.w * 0.48f, inside.w - 440)) - 12);
    inside.cut_left(24);
    draw_products(sheet, left);
    left.cut_top(4);
    draw_weighted_values(sheet, left);
  } else if (!combined) {
    draw_products(sheet, inside);
    inside.cut_top(4);
  }
  draw_lines(sheet, inside, lines, high);
  inside.cut_top(4);
  if (!combined && !wide) draw_weighted_values(sheet, inside);
  draw_lines(sheet, inside, results, high);
}

}  // namespace headlight::views
