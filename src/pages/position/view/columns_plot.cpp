#include <algorithm>
#include <cmath>
#include <numbers>

#include "kit/curve.h"
#include "kit/words.h"
#include "pages/position/view/cards.h"

namespace headlight::views {

namespace {

constexpr float chip_height = 24, chip_gap = 6;

/// The title names the columns while they are few: "Columns 6–9", "Columns 2, 6 and 7", "12 columns".
std::string columns_title(const PositionView& view) {
  std::vector<int> columns = view.columns;
  if (columns.empty()) return "No column is plotted";
  std::sort(columns.begin(), columns.end());
  const bool run = columns.back() - columns.front() + 1 == static_cast<int>(columns.size());
  if (columns.size() == 1) return "Column " + std::to_string(columns[0]);
  if (run) return "Columns " + std::to_string(columns.front()) + "–" + std::to_string(columns.back());
  if (columns.size() > 5) return std::to_string(columns.size()) + " columns of P";
  std::string words = "Columns ";
  for (std::size_t n = 0; n < columns.size(); ++n)
    words += (n == 0 ? "" : n + 1 == columns.size() ? " and " : ", ") + std::to_string(columns[n]);
  return words;
}

struct Chip {
  int column = -1;  // −1: the chip that adds one
  int slot = 0;
  std::string name, here, there;  // what it says: the column, its value at i and at i + δ
  float width = 0;
};

Chip column_chip(const PositionView& view, std::size_t slot, bool values) {
  Chip chip;
  chip.column = view.columns[slot], chip.slot = static_cast<int>(slot);
  chip.name = "col " + std::to_string(chip.column);
  const Pen& pen = view.pen;
  chip.width = 8 + 18 + 6 + pen.canvas.text_width(chip.name, words_style({})) + 20;
  if (!values || !marks_selection(pen)) return chip;
  const float number = pen.canvas.text_width("−0.000", mono_style({}, small_size)) + 8;
  if (view.has(view.i)) {
    chip.here = fixed(view.along(chip.column, view.running), 3);
    chip.width += number;
  }
  if (view.delta != 0 && view.has(view.ahead())) {
    chip.there = fixed(view.along(chip.column, view.running + view.delta), 3);
    chip.width += number;
  }
  return chip;
}

/// The column that "+" adds: the next one after the last plotted, else the first that is missing.
int next_column(const PositionView& view) {
  const int last = view.columns.empty() ? -1 : *std::max_element(view.columns.begin(), view.columns.end());
  if (last + 1 < view.cols) return last + 1;
  for (int column = 0; column < view.cols; ++column) {
    if (!view.plotted(column)) return column;
  }
  return -1;
}

void draw_chip(const PositionView& view, const Chip& chip, Point at) {
  const Pen& pen = view.pen;
  const Box box{at.x, at.y, chip.width, chip_height};
  draw::Mark mark;
  mark.part = Part::control, mark.area = box;
  if (chip.column < 0) {
    const int column = next_column(view);
    mark.name = "add column", mark.set = toggled_columns(view, column);
    mark.note = "plot column " + std::to_string(column);
    pen.canvas.mark(mark);
    pen.canvas.rect(box, pen.over(mark.name) ? pen.theme.field_hover : pen.theme.field, 6);
    const Point c = box.centre();
    pen.canvas.line({c.x - 4, c.y}, {c.x + 4, c.y}, {pen.theme.text, 1.5f});
    pen.canvas.line({c.x, c.y - 4}, {c.x, c.y + 4}, {pen.theme.text, 1.5f});
    pen.canvas.mark({});
    return;
  }
  const draw::Color color = view.colors[static_cast<std::size_t>(chip.slot)];
  mark.name = chip.name, mark.set = toggled_columns(view, chip.column);
  mark.note = "column " + std::to_string(chip.column) +
              (view.waves() ? std::string(", ") + (is_sine(chip.column) ? "sin" : "cos") + "(i · ω" +
                                  subscript(chip.column / 2) + "), ω" + subscript(chip.column / 2) + " = " +
                                  frequency_words(view.omega(chip.column / 2))
                            : std::string()) +
              "\nclick: remove from the plot";
  pen.canvas.mark(mark);
  const bool over = pen.over(mark.name);
  pen.canvas.rect(box, over ? pen.theme.field_hover : pen.theme.field, 6);
  if (view.lit(chip.column)) pen.canvas.frame(box, {color, 1.5f}, 6);
  float x = box.x + 8;
  const float y = box.centre().y;
  pen.canvas.line({x, y}, {x + 18, y}, {color, 2.5f, view.sine(chip.column) ? 0.f : 4.f});
  x += 24;
  x += put(pen, {x, y}, chip.name, words_style(pen.theme.text)) + 8;
  const float number = pen.canvas.text_width("−0.000", mono_style({}, small_size)) + 8;
  const auto numeral = [&](const std::string& words, draw::Color ink) {
    if (words.empty()) return;
    put(pen, {x + number - 8, y}, words, aligned(mono_style(ink, small_size), Align::right));
    x += number;
  };
  numeral(chip.here, pen.theme.key);
  numeral(chip.there, pen.theme.offset);
  if (pen.canvas.plain()) return pen.canvas.mark({});
  const Point cross{box.right() - 11, y};
  const draw::Stroke stroke{over ? pen.theme.text : pen.theme.dim, 1.2f};
  pen.canvas.line({cross.x - 3, cross.y - 3}, {cross.x + 3, cross.y + 3}, stroke);
  pen.canvas.line({cross.x - 3, cross.y + 3}, {cross.x + 3, cross.y - 3}, stroke);
  pen.canvas.mark({});
}

std::vector<Chip> chips(const PositionView& view, bool values) {
  std::vector<Chip> all;
  for (std::size_t slot = 0; slot < view.columns.size(); ++slot)
    all.push_back(column_chip(view, slot, values));
  if (next_column(view) >= 0 && !view.pen.canvas.plain()) {
    Chip add;
    add.width = chip_height + 4;
    all.push_back(add);
  }
  return all;
}

int chip_lines(const std::vector<Chip>& all, float width) {
  int lines = all.empty() ? 0 : 1;
  float x = 0;
  for (const Chip& chip : all) {
    if (x > 0 && x + chip.width > width) ++lines, x = 0;
    x += chip.width + chip_gap;
  }
  return lines;
}

/// The legend, cut off the top of `inside`; chips that do not fit on its lines are counted, and "+" always
/// stays.
void legend_chips(const PositionView& view, Box& inside) {
  const int most = inside.h > 260 ? 2 : 1;
  std::vector<Chip> all = chips(view, true);
  if (chip_lines(all, inside.w) > most) all = chips(view, false);
  constexpr float more_width = 62;
  std::size_t hidden = 0;
  const bool can_add = !all.empty() && all.back().column < 0;
  while (all.size() > (can_add ? 2u : 1u) &&
         chip_lines(all, inside.w - (hidden > 0 ? more_width : 0)) > most) {
    all.erase(all.end() - (can_add ? 2 : 1));
    ++hidden;
  }
  float x = inside.x, y = inside.y;
  for (const Chip& chip : all) {
    if (x > inside.x && x + chip.width > inside.right()) x = inside.x, y += chip_height + chip_gap;
    draw_chip(view, chip, {x, y});
    x += chip.width + chip_gap;
  }
  if (hidden > 0) {
    put(view.pen, {x + 2, y + chip_height / 2}, "+" + std::to_string(hidden) + " more",
        words_style(view.theme().dim), inside.right() - x - 2);
  }
  inside.cut_top(y + chip_height - inside.y);
}

void draw_curve(const PositionView& view, const Plot& plot, int column, draw::Stroke stroke) {
  if (!view.waves()) {  // what was learned, from row to row
    std::vector<PlotPoint> points;
    for (int row = static_cast<int>(plot.from_x); row <= std::min(static_cast<int>(plot.to_x), view.last());
         ++row)
      points.push_back({static_cast<double>(row), static_cast<double>(view.value(row, column))});
    return curve(view.pen, plot, points, {stroke.color, stroke.width});
  }
  column_wave(view, plot, column, stroke);
}

void marker(const PositionView& view, const Plot& plot, int column, double position, int row,
            draw::Color color, bool ghost) {
  // On a position of P the marker has P's value; between two, while the position runs, the curve's.
  const bool whole = position == static_cast<double>(row);
  const double value = whole ? static_cast<double>(view.value(row, column)) : view.along(column, position);
  const Point at = plot.at(position, value);
  view.canvas().circle(at, 6, view.theme().panel);
  if (ghost) {
    view.canvas().ring(at, 4, {color, 2});
  } else {
    view.canvas().circle(at, 4.5f, color);
  }
}

/// Values of all plotted columns at the position under the pointer.
void readout(const PositionView& view, const Plot& plot) {
  if (view.lit_row < 0 || view.columns.empty()) return;
  if (view.lit_row < plot.from_x || view.lit_row > plot.to_x) return;
  const Pen& pen = view.pen;
  const float x = plot.x(view.lit_row);
  pen.canvas.line({x, plot.box.y}, {x, plot.box.bottom()}, {pen.theme.dim, 1, 3});
  constexpr std::size_t most = 9;
  constexpr float pitch = 17;
  const std::size_t shown = std::min(view.columns.size(), most);
  const float room = plot.box.h - 16 - 2 * pitch;
  const std::size_t fits = std::min(shown, static_cast<std::size_t>(std::max(1.f, room / pitch)));
  const bool more = fits < view.columns.size();
  const float w = 132, h = 16 + pitch * (1 + static_cast<float>(fits + (more ? 1 : 0)));
  Box box{x + 12 + w < plot.box.right() ? x + 12 : x - 12 - w, plot.box.y + 10, w, h};
  box.x = std::max(box.x, plot.box.x + 2);
  pen.canvas.rect(box, pen.theme.panel, 7);
  pen.canvas.frame(box, {pen.theme.border, 1}, 7);
  float y = box.y + 8 + pitch / 2;
  pen.canvas.text({box.x + 10, y}, "position " + std::to_string(view.lit_row),
                  strong_style(pen.theme.text, word_size));
  for (std::size_t n = 0; n < fits; ++n) {
    y += pitch;
    const int column = view.columns[n];
    pen.canvas.line({box.x + 10, y}, {box.x + 24, y}, {view.colors[n], 2.5f, view.sine(column) ? 0.f : 4.f});
    pen.canvas.text({box.x + 32, y}, "col " + std::to_string(column), words_style(pen.theme.dim, small_size));
    pen.canvas.text({box.right() - 10, y}, fixed(static_cast<double>(view.value(view.lit_row, column)), 3),
                    aligned(mono_style(pen.theme.text, small_size), Align::right));
  }
  if (more)
    pen.canvas.text({box.x + 10, y + pitch}, std::to_string(view.columns.size() - fits) + " more",
                    words_style(pen.theme.dim, small_size));
}

void axis_marks(const PositionView& view, const Plot& plot) {
  draw::Mark mark;
  mark.part = Part::position_axis, mark.name = "position axis";
  mark.area = plot.box;
  mark.from = static_cast<float>(plot.from_x), mark.to = static_cast<float>(plot.to_x);
  view.canvas().mark(mark);
  if (view.has(view.ahead()) && view.ahead() >= plot.from_x && view.ahead() <= plot.to_x) {
    constexpr float reach = 7;
    const float x = plot.x(view.ahead());
    const auto position = [&](float at) {
      return static_cast<float>(plot.from_x) +
             (at - plot.box.x) / plot.box.w * static_cast<float>(plot.to_x - plot.from_x);
    };
    mark.part = Part::offset_axis, mark.name = "offset axis";
    mark.area = {x - reach, plot.box.y - 20, 2 * reach, plot.box.h + 20};
    mark.from = position(x - reach), mark.to = position(x + reach);
    view.canvas().mark(mark);
  }
  view.canvas().mark({});
}

void curves(const PositionView& view, const Plot& plot) {
  const bool any_lit = view.lit_pair >= 0 || view.lit_column >= 0;
  for (int column = 0; any_lit && column < view.cols; ++column) {  // lit without being plotted
    if (view.lit(column) && !view.plotted(column)) draw_curve(view, plot, column, {view.theme().text, 2});
  }
  for (std::size_t n = 0; n < view.columns.size(); ++n) {
    const bool lit = view.lit(view.columns[n]);
    draw_curve(view, plot, view.columns[n],
               {any_lit && !lit ? draw::faded(view.colors[n], 0.3f) : view.colors[n], lit ? 3.f : 2.f});
  }
}

/// The positions on view: all of P, or a part around i in which the slowest plotted column turns four times,
/// so that a long P shows curves and not a thicket. The part moves on by halves as i moves.
struct Shown {
  int first = 0, last = 1;
};

Shown shown_positions(const PositionView& view) {
  const int all = std::max(1, view.rows - 1);
  double slowest = 2 * std::numbers::pi;
  constexpr double rows_of_a_table = 50;
  if (!view.waves()) slowest = rows_of_a_table;
  for (const int column : view.columns)
    if (view.waves()) slowest = std::max(slowest, 2 * std::numbers::pi / view.omega(column / 2));
  constexpr int least = 60;
  const double wanted = std::max<double>(least, std::ceil(4 * slowest));
  if (wanted >= all * 0.8) return {view.first, view.first + all};
  const int span = static_cast<int>(wanted), half = span / 2;
  const int page = std::clamp(view.i - view.first, 0, view.rows - 1) / half * half;
  const int start = view.first + std::clamp(page - half / 2, 0, all - span);
  return {start, start + span};
}

void columns_card_lines(const PositionView& view, const Plot& plot) {
  std::vector<LineLabel> labels;
  const auto position_line = [&](double position, draw::Color color, const std::string& words) {
    const float x = plot.x(position);
    view.canvas().line({x, plot.box.y - 8}, {x, plot.box.bottom()}, {color, 1.5f});
    labels.push_back({x, words, color});
  };
  const auto on_view = [&](double position) { return position >= plot.from_x && position <= plot.to_x; };
  const double running_ahead = view.running + view.delta;
  const bool here = view.has(view.i) && on_view(view.running);
  const bool there = view.delta != 0 && view.has(view.ahead()) && on_view(running_ahead);
  // While it runs the position has a fraction, as the dots and the numbers above have.
  const int digits = view.running == std::floor(view.running) ? 0 : 1;
  const std::string ahead = "i + δ = " + fixed(running_ahead, digits);
  const float ahead_side = view.delta > 0 ? plot.box.right() : plot.box.x;
  if (there) position_line(running_ahead, view.theme().offset, ahead);
  if (here) position_line(view.running, view.theme().key, "i = " + fixed(view.running, digits));
  if (!view.has(view.i))
    labels.push_back({plot.box.right(), "i = " + std::to_string(view.i) + " is outside P", view.theme().key});
  if (view.delta != 0 && !view.has(view.ahead())) {
    labels.push_back({ahead_side, ahead + " is outside P", view.theme().offset});
  } else if (view.delta != 0 && !there) {
    labels.push_back({ahead_side, view.delta > 0 ? ahead + " →" : "← " + ahead, view.theme().offset});
  }
  for (std::size_t n = 0; n < view.columns.size(); ++n) {
    if (there) marker(view, plot, view.columns[n], running_ahead, view.ahead(), view.colors[n], true);
    if (here) marker(view, plot, view.columns[n], view.running, view.i, view.colors[n], false);
  }
  line_labels(view.pen, labels, plot.box.y - 16, plot.box.x - 22, plot.box.right() + 8);
}

}  // namespace

void column_wave(const PositionView& view, const Plot& plot, int column, draw::Stroke stroke) {
  const double omega = view.omega(column / 2), range = plot.to_x - plot.from_x;
  const double period = 2 * std::numbers::pi / omega / range * static_cast<double>(plot.box.w);  // units
  if (period < 4) {
    view.canvas().rect({plot.box.x, plot.y(1), plot.box.w, plot.y(-1) - plot.y(1)},
                       draw::faded(stroke.color, 0.16f * static_cast<float>(stroke.color.a) / 255.f), 0);
    return;
  }
  const double per_piece = std::clamp(period / 40, 0.75, 4.0);
  const int pieces = std::max(2, static_cast<int>(std::ceil(static_cast<double>(plot.box.w) / per_piece)));
  std::vector<PlotPoint> points;
  points.reserve(static_cast<std::size_t>(pieces) + 1);
  for (int n = 0; n <= pieces; ++n) {
    const double x = plot.from_x + range * n / pieces;
    points.push_back({x, column_at(column, x, omega)});
  }
  curve(view.pen, plot, points, {stroke.color, stroke.width, is_sine(column) ? 0.f : 5.f});
}

namespace {

/// "wavelengths 35.3 (columns 6, 7) and 62.8 (columns 8, 9)", of up to three pairs in their order.
std::string wavelengths_of_columns(const PositionView& view) {
  constexpr std::size_t most = 3;
  std::vector<int> pairs;
  for (const int column : view.columns) {
    if (std::find(pairs.begin(), pairs.end(), column / 2) == pairs.end()) pairs.push_back(column / 2);
  }
  if (pairs.empty() || pairs.size() > most) return {};
  std::string out = pairs.size() > 1 ? "wavelengths " : "wavelength ";
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    const std::string first = std::to_string(2 * pairs[n]), second = std::to_string(2 * pairs[n] + 1);
    out += n == 0 ? "" : n + 1 < pairs.size() ? ", " : " and ";
    out += view.in.text(quantity("wavelength", {{"pair", pairs[n]}}));
    out.append(" (columns ").append(first).append(", ").append(second).append(")");
  }
  return out;
}

void columns_plot(const PositionView& view, Box box, bool part) {
  std::string title = columns_title(view);
  const std::string long_title = title + ": each sin/cos pair has one frequency, a quarter turn apart";
  const float room = box.w - 2 * card_padding;
  if (view.columns.size() > 1 && view.waves() && !on_slide(view.pen) &&
      view.canvas().text_width(long_title, strong_style(view.theme().text)) <= room)
    title = long_title;
  const Shown shown = shown_positions(view);
  std::string subtitle = view.waves()
                             ? "sines solid, cosines dashed; lower columns oscillate fast, higher ones slowly"
                             : "what the model has learned for each position";
  // A card that is shown alone writes the wavelengths, which another card of the page has.
  if (const std::string turns = view.in.alone && view.waves() ? wavelengths_of_columns(view) : "";
      !turns.empty())
    subtitle = "sines solid, cosines dashed; " + turns;
  if (shown.last - shown.first < view.rows - 1)
    subtitle = "positions " + std::to_string(shown.first) + " to " + std::to_string(shown.last) + " of " +
               with_commas(view.rows) + ", around i; " + subtitle;
  Box inside = box.inset(card_padding);
  if (part) {
    view.canvas().panel(box, "columns", title);
    card_head(view.pen, inside, {title, subtitle});
  } else {
    inside = card(view.pen, box, {title, subtitle}, "columns");
  }
  legend_chips(view, inside);
  inside.cut_top(32), inside.cut_left(30), inside.cut_bottom(34), inside.cut_right(12);
  if (inside.w < 20 || inside.h < 20) return;
  Plot plot;  // y from −1 to 1, or as far as a table goes
  const double reach = view.waves() ? 1 : nice_ceiling(static_cast<double>(view.results.largest));
  plot.from_y = -reach, plot.to_y = reach;
  plot.box = inside, plot.from_x = shown.first, plot.to_x = shown.last;
  const bool high = inside.h > 130;
  y_grid(view.pen, plot,
         high ? std::vector<double>{-reach, -reach / 2, 0, reach / 2, reach}
              : std::vector<double>{-reach, 0, reach},
         reach >= 1     ? 1
         : reach >= 0.1 ? 2
                        : 3);
  std::vector<int> ticks =
      whole_ticks(std::min(shown.last, view.last()) - shown.first, plot.box.w, tick_room(view));
  for (int& tick : ticks) tick += shown.first;
  x_axis(view.pen, plot, ticks, "position");
  if (view.columns.empty()) {
    invitation(view.pen, inside, "", "“+” or a click on the strip above P plots a column");
  }
  curves(view, plot);
  if (marks_selection(view.pen)) columns_card_lines(view, plot);
  readout(view, plot);
  axis_marks(view, plot);
}

}  // namespace

void columns_plot_card(const PositionView& view, Box box) {
  columns_plot(view, box, false);
}
void columns_plot_part(const PositionView& view, Box box) {
  columns_plot(view, box, true);
}

}  // namespace headlight::views
