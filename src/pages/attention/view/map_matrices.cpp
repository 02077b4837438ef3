// See map_matrices.h.
#include "pages/attention/view/map_matrices.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "kit/cell_shape.h"
#include "kit/matrix_panel.h"
#include "kit/weight_bar.h"
#include "kit/words.h"
#include "pages/attention/view/marginals.h"
#include "pages/attention/view/overview.h"
#include "scene/hidden_tokens.h"

namespace headlight::views {

bool queries_down(const Sheet& sheet) {
  return sheet.in.scene.query_axis == scene::QueryAxis::rows;
}

std::array<Choice, 2> axis_choices(const Sheet& sheet) {
  return {Choice{"query ↓", "query_axis=rows", "queries as rows", queries_down(sheet),
                 "queries down, keys across"},
          Choice{"query →", "query_axis=columns", "queries as columns", !queries_down(sheet),
                 "queries across, keys down"}};
}

std::array<Choice, 2> combine_choices(const Sheet& sheet) {
  const bool mean = sheet.in.scene.combine == scene::Combine::mean;
  return {Choice{"mean", "combine=mean", "mean", mean, "the mean over the heads shown"},
          Choice{"max", "combine=max", "max", !mean, "the largest over the heads shown"}};
}

namespace {

/// Has a map a cell whose weight is too small for a number? Without `values`, as with several maps, some are
/// taken to be, except with a single weight.
bool leaves_numbers_out(const Sheet& sheet, const float* values) {
  const nn::AttentionTrace& trace = sheet.trace();
  if (!values) return trace.T > 1 || trace.S > 1;
  const float least = unwritten_weight(weight_decimals(shown_scale(sheet).end));
  for (int q = 0; q < trace.T; ++q) {
    const float* row = values + static_cast<std::ptrdiff_t>(q) * trace.S;
    for (int k = 0; k < trace.S; ++k) {
      if (may_read(trace, q, k) && row[k] < least) return true;
    }
  }
  return false;
}

/// Draws the colour bar below the maps. `map` is the place of one of them. The opened cell's weight is marked
/// if it is one of `values`. `beside`: the choices at its right, which have no other place.
void scale_row(const Sheet& sheet, Box row, Box map, const float* values, const scene::WeightScale& scale,
               const MapChoices& beside) {
  const nn::AttentionTrace& trace = sheet.trace();
  const Selection& s = sheet.selection;
  const bool down = queries_down(sheet);
  const Box view = sheet.in.map_view;
  const float across = view.w > 0 ? view.w : static_cast<float>(down ? trace.S : trace.T),
              high = view.h > 0 ? view.h : static_cast<float>(down ? trace.T : trace.S);
  WeightBar bar{scale, std::max(trace.T, trace.S), std::min(map.w / across, map.h / high)};
  bar.unwritten = sheet.in.scene.cell_numbers && numbers_fit(sheet.pen, {map.w / across, map.h / high}) &&
                  leaves_numbers_out(sheet, values);
  if (values && s.detail_query >= 0 && s.key >= 0 && may_read(trace, s.detail_query, s.key))
    bar.weight = values[static_cast<std::size_t>(s.detail_query) * static_cast<std::size_t>(trace.S) +
                        static_cast<std::size_t>(s.key)];
  const bool mean = s.kind == HeadsShown::all && sheet.in.scene.combine == scene::Combine::mean;
  float largest = 0;
  for (const int head : s.heads) {
    const auto at = static_cast<std::size_t>(head);
    if (mean || at >= sheet.in.results.heads.size() || sheet.in.results.heads[at].largest <= largest)
      continue;
    largest = sheet.in.results.heads[at].largest, bar.largest_head = head;
  }
  const bool low = row.h < weight_bar_height(sheet.pen);  // else level with the choice of the scale
  const auto wide = [&](std::span<const Choice> choices) {
    constexpr float gap = 12;
    return segmented_width(sheet.pen, choices) + gap;
  };
  const auto choose = [&](std::span<const Choice> choices) {
    segmented(sheet.pen, {row.right(), low ? row.centre().y - control_height / 2 : row.y + 2}, choices);
    row.cut_right(wide(choices));
  };
  // The axes are at the right: they stay where they are when the choice of mean or max comes and goes.
  constexpr float least_row = 260;
  const auto combines = combine_choices(sheet);
  const auto axes = axis_choices(sheet);
  const float room = row.w - (trace.heads > 1 ? wide(combines) : 0);
  if (beside.axes && room - wide(axes) >= least_row) choose(axes);
  if (beside.combine) choose(combines);
  weight_bar(sheet.pen, sheet.in, row, bar);
}

constexpr float captioned_height = 240;

/// Returns a panel for [T, S] values of a head, or of several combined (−1), without what the scene leaves
/// out.
MatrixPanel weights_panel(const Sheet& sheet, Box area, const float* values, int head) {
  MatrixPanel out = token_panel(sheet, values);
  out.hidden = scene::hidden_tokens(sheet.in.scene, sheet.in.results);
  out.least = static_cast<float>(sheet.in.scene.attention.least_weight);
  out.mark.head = head, out.most_cell = most_cell_in(area);
  return out;
}

/// The width of the words beside the map of a single token, in a card of this width; 0: too narrow for them.
float stated_beside_width(float card) {
  constexpr float most = 264, least_card = 560;
  return card < least_card ? 0 : std::min(most, card * 0.3f);
}

/// Says beside the map of a single token, from `left` to `right`, what there is to see.
void stated_beside(const Sheet& sheet, float left, float middle, float right) {
  constexpr float apart = 24, least = 110;
  const float x = left + apart, wide = right - x;
  if (wide < least) return;
  const char* stated =
      may_read(sheet.trace(), 0, 0) ? "One token attends only to itself" : "One token, and it is masked";
  const std::string hint = in_window(sheet.pen, "type a second word to see its weights");
  const draw::TextStyle strong = strong_style(sheet.theme().text), quiet = words_style(sheet.theme().dim);
  const float first = paragraph(sheet.pen, {}, wide, stated, strong, 3, false),
              second = paragraph(sheet.pen, {}, wide, hint, quiet, 3, false);
  const float top = middle - (first + second) / 2;
  paragraph(sheet.pen, {x, top}, wide, stated, strong, 3);
  paragraph(sheet.pen, {x, top + first}, wide, hint, quiet, 3);
}

/// Returns the approximate side of a cell in an area of this size.
float cell_side(const Sheet& sheet, float width, float height) {
  const bool down = queries_down(sheet);
  const Box view = sheet.in.map_view;
  const nn::AttentionTrace& trace = sheet.trace();
  return std::min((width - 60) / (view.w > 0 ? view.w : static_cast<float>(down ? trace.S : trace.T)),
                  (height - 40) / (view.h > 0 ? view.h : static_cast<float>(down ? trace.T : trace.S)));
}

}  // namespace

bool one_matrix(const Sheet& sheet, Box area, const MapChoices& beside) {
  const nn::AttentionTrace& trace = sheet.trace();
  const bool one = sheet.selection.kind == HeadsShown::one;
  const int head = one ? sheet.selection.heads.front() : -1;
  const nn::Matrix& combined =
      sheet.in.scene.combine == scene::Combine::mean ? sheet.in.results.mean : sheet.in.results.max;
  const float* values = one ? trace.weights.plane(head) : combined.data();
  Box map_area = area;
  constexpr float one_cell = 300;
  const bool alone = sheet.trace().T == 1 && sheet.trace().S == 1 && !sheet.pen.canvas.plain();
  constexpr float one_cell_share = 0.62f;
  const float one_high = one_cell_share * area.h;
  if (alone && map_area.h > one_cell + 120) {  // in the middle of the card
    map_area.h = std::max(one_cell, one_high + 130);
    map_area.y += (area.h - map_area.h) / 2;
  }
  constexpr float low_height = 280;  // below this, the colour bar has one line
  const bool low = on_slide(sheet.pen) || (area.h < low_height && !sheet.pen.canvas.plain());
  const float bar_height = weight_bar_height(sheet.pen, low);
  map_area.cut_bottom(bar_height);
  const MarginalRoom marginals = marginal_room(sheet, map_area);
  const bool mapped = has_overview(sheet);
  // Where the corner of the strips is too small for the overview, it is in the row of the colours.
  const bool cornered = std::min(marginals.right - 10, bar_height + marginals.below - 6) >= least_overview;
  constexpr float below_marginals = 6;  // the number of the last row
  const float in_row = mapped && !cornered ? overview_in_row(area.h) : 0;
  if (in_row > 0) map_area.cut_bottom(std::max(0.f, in_row + below_marginals - bar_height));
  MatrixPanel panel = weights_panel(sheet, map_area, values, head);
  panel.right = marginals.right, panel.below = marginals.below;
  panel.left = marginal_left(sheet, marginals);
  const scene::WeightScale scale = shown_scale(sheet);
  panel.scale = &scale;
  if (alone) {
    panel.most_cell = std::max(panel.most_cell, one_high);
    // The map and the words beside it are in the middle together.
    map_area.w -= stated_beside_width(map_area.w);
    const float above = cells_room(sheet.pen, map_area, panel).above;
    const float used = above + std::min(panel.most_cell, std::max(0.f, map_area.h - above)) + marginals.below;
    const float spare = std::max(0.f, map_area.h - used) / 2;
    map_area.y += spare, map_area.h -= spare;
  }
  if (!sheet.pen.canvas.plain()) {
    // Thin cells may have any shape, so that the map of a long sentence fills its card, but is not too flat.
    const float rows =
        panel.view.h > 0 ? panel.view.h : static_cast<float>(panel.transposed ? panel.cols : panel.rows);
    const float cols =
        panel.view.w > 0 ? panel.view.w : static_cast<float>(panel.transposed ? panel.rows : panel.cols);
    const float labels = 90, shape = mapped ? 1 : cols / rows;
    const float most = most_flat * map_area.h * shape + marginals.right + labels;
    const float high = least_flat * rows;
    panel.stretched = map_area.h < high ||
                      map_area.h - cells_room(sheet.pen, map_area, panel).above - marginals.below < high;
    if (panel.stretched && map_area.w > most)
      map_area = {map_area.centre().x - most / 2, map_area.y, most, map_area.h};
  }
  if (on_slide(sheet.pen))
    panel.most_cell = std::max(panel.most_cell, map_area.h);  // a single token also fills the area
  // On a slide, the line above says which axis has the queries.
  if ((alone ? area.h : map_area.h) < captioned_height || on_slide(sheet.pen))
    panel.down.clear(), panel.across.clear();
  const MatrixPlace map = draw_matrix_panel(sheet.pen, map_area, panel);
  // Without captions, their line is just above the cells, below slanted words that reach beyond them.
  const bool captions = !panel.down.empty() || !panel.across.empty();
  const draw::Point line{map.corner.x, captions || on_slide(sheet.pen)
                                           ? std::max(map.corner.y, map_area.y + 7)
                                           : map.cells.y - 11};
  draw_marginals(sheet, map.cells, map.rows, map.cols, marginals, line);
  if (alone) stated_beside(sheet, map.cells.right() + marginals.right, map.cells.centre().y, area.right());
  // Keep the bar readable below a narrow map.
  Box row{map.cells.x, map.cells.bottom() + marginals.below + 3, area.right() - map.cells.x, bar_height};
  if (mapped) {
    const Box corner{map.cells.right() + 12, row.y - marginals.below + 5,
                     area.right() - map.cells.right() - 12, area.bottom() - row.y + marginals.below - 5};
    if (std::min(corner.w, corner.h) >= least_overview) {
      draw_overview(sheet, corner, values);
      row.w = map.cells.w;
    } else if (in_row > 0) {
      draw_overview(sheet, {map_area.right() - in_row, row.y + below_marginals, in_row, in_row}, values);
      row.w -= in_row + 12;
    }
  }
  if (row.w < 260) row = {area.x, row.y, area.w - (in_row > 0 ? in_row + 12 : 0), row.h};
  scale_row(sheet, row, map.cells, values, scale, beside);
  return map.mask_named;
}

bool several_matrices(const Sheet& sheet, Box area, const MapChoices& beside) {
  const std::vector<int>& heads = sheet.selection.heads;
  const int count = static_cast<int>(heads.size());
  const Box bar = area.cut_bottom(weight_bar_height(sheet.pen));
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
  bool named = false;
  const scene::WeightScale scale = shown_scale(sheet);
  for (int i = 0; i < count; ++i) {
    const int head = heads[static_cast<std::size_t>(i)];
    Box place{area.x + static_cast<float>(i % columns) * wide,
              area.y + static_cast<float>(i / columns) * high, wide - between, high - between};
    if (place.h < 24 || place.w < 24) continue;
    Box heading = place.cut_top(title);
    MatrixPanel panel = weights_panel(sheet, place, sheet.trace().weights.plane(head), head);
    panel.mask_name = i == 0;
    panel.down.clear(), panel.across.clear();
    panel.scale = &scale;
    const MatrixPlace drawn = draw_matrix_panel(sheet.pen, place, panel);
    const Box map = last = drawn.cells;
    named = named || drawn.mask_named;
    heading.cut_left(map.x - heading.x);
    if (count <= 4) {
      sheet.pen.canvas.circle({heading.x + 5, heading.y + 8}, 4, draw::series(sheet.theme(), head));
      heading.cut_left(15);
    }
    put(sheet.pen, {heading.x, heading.y + 8}, "Head " + std::to_string(head + 1),
        strong_style(sheet.theme().text, 12), heading.w);
  }
  scale_row(sheet, bar, last, nullptr, scale, beside);
  return named;
}

}  // namespace headlight::views
