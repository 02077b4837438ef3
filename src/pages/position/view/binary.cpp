#include <algorithm>
#include <cmath>

#include "kit/plot.h"
#include "pages/position/view/cards.h"

namespace headlight::views {

namespace {

constexpr float least_row = 13, largest_row = 26, bit_width = 16;

/// Digits that every position of P fits into, at least three.
int bits_for(int last) {
  int bits = 3;
  while ((1 << bits) <= last) ++bits;
  return bits;
}

bool bit(int value, int n) {
  return (value >> n & 1) != 0;
}

std::string binary(int value, int bits) {
  std::string digits;
  for (int n = bits - 1; n >= 0; --n) digits += bit(value, n) ? '1' : '0';
  return digits;
}

/// "0 in binary is 000" to 7, the digits that differ from the previous line on a tint, in columns as wide as
/// `column`.
void table(const Pen& pen, Point top_left, int columns = 1, float column = 0) {
  constexpr float pitch = 19;
  const draw::TextStyle style = mono_style(pen.theme.text);
  const int lines = 8 / columns;
  for (int value = 0; value < 8; ++value) {
    const std::string words = std::to_string(value) + " in binary is ";
    const float left = top_left.x + static_cast<float>(value / lines) * column;
    const float y = top_left.y + (static_cast<float>(value % lines) + 0.5f) * pitch;
    float x = left + pen.canvas.text_width(words, style);
    const float digit = pen.canvas.text_width("0", style);
    for (int n = 2; n >= 0; --n, x += digit) {
      if (value > 0 && bit(value, n) != bit(value - 1, n))
        pen.canvas.rect({x - 0.5f, y - 8.5f, digit + 1, 17}, draw::faded(pen.theme.accent, 0.35f), 3);
    }
    pen.canvas.text({left, y}, words + binary(value, 3), style);
  }
  const draw::TextStyle note = words_style(pen.theme.dim, small_size);
  const float y = top_left.y + static_cast<float>(lines) * pitch + 14;
  pen.canvas.rect({top_left.x, y - 6, 12, 12}, draw::faded(pen.theme.accent, 0.35f), 3);
  put(pen, {top_left.x + 18, y}, "flips at this step", note);
}

constexpr float table_width = 150;
constexpr float table_height(int columns = 1) {
  return static_cast<float>(8 / columns) * 19 + 26;
}

/// Left of the digits, for the positions.
float gutter_of(const PositionView& view) {
  return std::max(
      34.f, 12 + view.canvas().text_width(std::to_string(view.last()), strong_style({}, small_size)) + 8);
}

/// Positions downwards: their binary digits, highest first, beside their rows of P, fastest column first, so
/// that what is fast meets in the middle.
void strips(const PositionView& view, Box box) {
  const Pen& pen = view.pen;
  const int bits = bits_for(view.last());
  const draw::TextStyle dim = words_style(pen.theme.dim, small_size);
  const float header = 18, footer = 18, gutter = gutter_of(view);
  const int fit = std::max(1, static_cast<int>((box.h - header - footer) / least_row));
  const int count = std::min(view.rows, fit);
  const int first = std::clamp(view.i - count / 2, view.first, view.last() + 1 - count);
  const float row_height =
      std::min(std::floor((box.h - header - footer) / static_cast<float>(count)), largest_row);
  const float top = box.y + header, height = static_cast<float>(count) * row_height;
  const Box digits{box.x + gutter, top, static_cast<float>(bits) * bit_width, height};
  const float room = box.right() - digits.right() - 22;
  const Box columns{digits.right() + 22, top, std::min(room, 64 * static_cast<float>(view.cols)), height};
  if (columns.w < 24) return;

  for (int n = 0; n < bits; ++n) {
    pen.canvas.text({digits.x + (static_cast<float>(bits - n) - 0.5f) * bit_width, box.y + 8},
                    std::to_string(n), aligned(dim, Align::centre));
  }
  pen.canvas.text({box.x + gutter - 8, box.y + 8}, "bit", aligned(dim, Align::right));
  for (int row = first; row < first + count; ++row) {
    const float y = top + static_cast<float>(row - first) * row_height;
    const bool marked = marks_selection(pen);
    const bool here = marked && row == view.i, there = marked && view.delta != 0 && row == view.ahead();
    const draw::Color ink = here ? pen.theme.key : there ? pen.theme.offset : pen.theme.dim;
    pen.canvas.text({digits.x - 8, y + row_height / 2}, std::to_string(row),
                    aligned(here || there ? strong_style(ink, small_size) : dim, Align::right));
  }
  for (int row = first; row < first + count; ++row) {
    for (int n = 0; n < bits; ++n) {
      const bool one = bit(row, n);
      const draw::Color fill = draw::color_of(draw::Colormap::blues, one ? 1.f : -1.f, -1, 1);
      const Box cell{digits.x + static_cast<float>(bits - 1 - n) * bit_width,
                     top + static_cast<float>(row - first) * row_height, bit_width, row_height};
      pen.canvas.rect({cell.x, cell.y, cell.w - 1, cell.h - 1}, fill, 1);
      pen.canvas.text(cell.centre(), one ? "1" : "0",
                      aligned(mono_style(draw::readable_on(fill), 12), Align::centre));
    }
  }

  draw::Heatmap heat = p_heat(view, 1);
  heat.gaps = false;
  heat.view = {0, static_cast<float>(first - view.first), static_cast<float>(view.cols),
               static_cast<float>(count)};
  draw_p_cells(view, columns, heat);
  const float cell_w = columns.w / static_cast<float>(view.cols);
  for (const int column : binary_ticks(view.cols - 1, columns.w - cell_w, 30)) {
    pen.canvas.text({columns.x + (static_cast<float>(column) + 0.5f) * cell_w, box.y + 8},
                    std::to_string(column), aligned(dim, Align::centre));
  }
  const auto frame_row = [&](int row, draw::Color color) {
    if (row < first || row >= first + count || !marks_selection(pen)) return;
    const float y = top + static_cast<float>(row - first) * row_height;
    for (const Box& strip : {digits, columns})
      pen.canvas.frame({strip.x - 2, y - 1, strip.w + 4, row_height + 2}, {color, 2}, 2);
  };
  if (view.delta != 0) frame_row(view.ahead(), pen.theme.offset);
  frame_row(view.i, pen.theme.key);
  const float y = top + height + 10;
  put(pen, {digits.centre().x, y}, "slow → fast", aligned(dim, Align::centre), digits.w + 20);
  put(pen, {columns.x, y}, "fast", dim, columns.w / 2 - 4);
  put(pen, {columns.right(), y}, "slow", aligned(dim, Align::right), columns.w / 2 - 4);
}

}  // namespace

void binary_card(const PositionView& view, Box box) {
  const int bits = bits_for(view.last());
  std::string subtitle = "low bits flip fast, high bits slowly; the columns of P do the same, smoothly";
  if (view.has(view.i) && marks_selection(view.pen))
    subtitle = std::to_string(view.i) + " is " + binary(view.i, bits) + "; " + subtitle;
  Box inside = card(view.pen, box, {"Positions in binary", subtitle}, "binary");
  const float strips_width = gutter_of(view) + static_cast<float>(bits) * bit_width + 22 + 60;
  if (inside.w >= table_width + 28 + strips_width) {
    const Box left = inside.cut_left(table_width);
    table(view.pen, {left.x, left.y + 14});
    inside.cut_left(28);
  } else {
    // A narrow figure has the table in two columns, as wide as its picture.
    const int columns = view.pen.canvas.plain() && inside.w >= 2 * table_width ? 2 : 1;
    const Box below = inside.cut_bottom(table_height(columns));
    table(view.pen, {below.x, below.y}, columns, below.w / 2 + 10);
    inside.cut_bottom(10);
  }
  strips(view, inside);
}

}  // namespace headlight::views
