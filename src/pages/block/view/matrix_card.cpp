#include "pages/block/view/matrix_card.h"

#include <algorithm>
#include <array>

#include "kit/matrix_panel.h"
#include "kit/weight_bar.h"

namespace headlight::views {

namespace {

/// The tokens of the block, which may be fewer than those of the sentence.
std::vector<std::string> token_names(const PageInput& in, int count) {
  std::vector<std::string> out;
  for (int t = 0; t < count; ++t) out.push_back(block_token(in, t));
  return out;
}

}  // namespace

std::string block_token(const PageInput& in, int t) {
  const auto i = static_cast<std::size_t>(t);
  return i < in.results.tokens.size() ? shown_token(in.results.tokens[i].text) : std::to_string(t);
}

void matrix_card(const Pen& pen, const PageInput& in, Box box, const MatrixCard& what) {
  const nn::Matrix& m = *what.values;
  Box inside = card(pen, box, {what.title, what.subtitle}, "map");
  const Box bar = inside.cut_bottom(28);
  const float largest = what.largest > 0 ? what.largest : 1;
  MatrixPanel map;
  map.values = m.data(), map.rows = m.rows(), map.cols = m.cols();
  map.version = in.results.version, map.lattice = false, map.stretched = true;
  map.lo = -largest, map.hi = largest, map.map = draw::Colormap::signed_weight, map.weights = false;
  map.row_names = token_names(in, m.rows());
  for (int c = 0; c < m.cols(); ++c) map.col_names.push_back(std::to_string(c));
  map.col_numbers = true;
  map.down.clear(), map.across.clear();
  map.mark.part = draw::Part::note, map.mark.name = "large stage", map.mark.note = what.words;
  const Box cells = draw_matrix_panel(pen, inside, map).cells;
  if (cells.w <= 0) return;
  pen.canvas.frame(cells, {pen.theme.border, 1});
  const std::string end = what.end.empty() ? fixed(static_cast<double>(largest), 2) : what.end;
  color_bar(pen, {cells.x, bar.y + 6, cells.w, 7},
            {draw::Colormap::signed_weight, "−" + end, what.words, "+" + end});
}

void weights_map_card(const Pen& pen, const PageInput& in, Box box, const WeightsCard& what) {
  Box inside = card(pen, box, {what.title, what.subtitle}, "map");
  const Box bar = inside.cut_bottom(28);
  const draw::Heatmap weights = head_map(in, *what.trace, what.head, what.scale);
  MatrixPanel map;
  map.values = weights.values, map.rows = weights.rows, map.cols = weights.cols;
  map.version = weights.version, map.allowed = weights.allowed;
  map.lo = weights.lo, map.hi = weights.hi, map.decades = weights.decades, map.map = weights.map;
  map.scale = &what.scale;
  map.row_names = token_names(in, map.rows), map.col_names = token_names(in, map.cols);
  map.down.clear(), map.across.clear(), map.most_cell = 96;
  if (on_slide(pen)) map.most_cell = std::max(map.most_cell, inside.h), map.stretched = map.rows > 1;
  constexpr float one_cell = 150, least_words = 80;
  if (map.rows == 1 && map.cols == 1 && inside.h > one_cell + least_words && !pen.canvas.plain())
    placeholder(pen, inside.cut_bottom(inside.h - one_cell), "One token attends only to itself",
                in_window(pen, "type a second word to see more"));
  map.mark.part = draw::Part::note, map.mark.name = "block map", map.mark.note = "weight α";
  const Box cells = draw_matrix_panel(pen, inside, map).cells;
  if (cells.w <= 0) return;
  const float y = std::min(bar.y, cells.bottom() + 2) + 6;
  color_bar(pen, {cells.x, y, cells.w, 7},
            with_share(scale_words(what.scale, "weight α"), what.scale, pen.theme));
}

bool common_scale(const PageInput& in) {
  return in.scene.block.scale == scene::BlockScale::common;
}

float stage_scale_bar(const Pen& pen, const PageInput& in, Box foot, const std::string& end) {
  constexpr float apart = 14, least = 60;
  const bool common = common_scale(in);
  const std::array<Choice, 2> choices = {
      Choice{"own", "block_scale=own", "own scale", !common, "each stage up to its own largest element"},
      Choice{"common", "block_scale=common", "common scale", common,
             "all stages of the layer up to the largest element of all"}};
  const float chooser = pen.canvas.plain() ? 0 : segmented_width(pen, choices) + apart;
  constexpr float narrow = 520, most = 240, share = 0.6f, share_alone = 0.4f;
  const float room = foot.w < narrow ? foot.w - chooser
                     : chooser > 0   ? std::min(most, foot.w * share - chooser)
                                     : std::min(most, foot.w * share_alone);
  const Box bar{foot.x, foot.y, std::max(least, room), 8};
  color_bar(pen, bar,
            {draw::Colormap::signed_weight, common ? "−" + end : "−",
             common ? "one ± scale" : "each with its own ± scale", common ? "+" + end : "+",
             common ? "one scale" : "own ± scales"});
  if (chooser > 0) segmented(pen, {bar.right() + chooser, foot.y - 2}, choices);
  return bar.right() + chooser + apart;
}

draw::Heatmap head_map(const PageInput& in, const nn::AttentionTrace& trace, int head,
                       const scene::WeightScale& scale) {
  draw::Heatmap map;
  map.values = trace.weights.plane(head), map.rows = trace.T, map.cols = trace.S, map.row_stride = trace.S;
  map.allowed = trace.allowed, map.version = in.results.version;
  set_scale(map, scale);
  return map;
}

std::string shape_words(const nn::Matrix& m) {
  return std::to_string(m.rows()) + " × " + std::to_string(m.cols());
}

}  // namespace headlight::views
