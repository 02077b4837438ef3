#include <algorithm>
#include <array>
#include <cmath>

#include "kit/cells.h"
#include "kit/choices.h"
#include "kit/plot.h"
#include "pages/block/block.h"
#include "pages/block/view/matrix_card.h"
#include "pages/block/view/view.h"

namespace headlight::views {

namespace {

constexpr float least_tile = 8, most_tile = 200, gutter = 26, between_layers = 6;
constexpr float most_tall = 1.6f;  // height to width
constexpr float most_wide = 1.8f;  // width to height
constexpr float foot_height = 32, heading_height = 16;

/// The largest picture, and its largest ratio of width to height.
struct TileLimits {
  float side = most_tile, wide = most_wide;
};

/// A layer of the overview is a band of as many lines as its heads take.
struct Tiling {
  int across = 1, lines = 1;
  float pitch = least_tile, high = least_tile;  // from one picture to the next, across and down
  bool turned = false;                          // layers side by side, heads below each other
  float band() const { return static_cast<float>(lines) * high + (lines > 1 ? between_layers : 0); }
  /// Where the picture of a head is, from the corner of the first.
  Point at(int layer, int head) const {
    if (turned) return {static_cast<float>(layer) * pitch, static_cast<float>(head) * high};
    return {static_cast<float>(head % across) * pitch,
            static_cast<float>(layer) * band() + static_cast<float>(head / across) * high};
  }
  float least() const { return std::min(pitch, high); }
  float area() const { return pitch * high; }
  /// As large as they fit, each with this room. In a window and on a slide they may be wider than high.
  void fit(float w, float h, const TileLimits& most) {
    pitch = std::min({w, h * most.wide, most.side});
    high = std::min({h, most.side, pitch * most_tall});
  }
};

Tiling tiling_of(float w, float h, int layers, int heads, const TileLimits& most) {
  // In one line where that is not much smaller than in several; of pictures that are small the largest.
  constexpr float worth_lines = 1.4f, small = 24;
  Tiling best;
  best.pitch = best.high = 0;
  for (int across = heads; across > 0; --across) {
    Tiling t{across, (heads + across - 1) / across};
    const float apart = t.lines > 1 ? between_layers * static_cast<float>(layers) : 0;
    t.fit(w / static_cast<float>(across), (h - apart) / static_cast<float>(layers * t.lines), most);
    const bool better =
        best.least() < small ? t.least() > best.least() : t.area() > worth_lines * best.area();
    if (better) best = t;
  }
  return best;
}

/// A slide is wider than it is high: there the longer of layers and heads runs across.
Tiling turned_tiling(float w, float h, int layers, int heads, const TileLimits& most) {
  Tiling t{.across = layers, .turned = true};
  t.fit(w / static_cast<float>(layers), h / static_cast<float>(heads), most);
  return t;
}

/// The small picture of a head, a part of its layer's sheet.
draw::Heatmap tile_map(const BlockView& sheet, int layer, int head, const scene::WeightScale& scale) {
  const scene::HeadTiles& tiles = sheet.results.tiles;
  const auto place = static_cast<std::size_t>(head / scene::heads_a_sheet);
  const nn::Matrix& values = tiles.sheets[static_cast<std::size_t>(layer)][place];
  draw::Heatmap map;
  map.values = values.data(), map.rows = values.rows(), map.cols = map.row_stride = values.cols();
  map.allowed = {tiles.allowed[static_cast<std::size_t>(layer)].data(),
                 static_cast<std::size_t>(values.rows())};
  map.version = sheet.in.results.version, map.gaps = false;
  set_scale(map, scale);
  const auto side = static_cast<float>(tiles.side);
  map.view = {0, static_cast<float>(head % scene::heads_a_sheet * tiles.pitch), side, side};
  return map;
}

std::string overview_subtitle(const BlockView& sheet, const Tiling& tiling) {
  const scene::BlockResults& r = sheet.results;
  const std::string opens = in_window(sheet.pen, "; click one to open it");
  std::string words = "rows: layers · columns: heads" + opens;
  if (tiling.lines > 1)
    words = "one band per layer, with its " + std::to_string(sheet.heads) + " heads " +
            std::to_string(tiling.across) + " in a row" + opens;
  if (tiling.turned) words = "rows: heads · columns: layers";
  if (r.layers_left_out > 0)
    words += "; " + std::to_string(r.layers_left_out) +
             (r.layers_left_out == 1 ? " more layer is omitted" : " more layers are omitted") +
             ", too wide to compute";
  return words;
}

/// A matrix of the block.
void stage_card(const BlockView& sheet, const std::vector<BlockPanel>& panels, const BlockPanel& panel,
                Box box) {
  const nn::Matrix& m = *panel.values;
  const std::string shape = std::to_string(m.rows()) + " × " + std::to_string(m.cols());
  matrix_card(
      sheet.pen, sheet.in, box,
      {"Layer " + std::to_string(sheet.layer + 1) + ", " + panel.title,
       "token ↓  component →  " + shape + "; std " + stage_number(sheet, "block_stage_deviation", panel) +
           in_window(sheet.pen, "; click the weights to return to them"),
       panel.title, panel.values, scale_panel(sheet, panels, panel).statistics.largest, ""});
}

/// The attention weights of the selected head.
void weights_card(const BlockView& sheet, Box box) {
  const scene::BlockResults& r = sheet.results;
  std::string subtitle = "query ↓  key →";
  if (r.tokens_left_out > 0)
    subtitle +=
        "; the first " + std::to_string(r.T) + " of " + std::to_string(r.T + r.tokens_left_out) + " tokens";
  weights_map_card(sheet.pen, sheet.in, box,
                   {"Layer " + std::to_string(sheet.layer + 1) + ", head " + std::to_string(sheet.head + 1) +
                        (sheet.in.results.guided(sheet.layer, sheet.head) ? ", guided" : ""),
                    subtitle, &sheet.attention(sheet.layer), sheet.head, weight_scale(sheet)});
}

}  // namespace

scene::WeightScale weight_scale(const BlockSelection& sheet) {
  return scene::weight_scale(sheet.in.scene, sheet.results.T, sheet.results.counts);
}

std::string weight_scale_words(const BlockSelection& sheet) {
  const ColorBar words = scale_words(weight_scale(sheet), {});
  return words.left + " … " + words.right;
}

float block_overview_height(const BlockView& sheet, float width) {
  const float inside = width - 2 * card_padding - gutter;
  const int across = std::max(1, static_cast<int>(inside / least_tile));
  const int lines = (sheet.heads + across - 1) / across;
  const Tiling least{across, lines};
  const float head = 2 * card_padding + 18 + 2 * 16 + 8 + heading_height + foot_height;
  return head + static_cast<float>(sheet.results.layers) * least.band();
}

void block_overview_card(const BlockView& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const scene::BlockResults& r = sheet.results;
  // The subtitle says how the heads are laid out, and its lines decide how much room there is for them.
  const float w = box.w - 2 * card_padding - gutter;
  constexpr float most_on_slide = 600;
  const TileLimits most = on_slide(pen)        ? TileLimits{most_on_slide, most_wide}
                          : pen.canvas.plain() ? TileLimits{most_tile, 1}
                                               : TileLimits{};
  const auto tiling_within = [&](Box all) {
    const float high = all.h - foot_height - heading_height;
    const Tiling upright = tiling_of(w, high, r.layers, sheet.heads, most),
                 turned = turned_tiling(w, high, r.layers, sheet.heads, most);
    return on_slide(pen) && turned.area() > upright.area() ? turned : upright;
  };
  const float head_height = on_slide(pen) ? 0 : 18 + 2 * 16 + 8;
  Box room = box.inset(card_padding);
  room.cut_top(head_height);
  Box inside = card(pen, box, {"Every head of every layer", overview_subtitle(sheet, tiling_within(room))},
                    "overview");
  const float subtitle_end = std::max(inside.y, room.y);
  inside.cut_top(subtitle_end - inside.y);
  const Tiling tiling = tiling_within(inside);
  if (pen.canvas.plain() && !on_slide(pen)) {  // a figure becomes higher, so that its pictures are as wide
    constexpr float most_tall_card = 1.9f, most_high = 960;  // no higher than a printed page
    const float wanted =
                    static_cast<float>(r.layers) * std::min(w / static_cast<float>(sheet.heads), most_tile),
                more = std::min(wanted + foot_height + heading_height - inside.h,
                                std::min(most_tall_card * box.w, most_high) - box.h);
    if (tiling.lines == 1 && more > 0) pen.canvas.saved(-more);
  }
  // On a slide a narrow grid is in the middle.
  if (on_slide(pen))
    inside.cut_left(std::max(0.f, (w - static_cast<float>(tiling.across) * tiling.pitch) / 2));
  const float grid = static_cast<float>(tiling.across) * tiling.pitch;
  const Box bar{inside.x + gutter, inside.bottom() - 22, std::clamp(grid, std::min(110.f, w), 200.f), 8};
  inside.cut_bottom(foot_height);
  const float pitch = tiling.pitch, gap = std::clamp(pitch * 0.1f, 1.f, 6.f);
  const scene::WeightScale scale = weight_scale(sheet);
  color_bar(pen, bar, scale_words(scale, "weight α"));
  const auto choices = scale_choices(sheet.in.scene, r.T);
  float x = bar.right() + 14;
  if (const float wide = segmented_width(pen, choices); x + wide <= inside.right())
    x = segmented(pen, {x + wide, bar.y - 4}, choices).right() + 14;
  if (sheet.settings.causal && x + legend_width(pen, "masked") <= inside.right())
    x += masked_legend(pen, {x, bar.centre().y}) + 14;
  const std::string above = above_words(scale, pen.theme);
  if (x + pen.canvas.text_width(above, words_style(pen.theme.dim)) <= inside.right())
    put(pen, {x, bar.centre().y}, above, words_style(pen.theme.dim), inside.right() - x);
  const Box head_row = inside.cut_top(heading_height);
  inside.cut_left(gutter);
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  const int step = label_step(pitch, 18);
  const float beside = on_slide(pen) ? 13.f : 9.f;  // between the number of a row and its maps
  const int above_count = tiling.turned ? r.layers : sheet.heads,
            above_chosen = tiling.turned ? sheet.layer : sheet.head;
  for (int i = 0; i < above_count && tiling.lines == 1; i += step) {
    put(pen, {inside.x + (static_cast<float>(i) + 0.5f) * pitch - gap / 2, head_row.y + 7},
        std::to_string(i + 1),
        aligned(i == above_chosen && marks_selection(pen) ? strong_style(pen.theme.text, small_size) : quiet,
                Align::centre));
  }
  for (int h = 0; h < sheet.heads && tiling.turned; h += label_step(tiling.high, 13)) {
    put(pen, {inside.x - beside, inside.y + tiling.at(0, h).y + (std::min(tiling.high, 40.f) - gap) / 2},
        std::to_string(h + 1),
        aligned(h == sheet.head && marks_selection(pen) ? strong_style(pen.theme.text, small_size) : quiet,
                Align::right));
  }
  const int row_step = label_step(tiling.band(), 13);
  for (int l = 0; l < r.layers; ++l) {
    const float top = inside.y + tiling.at(l, 0).y;
    const std::string layer = std::to_string(l + 1);
    if (!tiling.turned)
      control_area(pen, "layer " + layer, "block_layer=" + layer, "shows layer " + layer,
                   {inside.x - gutter, top, gutter - 2, static_cast<float>(tiling.lines) * tiling.high});
    if (l % row_step == 0 && !tiling.turned)
      put(pen, {inside.x - beside, top + (std::min(tiling.high, 40.f) - gap) / 2}, layer,
          aligned(l == sheet.layer && marks_selection(pen) ? strong_style(pen.theme.text, small_size) : quiet,
                  Align::right));
    pen.canvas.mark({});
    for (int h = 0; h < sheet.heads; ++h) {
      const Point at = tiling.at(l, h);
      const Box cell{inside.x + at.x, inside.y + at.y, pitch - gap, tiling.high - gap};
      const std::string head = std::to_string(h + 1);
      control_area(pen, "layer " + layer + " head " + head,
                   "block_layer=" + layer + ";block_head=" + head + ";block_stage=weights",
                   "layer " + layer + ", head " + head, cell);
      draw_cells(pen, cell, tile_map(sheet, l, h, scale));
      pen.canvas.mark({});
    }
  }
  // On top of the neighbours.
  const auto frame = [&](int l, int h, draw::Stroke stroke) {
    const Point at = tiling.at(l, h);
    const Box cell{inside.x + at.x - 2, inside.y + at.y - 2, pitch - gap + 4, tiling.high - gap + 4};
    pen.canvas.frame(cell, stroke, 2);
  };
  if (marks_selection(pen)) frame(sheet.layer, sheet.head, {pen.theme.focus, 2});
}

void block_map_card(const BlockView& sheet, Box box) {
  const std::vector<BlockPanel> panels = block_panels(sheet);
  const BlockPanel& panel = shown_panel(sheet, panels);
  if (panel.kind == BlockPanel::Kind::matrix) {
    stage_card(sheet, panels, panel, box);
  } else {
    weights_card(sheet, box);
  }
}

}  // namespace headlight::views
