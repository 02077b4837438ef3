// The heads of the layer, the stage shown large, and the residual stream of another program's model.
#include <algorithm>
#include <cmath>

#include "kit/cells.h"
#include "kit/weight_bar.h"
#include "pages/block/view/matrix_card.h"
#include "pages/block/view/opened_view.h"
#include "pages/block/view/stream.h"

namespace headlight::views {

namespace {

constexpr float least_picture = 12, most_picture = 120, picture_gap = 6, label_line = 13, scale_foot = 32;

/// Pictures beside each other, with a line of words below each where there is room.
struct HeadGrid {
  int across = 1, lines = 1;
  float side = 0;
  bool labels = false;
  float pitch_x() const { return side + picture_gap; }
  float pitch_y() const { return side + picture_gap + (labels ? label_line : 0); }
};

HeadGrid grid_of(float w, float h, int heads) {
  HeadGrid best;
  for (int across = 1; across <= heads; ++across) {
    HeadGrid grid{across, (heads + across - 1) / across, 0, false};
    const float wide = w / static_cast<float>(across) - picture_gap;
    const float high = h / static_cast<float>(grid.lines) - picture_gap;
    const float labelled = std::min(wide, high - label_line);
    grid.labels = labelled >= 30;
    grid.side = std::min(grid.labels ? labelled : std::min(wide, high), most_picture);
    if (grid.side > best.side) best = grid;
  }
  return best;
}

/// The small picture of a head, a part of the layer's sheet.
draw::Heatmap head_picture(const OpenedView& sheet, int head) {
  const scene::HeadTiles& tiles = sheet.block.tiles;
  const nn::Matrix& values = tiles.sheets[0][static_cast<std::size_t>(head / scene::heads_a_sheet)];
  draw::Heatmap map;
  map.values = values.data(), map.rows = values.rows(), map.cols = map.row_stride = values.cols();
  map.allowed = {tiles.allowed[0].data(), static_cast<std::size_t>(values.rows())};
  map.version = sheet.in.results.version, map.gaps = false;
  set_scale(map, sheet.scale());
  const auto side = static_cast<float>(tiles.side);
  map.view = {0, static_cast<float>(head % scene::heads_a_sheet * tiles.pitch), side, side};
  return map;
}

std::string heads_subtitle(const OpenedView& sheet) {
  std::string words = in_window(sheet.pen, "click one to open it · ") + "numbers: mean entropy in bits";
  if (sheet.of.kv_heads < sheet.attention.heads) {
    const int group = sheet.attention.heads / sheet.of.kv_heads;
    words += " · each " + std::to_string(group) + " share a key and value head";
  }
  return words;
}

}  // namespace

float opened_heads_height(const OpenedView& sheet, float width) {
  const float inside = width - 2 * card_padding;
  const int across = std::max(1, static_cast<int>(inside / (least_picture + picture_gap)));
  const int lines = (sheet.attention.heads + across - 1) / across;
  return 2 * card_padding + 18 + 2 * 16 + 8 + scale_foot +
         static_cast<float>(lines) * (least_picture + picture_gap);
}

void opened_heads_card(const OpenedView& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const int heads = sheet.attention.heads;
  const std::string layer = std::to_string(sheet.block.layer + 1);
  Box inside = card(pen, box, {"Heads of layer " + layer, heads_subtitle(sheet)}, "overview");
  const Box foot = inside.cut_bottom(scale_foot);
  const Box bar{foot.x, foot.y + 10, std::min(170.f, foot.w * 0.5f), 8};
  const scene::WeightScale scale = sheet.scale();
  color_bar(pen, bar, scale_words(scale, "weight α"));
  const auto choices = scale_choices(sheet.in.scene, sheet.attention.T);
  float x = bar.right() + 14;
  if (const float wide = segmented_width(pen, choices); !pen.canvas.plain() && x + wide <= foot.right())
    x = segmented(pen, {x + wide, bar.y - 4}, choices).right() + 14;
  const std::string above = above_words(scale, pen.theme);
  if (x + pen.canvas.text_width(above, words_style(pen.theme.dim)) <= foot.right())
    put(pen, {x, bar.centre().y}, above, words_style(pen.theme.dim), foot.right() - x);
  const HeadGrid grid = grid_of(inside.w, inside.h, heads);
  if (grid.side < 4) return;
  for (int head = 0; head < heads; ++head) {
    const Box cell{inside.x + static_cast<float>(head % grid.across) * grid.pitch_x(),
                   inside.y + static_cast<float>(head / grid.across) * grid.pitch_y(), grid.side, grid.side};
    const std::string number = std::to_string(head + 1);
    const std::string entropy = sheet.in.text(quantity("block_head_entropy", {{"head", head + 1}}));
    draw::Mark mark;
    mark.part = draw::Part::control, mark.area = cell, mark.name = "head " + number;
    mark.set = "block_head=" + number + ";block_stage=weights";
    mark.note = "layer " + layer + ", head " + number + ": mean entropy " + entropy + " bits";
    pen.canvas.mark(mark);
    draw_cells(pen, cell, head_picture(sheet, head));
    const bool over = pen.over(mark.name), chosen = head == sheet.head && marks_selection(pen);
    pen.canvas.mark({});
    pen.canvas.frame(cell, {over ? pen.theme.text : pen.theme.border, over ? 1.5f : 1.f}, 2);
    if (chosen) pen.canvas.frame(cell.inset(-2), {pen.theme.focus, 2}, 2);
    if (!grid.labels) continue;
    const draw::Color ink = chosen ? pen.theme.text : pen.theme.dim;
    const float y = cell.bottom() + 9;
    const draw::TextStyle figures = aligned(mono_style(ink, small_size), Align::right);
    const float taken = put(pen, {cell.x, y}, number, words_style(ink, small_size), cell.w);
    if (taken + 6 + pen.canvas.text_width(entropy, figures) <= cell.w)
      put(pen, {cell.right(), y}, entropy, figures);
  }
}

void opened_map_card(const OpenedView& sheet, Box box) {
  const std::string layer = "Layer " + std::to_string(sheet.block.layer + 1) + ", ";
  if (!sheet.shown) {
    return weights_map_card(sheet.pen, sheet.in, box,
                            {layer + "head " + std::to_string(sheet.head + 1),
                             "query ↓  key →  mean entropy " + sheet.in.text("block_head_entropy") + " bits",
                             &sheet.attention, sheet.head, sheet.scale()});
  }
  const scene::OpenedStage& stage = *sheet.shown;
  const nn::Matrix& m = sheet.block.values(stage);
  matrix_card(sheet.pen, sheet.in, box,
              {layer + stage.title,
               stage.formula + " · token ↓  component →  " + shape_words(m) + " · RMS " +
                   stage_text(sheet.in, "block_stage_rms", stage),
               stage.title, &m, static_cast<float>(sheet.scale_stage(stage).largest),
               stage_text(sheet.in, "block_stage_largest", sheet.scale_stage(stage))});
}

void opened_stream_card(const OpenedView& sheet, Box box) {
  const StreamPlot plotted{sheet.pen,         sheet.in,           sheet.block.stream,     1,
                           sheet.block.layer, sheet.block.layers, sheet.block.final_norm, true};
  const Box inside = card(sheet.pen, box, {"The residual stream", stream_growth(plotted)}, "stream");
  stream_plots(plotted, inside);
}

}  // namespace headlight::views
