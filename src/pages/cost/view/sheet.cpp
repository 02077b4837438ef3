#include "pages/cost/view/sheet.h"

#include <algorithm>
#include <cmath>

#include "kit/plot.h"
#include "kit/words.h"

namespace headlight::views {

std::string of_model_words(const scene::CostResults& results) {
  if (results.model.empty()) return {};
  return "a standard layer with the width, heads and layers of " + results.model +
         (results.shared_keys ? ", whose heads share keys and values" : "") +
         (results.layers_differ ? ", whose layers differ in width" : "");
}

draw::Color layer_color(const draw::Theme& theme, nn::Architecture architecture) {
  switch (architecture) {
    case nn::Architecture::self_attention:
      return draw::series(theme, 0);
    case nn::Architecture::recurrence:
      return draw::series(theme, 4);
    case nn::Architecture::convolution:
    case nn::Architecture::dilated_convolution:
      return draw::series(theme, 1);
    case nn::Architecture::linear_attention:
      return draw::series(theme, 2);
  }
  return theme.text;
}

draw::Color tiled_color(const draw::Theme& theme) {
  return draw::series(theme, 5);
}

int layer_place(nn::Architecture architecture) {
  switch (architecture) {
    case nn::Architecture::self_attention:
      return 0;
    case nn::Architecture::convolution:
    case nn::Architecture::dilated_convolution:
      return 1;
    case nn::Architecture::linear_attention:
      return 2;
    case nn::Architecture::recurrence:
      return 3;
  }
  return 0;
}

float put_number(const Pen& pen, Point at, double value, const draw::TextStyle& style, float width) {
  if (!std::isfinite(value)) return put(pen, at, std::isnan(value) ? "–" : fixed(value, 0), style, width);
  const std::string whole = with_commas(static_cast<long long>(value));
  draw::TextStyle smaller = style;
  for (; smaller.size >= small_size; smaller.size -= 0.5f) {
    if (pen.canvas.text_width(whole, smaller) <= width) return put(pen, at, whole, smaller, width);
  }
  smaller.size = small_size;
  return put(pen, at, power_words(value, 2), smaller, width);
}

void table_row(const Pen& pen, Point left, const std::vector<TableColumn>& columns,
               const std::vector<std::string>& cells, const draw::TextStyle& style) {
  for (std::size_t c = 0; c < columns.size() && c < cells.size(); ++c) {
    put(pen, {left.x + columns[c].right, left.y}, cells[c], aligned(style, Align::right), columns[c].width);
  }
}

void plot_beside_table(const CostSheet& sheet, draw::Box inside, const PlotAndTable& what) {
  const Pen& pen = sheet.pen;
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  constexpr int most_lines = 6;
  const float foot = paragraph(pen, {inside.x, inside.y}, inside.w, what.foot, quiet, most_lines, false);
  const draw::Box lines = inside.cut_bottom(foot);
  paragraph(pen, {lines.x, lines.y}, lines.w, what.foot, quiet, most_lines);
  inside.cut_bottom(8);
  constexpr float side_by_side = 430, wide = 560, roomy = 350;
  if (inside.w >= side_by_side) {
    const float part = inside.w < wide ? what.narrow_part : 0.49f;
    const draw::Box plot = inside.cut_left(std::round(inside.w * part));
    inside.cut_left(inside.w < roomy ? what.tight_gap : 20.f);
    what.plot(sheet, plot);
  } else {
    what.plot(sheet, inside.cut_top(std::max(120.f, inside.h - what.table_height)));
    inside.cut_top(8);
  }
  what.table(sheet, inside);
}

}  // namespace headlight::views
