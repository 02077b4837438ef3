#include "pages/attention/view/change_page.h"

#include <algorithm>
#include <cmath>

#include "kit/card.h"
#include "kit/page_input.h"
#include "kit/plot.h"
#include "kit/selection.h"
#include "kit/weight_bar.h"

namespace headlight::views {

using draw::Align;
using draw::Box;

namespace {

constexpr float label_room = 96, head_room = 26, bar_room = 46, least_cell_for_number = 40;

std::string whose(const PageInput& in) {
  if (in.scene.head.size() == 1) return "head " + std::to_string(in.scene.head.front());
  return std::string(scene::word(in.scene.combine)) + " of the heads shown";
}

}  // namespace

std::string change_words(const PageInput& in, const scene::MapChange& change) {
  if (!change.problem.empty()) return change.problem;
  if (change.largest == 0) return "no weight has changed";
  return "largest change " +
         fixed(static_cast<double>(change.map.at(change.query, change.key)),
               weight_decimals(static_cast<float>(nice_ceiling(static_cast<double>(change.largest))))) +
         " at query " + quoted_token(in, change.query) + ", key " + quoted_key(in, change.key) + "; " +
         fixed(change.moved * 100, 1) + " % of a row's weight moved";
}

float change_page(draw::Canvas& canvas, Box area, const PageInput& in, const scene::MapChange& change) {
  const Pen pen{canvas, in.theme, in.hover};
  Box box{area.x + 16, area.y + 12, area.w - 32, std::max(320.f, area.h - 28)};
  if (!change.problem.empty()) {
    placeholder(pen, box, "No difference to show", change.problem);
    return area.h;
  }
  Box inside = card(pen, box, {"B − A · change of the weights", whose(in) + ": " + change_words(in, change)},
                    "change");
  const int rows = change.map.rows(), cols = change.map.cols();
  Box bar = inside.cut_bottom(bar_room);
  inside.cut_left(label_room);
  inside.cut_top(head_room);
  const float cell = std::min(inside.w / static_cast<float>(cols), inside.h / static_cast<float>(rows));
  const float left = std::max(0.f, (inside.w - label_room - cell * static_cast<float>(cols)) / 2);
  const Box map{inside.x + left, inside.y, cell * static_cast<float>(cols), cell * static_cast<float>(rows)};
  const double end = nice_ceiling(static_cast<double>(change.largest));
  // What is not square stays as it is laid out.
  const bool down_is_key = in.scene.query_axis == scene::QueryAxis::columns && rows == cols;
  draw::Mark mark{.part = draw::Part::note, .note = change_words(in, change)};
  canvas.mark(mark);
  canvas.heatmap(map, {.values = change.map.data(),
                       .rows = rows,
                       .cols = cols,
                       .row_stride = cols,
                       .version = in.results.version * 2 + 1,
                       .lo = -static_cast<float>(end),
                       .hi = static_cast<float>(end),
                       .map = draw::Colormap::signed_weight,
                       .allowed = change.allowed,
                       .transposed = down_is_key});
  canvas.mark({});
  const int down = label_step(cell, 18), across = label_step(cell, 64);
  for (int q = 0; q < rows; q += down)
    put(pen, {map.x - 10, map.y + cell * (static_cast<float>(q) + 0.5f)}, token_label(in, q),
        aligned(words_style(in.theme.dim), Align::right), label_room - 14);
  for (int k = 0; k < cols; k += across)
    put(pen, {map.x + cell * (static_cast<float>(k) + 0.5f), map.y - 12}, key_label(in, k),
        aligned(words_style(in.theme.dim), Align::centre), cell * static_cast<float>(across) - 6);
  const bool any_masked = std::any_of(change.allowed.begin(), change.allowed.end(),
                                      [&](const base::Interval& keys) { return keys.size() < cols; });
  for (int row = 0; row < rows && cell >= least_cell_for_number; ++row) {
    for (int col = 0; col < cols; ++col) {
      const int q = down_is_key ? col : row, k = down_is_key ? row : col;
      const Box place{map.x + cell * static_cast<float>(col), map.y + cell * static_cast<float>(row), cell,
                      cell};
      if (change.masked(q, k)) continue;
      const float value = change.map.at(q, k);
      const int decimals = weight_decimals(static_cast<float>(end));
      if (std::abs(value) < unwritten_weight(decimals)) continue;
      const draw::Color ground = draw::color_of(in.theme, draw::Colormap::signed_weight, value,
                                                -static_cast<float>(end), static_cast<float>(end));
      canvas.text(place.centre(), weight_in_cell(static_cast<double>(value), decimals),
                  aligned(mono_style(draw::readable_on(ground), cell >= 60 ? 13.f : 10.f), Align::centre));
    }
  }
  bar.cut_left(label_room + left);
  colour_bar(pen, {bar.x, bar.y + 16, std::min(map.w, bar.w), 8},
             {.map = draw::Colormap::signed_weight,
              .left = "−" + brief(end, 2),
              .middle = "change of the weight: lower after · higher after",
              .right = "+" + brief(end, 2)});
  const std::string masked = "masked before and after";
  if (any_masked) masked_legend(pen, {bar.x, bar.y + 7}, masked);
  return area.h;
}

}  // namespace headlight::views
