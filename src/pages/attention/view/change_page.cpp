#include "pages/attention/view/change_page.h"

#include <algorithm>

#include "kit/card.h"
#include "kit/matrix_panel.h"
#include "kit/page_input.h"
#include "kit/selection.h"
#include "kit/weight_bar.h"

namespace headlight::views {

namespace {

constexpr float bar_room = 46;

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
         " at query " + token_in_words(in, change.query) + ", key " + key_in_words(in, change.key) + "; " +
         fixed(change.moved * 100, 1) + " % of a row’s weight moved";
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
  const double end = nice_ceiling(static_cast<double>(change.largest));
  MatrixPanel map;
  map.values = change.map.data(), map.rows = change.map.rows(), map.cols = change.map.cols();
  map.version = in.results.version * 2 + 1;
  map.lo = -static_cast<float>(end), map.hi = static_cast<float>(end);
  map.map = draw::Colormap::signed_weight, map.allowed = change.allowed;
  map.transposed = in.scene.query_axis == scene::QueryAxis::columns;
  for (int q = 0; q < map.rows; ++q) map.row_names.push_back(token_label(in, q));
  for (int k = 0; k < map.cols; ++k) map.col_names.push_back(key_label(in, k));
  map.mark.part = draw::Part::note, map.mark.note = change_words(in, change);
  map.most_cell = 140, map.mask_name = false;
  Box bar = inside.cut_bottom(bar_room);
  const Box cells = draw_matrix_panel(pen, inside, map).cells;
  if (cells.w <= 0) return area.h;
  bar.y = std::min(bar.y, cells.bottom() + 2);
  color_bar(pen, {cells.x, bar.y + 16, std::min(std::max(cells.w, 120.f), inside.right() - cells.x), 8},
            {.map = draw::Colormap::signed_weight,
             .left = "−" + brief(end, 2),
             .middle = "change of the weight: lower after · higher after",
             .right = "+" + brief(end, 2)});
  if (has_masked(map)) masked_legend(pen, {cells.x, bar.y + 7}, "masked before and after");
  return area.h;
}

}  // namespace headlight::views
