#include "pages/attention/view/map_panel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kit/weight_bar.h"
#include "pages/attention/view/matrix.h"
#include "pages/attention/view/page.h"
#include "pages/attention/view/ribbons.h"

namespace headlight::views {

using draw::Align;
using draw::Box;
using draw::Point;

namespace {

constexpr float low_card = 400;  // units of height

bool as_ribbons(const Sheet& sheet) {
  return sheet.in.scene.attention_view == scene::AttentionView::ribbons;
}
bool queries_down(const Sheet& sheet) {
  return sheet.in.scene.query_axis == scene::QueryAxis::rows;
}

std::array<Choice, 2> view_choices(const Sheet& sheet) {
  return {Choice{"Matrix", "attention_view=matrix", "matrix", !as_ribbons(sheet),
                 "a cell per pair, coloured by weight"},
          Choice{"Ribbons", "attention_view=ribbons", "ribbons", as_ribbons(sheet),
                 "lines between the tokens, as wide as the weight"}};
}
std::array<Choice, 2> combine_choices(const Sheet& sheet) {
  const bool mean = sheet.in.scene.combine == scene::Combine::mean;
  return {Choice{"mean", "combine=mean", "mean", mean, "the mean over the heads shown"},
          Choice{"max", "combine=max", "max", !mean, "the largest over the heads shown"}};
}
std::array<Choice, 2> axis_choices(const Sheet& sheet) {
  return {Choice{"query ↓", "query_axis=rows", "queries as rows", queries_down(sheet),
                 "queries down, keys across"},
          Choice{"query →", "query_axis=columns", "queries as columns", !queries_down(sheet),
                 "queries across, keys down"}};
}

std::string subtitle(const Sheet& sheet) {
  if (as_ribbons(sheet)) {
    const bool many = sheet.selection.heads.size() > 1 &&
                      (sheet.selection.kind != HeadsShown::all ||
                       static_cast<int>(sheet.selection.heads.size()) <= most_coloured_heads);
    return many ? "width and opacity = weight, colour = head" : "width and opacity = weight";
  }
  return queries_down(sheet) ? "Rows: queries · Columns: keys" : "Columns: queries · Rows: keys";
}

/// Under the map: the orientation and what masked cells are, or which colour is which head; and the choice of
/// mean or max where the title leaves no room for it.
void footer(const Sheet& sheet, Box row, bool with_combine) {
  const float y = row.y + control_height / 2;
  if (!as_ribbons(sheet)) {
    const auto axis = axis_choices(sheet);
    Box box = segmented(sheet.pen, {row.right() + 4, row.y}, axis);
    if (with_combine) box = segmented(sheet.pen, {box.x - 8, row.y}, combine_choices(sheet));
    float x = row.x;
    if (sheet.selection.masked && x + legend_width(sheet.pen, "masked") + 12 < box.x)
      x += masked_legend(sheet.pen, {x, box.centre().y}) + 14;
    if (const std::string strongest = strongest_words(sheet, box.x - 12 - x); !strongest.empty())
      put(sheet.pen, {x, box.centre().y}, strongest, words_style(sheet.theme().text), box.x - 12 - x);
    return;
  }
  if (with_combine)
    row.cut_right(row.right() - segmented(sheet.pen, {row.right() + 4, row.y}, combine_choices(sheet)).x);
  float x = row.x;
  const std::vector<int>& heads = sheet.selection.heads;
  if (static_cast<int>(heads.size()) > most_coloured_heads && sheet.selection.kind == HeadsShown::all) return;
  for (int head : heads) {
    const std::string words = "head " + std::to_string(head + 1);
    if (x + legend_width(sheet.pen, words) > row.right()) break;
    x += legend(sheet.pen, {x, y}, draw::series(sheet.theme(), head), words) + 14;
  }
}

/// The bar under the maps; `map` is where one of them is drawn, and the opened cell's weight is marked where
/// it is one of `values`.
void scale_row(const Sheet& sheet, Box row, Box map, const float* values) {
  const nn::AttentionTrace& trace = sheet.trace();
  const Selection& s = sheet.selection;
  const bool down = queries_down(sheet);
  const Box view = sheet.in.map_view;
  const float across = view.w > 0 ? view.w : static_cast<float>(down ? trace.S : trace.T),
              high = view.h > 0 ? view.h : static_cast<float>(down ? trace.T : trace.S);
  WeightBar bar{shown_scale(sheet), std::max(trace.T, trace.S), std::min(map.w / across, map.h / high)};
  bar.unwritten = sheet.in.scene.cell_numbers && bar.cell >= 13;
  if (values && s.asked >= 0 && s.key >= 0 && may_read(trace, s.asked, s.key))
    bar.weight = values[static_cast<std::size_t>(s.asked) * static_cast<std::size_t>(trace.S) +
                        static_cast<std::size_t>(s.key)];
  weight_bar(sheet.pen, sheet.in, row, bar);
}

void one_matrix(const Sheet& sheet, Box area) {
  const nn::AttentionTrace& trace = sheet.trace();
  MatrixSource source;
  if (sheet.selection.kind == HeadsShown::one) {
    source.head = sheet.selection.heads.front();
    source.values = trace.weights.plane(source.head);
  } else {
    source.values =
        (sheet.in.scene.combine == scene::Combine::mean ? sheet.in.results.mean : sheet.in.results.max)
            .data();
  }
  Box map_area = area;
  map_area.cut_bottom(weight_bar_height);
  MatrixLook look;
  look.marginals = marginal_room(sheet, map_area);
  const Box map = draw_matrix(sheet, map_area, source, look);
  // A narrow map still has a readable bar.
  Box row{map.x, map.bottom() + look.marginals.below + 3, area.right() - map.x, weight_bar_height};
  if (row.w < 260) row = {area.x, row.y, area.w, row.h};
  scale_row(sheet, row, map, source.values);
}

void several_matrices(const Sheet& sheet, Box area) {
  const std::vector<int>& heads = sheet.selection.heads;
  const int count = static_cast<int>(heads.size());
  const Box bar = area.cut_bottom(weight_bar_height);
  constexpr float between = 14, title = 20;
  int columns = 1;
  float best = 0;
  for (int c = 1; c <= count; ++c) {
    const int rows = (count + c - 1) / c;
    const float side = cell_side(sheet, (area.w + between) / static_cast<float>(c) - between,
                                 (area.h + between) / static_cast<float>(rows) - between - title);
    if (side > best) best = side, columns = c;
  }
  const int rows = (count + columns - 1) / columns;
  const float wide = (area.w + between) / static_cast<float>(columns),
              high = (area.h + between) / static_cast<float>(rows);
  Box last;
  for (int i = 0; i < count; ++i) {
    const int head = heads[static_cast<std::size_t>(i)];
    Box place{area.x + static_cast<float>(i % columns) * wide,
              area.y + static_cast<float>(i / columns) * high, wide - between, high - between};
    if (place.h < 24 || place.w < 24) continue;
    Box heading = place.cut_top(title);
    MatrixLook look;
    look.captions = false;
    const Box map = last = draw_matrix(sheet, place, {sheet.trace().weights.plane(head), head}, look);
    heading.cut_left(map.x - heading.x);
    if (count <= 4) {
      sheet.pen.canvas.circle({heading.x + 5, heading.y + 8}, 4, draw::series(sheet.theme(), head));
      heading.cut_left(15);
    }
    put(sheet.pen, {heading.x, heading.y + 8}, "Head " + std::to_string(head + 1),
        strong_style(sheet.theme().text, 12), heading.w);
  }
  scale_row(sheet, bar, last, nullptr);
}

}  // namespace

std::string map_title(const Sheet& sheet) {
  const Selection& s = sheet.selection;
  const std::string combine = scene::word(sheet.in.scene.combine);
  if (s.kind == HeadsShown::one)
    return "Head " + std::to_string(s.heads.front() + 1) +
           (sheet.in.results.guided(s.heads.front()) ? ", guided · attention weights"
                                                     : " · attention weights");
  if (s.kind == HeadsShown::all) {
    const std::string all = "All " + std::to_string(s.heads.size()) + " heads · ";
    if (as_ribbons(sheet) && static_cast<int>(s.heads.size()) <= most_coloured_heads) return all + "ribbons";
    return all + combine;
  }
  std::string out = "Heads ";
  constexpr std::size_t most_named = 6;
  for (std::size_t i = 0; i < s.heads.size() && i < most_named; ++i)
    out += (i > 0 ? ", " : "") + std::to_string(s.heads[i] + 1);
  if (s.heads.size() > most_named) out += " and " + std::to_string(s.heads.size() - most_named) + " more";
  return out + " · compared";
}

void draw_map_panel(const Sheet& sheet, Box box) {
  const auto views = view_choices(sheet);
  const auto combines = combine_choices(sheet);
  const auto axes = axis_choices(sheet);
  const bool several = sheet.selection.kind != HeadsShown::one;
  // A low card has its controls in one row, and the map the rest.
  const bool low = box.h < low_card, axis_above = low && !as_ribbons(sheet);
  float controls = segmented_width(sheet.pen, views);
  if (axis_above) controls += segmented_width(sheet.pen, axes) + 8;
  const std::string question = attention_question(sheet.in);
  const float title = sheet.pen.canvas.text_width(question, strong_style(sheet.theme().text, 28));
  const float wider = controls + segmented_width(sheet.pen, combines) + 8;
  const bool beside = several && title + wider + 8 <= box.w - 2 * card_padding;
  if (beside) controls = wider;
  std::string quiet = map_title(sheet) + " · " + subtitle(sheet);
  const auto tokens = static_cast<std::size_t>(sheet.trace().T);
  if (sheet.in.results.tokens_in_sentence > tokens)
    quiet += " · " + std::to_string(sheet.in.results.tokens_in_sentence - tokens) + " tokens not computed";
  Box inside = hero_card(sheet.pen, box, {question, sheet.theme().query},
                         {"", low ? std::string() : quiet, controls}, "map");
  progress_line(sheet.pen, box, sheet.in.busy);
  if (!sheet.in.results.remarks.empty()) {
    std::string all;
    for (const std::string& remark : sheet.in.results.remarks) all += (all.empty() ? "" : " · ") + remark;
    put(sheet.pen, {inside.x, inside.y}, all, words_style(sheet.theme().dim), inside.w);
    inside.cut_top(16);
  }
  Box right = segmented(sheet.pen, card_corner(box), views);
  if (axis_above) right = segmented(sheet.pen, {right.x - 8, right.y}, axes);
  if (beside) segmented(sheet.pen, {right.x - 8, right.y}, combines);
  if (!axis_above) {
    const Box foot = inside.cut_bottom(control_height - 4);
    inside.cut_bottom(6);
    footer(sheet, foot, several && !beside);
  }
  if (as_ribbons(sheet)) {
    draw_ribbons(sheet, inside);
  } else if (sheet.selection.kind == HeadsShown::several) {
    several_matrices(sheet, inside);
  } else {
    one_matrix(sheet, inside);
  }
}

}  // namespace headlight::views
