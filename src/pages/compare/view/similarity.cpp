// How similar all heads are: the cosines of their maps.
#include <algorithm>

#include "kit/matrix_panel.h"
#include "pages/compare/compare.h"
#include "pages/compare/view/cards.h"

namespace headlight::views {

void compare_similarity_card(const CompareView& view, Box box) {
  const Pen& pen = view.pen();
  const scene::CompareResults& r = view.results;
  const std::string what =
      view.stack() ? "cosine of the maps, " + view.layer_a() + " down, " + view.layer_b() + " across"
                   : std::string("cosine of the angle between their maps");
  Box inside =
      card(pen, box, {"How similar are the heads?", what + in_window(pen, "; a click pins the pair")},
           "similarity");
  const int H = r.similarity.rows();
  if (H == 0) {
    placeholder(pen, inside, "Not computed", "too many heads and tokens");
    return;
  }
  // In a low, wide card the bar is beside the table, whose cells fill the height and are wider than high.
  constexpr float under = 34, names = 24, least_cell = 24, beside_wide = 120, apart = 24, widest_cell = 96;
  const auto heads = static_cast<float>(H);
  const float space = inside.w - names - apart - beside_wide;
  const bool low = !pen.canvas.plain() && inside.h - under - names < heads * least_cell &&
                   space >= heads * std::max(least_cell, (inside.h - names) / heads);
  MatrixPanel panel;
  Box foot;
  if (low) {
    panel.stretched = true;
    const float wide = std::min(space, heads * widest_cell);
    foot = {inside.x + names + wide + apart, inside.bottom() - under, beside_wide, under - 4};
    inside.w = names + wide;
  } else {
    foot = inside.cut_bottom(under - 4);
    inside.cut_bottom(4);
  }
  panel.values = r.similarity_f32.data(), panel.rows = panel.cols = H;
  panel.version = view.sheet.in.results.version;
  for (int head = 0; head < H; ++head) panel.row_names.push_back(std::to_string(head + 1));
  panel.col_names = panel.row_names;
  panel.row_numbers = panel.col_numbers = true;
  panel.across.clear(), panel.down.clear();
  panel.weights = false;  // small cosines also have numbers
  panel.undefined = "–";
  panel.most_cell = 110;
  if (!r.other_seed) panel.query = r.a, panel.key = r.b;
  const Box map = draw_matrix_panel(pen, inside, panel).cells;
  const float wide = map.w / static_cast<float>(H), high = map.h / static_cast<float>(H);
  const bool many = H > 64;  // too many cells for a mark each
  for (int a = 0; a < H && !many; ++a) {
    for (int b = 0; b < H; ++b) {
      const double cosine = r.similarity.at(a, b);
      draw::Mark mark;
      mark.part = draw::Part::control;
      mark.area = {map.x + static_cast<float>(b) * wide, map.y + static_cast<float>(a) * high, wide, high};
      mark.name = "pair " + std::to_string(a + 1) + "," + std::to_string(b + 1);
      mark.set = "bench_a=" + std::to_string(a + 1) + ";bench_b=" + std::to_string(b + 1) +
                 ";bench_other_seed=false";
      const auto named = [](const std::string& layer, int head) {
        return layer + (layer.empty() ? "head " : " head ") + std::to_string(head + 1);
      };
      mark.note = named(view.layer_a(), a) + " and " + named(view.layer_b(), b) + "\ncosine " +
                  cosine_text(cosine, 2) + "\nclick: compare these two";
      pen.canvas.mark(mark);
      pen.canvas.mark({});
    }
  }
  const Box bar = low ? Box{foot.x, foot.y + 6, foot.w, 8}
                      : Box{map.x, std::min(map.bottom() + 10, foot.y + 6), std::max(map.w, 120.f), 8};
  color_bar(pen, bar, {draw::Colormap::weight, "0", "cosine", "1"});
}

}  // namespace headlight::views
