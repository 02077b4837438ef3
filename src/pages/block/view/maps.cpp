#include <algorithm>
#include <cmath>

#include "draw/heatmap_raster.h"
#include "kit/plot.h"
#include "pages/block/block.h"
#include "pages/block/view/sheet.h"

namespace headlight::views {

using draw::Align;
using draw::Box;
using draw::Point;

namespace {

constexpr float least_tile = 8, most_tile = 110, gutter = 26, between_layers = 6;
constexpr float foot_height = 32, heading_height = 16;
constexpr float label_room = 14;  // from one token beside a map to the next

/// A layer of the overview is a band of as many lines as its heads take.
struct Tiling {
  int across = 1, lines = 1;
  float pitch = least_tile;
  float band() const { return static_cast<float>(lines) * pitch + (lines > 1 ? between_layers : 0); }
};

Tiling tiling_of(float w, float h, int layers, int heads) {
  Tiling best;
  best.pitch = 0;
  for (int across = 1; across <= heads; ++across) {
    Tiling t{across, (heads + across - 1) / across, 0};
    const float apart = t.lines > 1 ? between_layers * static_cast<float>(layers) : 0;
    t.pitch = std::min(
        {w / static_cast<float>(across), (h - apart) / static_cast<float>(layers * t.lines), most_tile});
    if (t.pitch > best.pitch) best = t;
  }
  return best;
}

draw::Heatmap weights_map(const BlockSheet& sheet, int layer, int head) {
  const nn::AttentionTrace& trace = sheet.attention(layer);
  draw::Heatmap map;
  map.values = trace.weights.plane(head), map.rows = trace.T, map.cols = trace.S, map.row_stride = trace.S;
  map.allowed = trace.allowed, map.version = sheet.in.results.version;
  set_scale(map, weight_scale(sheet));
  return map;
}

/// The small picture of a head, a part of its layer's sheet.
draw::Heatmap tile_map(const BlockSheet& sheet, int layer, int head) {
  const scene::HeadTiles& tiles = sheet.results.tiles;
  const auto place = static_cast<std::size_t>(head / scene::heads_a_sheet);
  const nn::Matrix& values = tiles.sheets[static_cast<std::size_t>(layer)][place];
  draw::Heatmap map;
  map.values = values.data(), map.rows = values.rows(), map.cols = map.row_stride = values.cols();
  map.allowed = {tiles.allowed[static_cast<std::size_t>(layer)].data(),
                 static_cast<std::size_t>(values.rows())};
  map.version = sheet.in.results.version, map.gaps = false;
  set_scale(map, weight_scale(sheet));
  const auto side = static_cast<float>(tiles.side);
  map.view = {0, static_cast<float>(head % scene::heads_a_sheet) * side, side, side};
  return map;
}

void control(const Pen& pen, const std::string& name, const std::string& set, const std::string& note,
             Box area) {
  draw::Mark mark;
  mark.part = draw::Part::control, mark.name = name, mark.set = set, mark.note = note, mark.area = area;
  pen.canvas.mark(mark);
}

std::string overview_subtitle(const BlockSheet& sheet, const Tiling& tiling) {
  const scene::BlockResults& r = sheet.results;
  std::string words = "rows: layers · columns: heads; click one to open it";
  if (tiling.lines > 1)
    words = "one band per layer, with its " + std::to_string(sheet.heads) + " heads " +
            std::to_string(tiling.across) + " in a row; click one to open it";
  if (r.layers_left_out > 0)
    words += "; " + std::to_string(r.layers_left_out) +
             (r.layers_left_out == 1 ? " more layer is omitted" : " more layers are omitted") +
             ", too wide to compute";
  return words;
}

/// A token's name at an axis where every `step`-th is named.
std::string axis_word(const BlockSheet& sheet, int t, int step) {
  return (step > 1 ? std::to_string(t) + " " : std::string()) + sheet.token(t);
}

float axis_size(float pitch) {
  return pitch >= 20 ? 12.f : small_size;
}

/// Tokens at the left of a map: every n-th, so that they never touch.
void tokens_down(const BlockSheet& sheet, Box map, int T, float room) {
  const float pitch = map.h / static_cast<float>(T);
  const int step = label_step(pitch, label_room);
  const draw::TextStyle style = aligned(words_style(sheet.pen.theme.dim, axis_size(pitch)), Align::right);
  for (int t = 0; t < T; t += step)
    put(sheet.pen, {map.x - 7, map.y + (static_cast<float>(t) + 0.5f) * pitch}, axis_word(sheet, t, step),
        style, room - 9);
}

/// The same above it, read upwards.
void tokens_across(const BlockSheet& sheet, Box map, int T, float room) {
  const float pitch = map.w / static_cast<float>(T);
  const int step = label_step(pitch, label_room);
  draw::TextStyle style = words_style(sheet.pen.theme.dim, axis_size(pitch));
  style.upwards = true;
  for (int t = 0; t < T; t += step) {
    const std::string shown = draw::fit_text(sheet.pen.canvas, axis_word(sheet, t, step), style, room - 9);
    if (shown != "…")
      sheet.pen.canvas.text({map.x + (static_cast<float>(t) + 0.5f) * pitch, map.y - 7}, shown, style);
  }
}

/// Room that the tokens' names need beside a map of about `length` units.
float words_room(const BlockSheet& sheet, float length, int T) {
  const draw::TextStyle style = words_style({}, 12);
  float widest = 0;
  for (int t = 0; t < T; ++t) widest = std::max(widest, sheet.pen.canvas.text_width(sheet.token(t), style));
  // Where not every token can be named, those that are have their number before them.
  const bool numbered = length * 0.85f / static_cast<float>(T) < label_room * 1.2f;
  const float number = numbered ? sheet.pen.canvas.text_width(std::to_string(T) + " ", style) : 0.f;
  return std::clamp(widest + number + 10, 24.f, 96.f);
}

void numbers_in_cells(const BlockSheet& sheet, Box box, const draw::Heatmap& map) {
  const Pen& pen = sheet.pen;
  const float pitch = box.w / static_cast<float>(map.cols);
  if (pitch < 32 || box.h / static_cast<float>(map.rows) < 14) return;
  const bool weights = map.lo == 0;  // the stages have both signs
  const int decimals = weights ? weight_decimals(map.hi) : 2;
  for (int r = 0; r < map.rows; ++r) {
    for (int c = 0; c < map.cols; ++c) {
      if (!map.allowed.empty()) {
        const base::Interval keys = map.allowed[static_cast<std::size_t>(r)];
        if (c < keys.begin || c >= keys.end) continue;
      }
      const float value = map.values[r * map.row_stride + c];
      if (weights && std::abs(value) < unwritten_weight(decimals)) continue;
      const draw::Color ground = draw::color_of(pen.theme, map, value);
      const bool quiet =
          weights && std::abs(value) < quiet_weight(decimals) && draw::contrast(pen.theme.dim, ground) >= 4.5;
      put(pen, draw::cell_box(box, map, c, r).centre(), weight_in_cell(static_cast<double>(value), decimals),
          aligned(mono_style(quiet ? pen.theme.dim : draw::readable_on(ground), pitch >= 44 ? 12.f : 10.f),
                  Align::centre),
          pitch);
    }
  }
}

/// A matrix of the block: rows are tokens, columns are components.
void stage_card(const BlockSheet& sheet, const BlockPanel& panel, Box box) {
  const Pen& pen = sheet.pen;
  const nn::Matrix& m = *panel.values;
  const std::string shape = std::to_string(m.rows()) + " × " + std::to_string(m.cols());
  Box inside = card(pen, box,
                    {"Layer " + std::to_string(sheet.layer + 1) + ", " + panel.title,
                     "token ↓  component →  " + shape + "; std " + fixed(panel.figures.deviation, 3) +
                         "; click the weights to return to them"},
                    "map");
  const Box bar = inside.cut_bottom(28);
  const float room = std::min(words_room(sheet, inside.h, m.rows()), inside.w * 0.25f);
  Box map_box = inside;
  map_box.cut_left(room);
  map_box.cut_top(18);
  if (map_box.w < 24 || map_box.h < 24) return;
  const float largest = panel.figures.largest > 0 ? panel.figures.largest : 1;
  draw::Heatmap map;
  map.values = m.data(), map.rows = m.rows(), map.cols = map.row_stride = m.cols();
  map.version = sheet.in.results.version, map.gaps = false;
  map.lo = -largest, map.hi = largest, map.map = draw::Colormap::signed_weight;
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = "large stage", mark.note = panel.title;
  pen.canvas.mark(mark);
  pen.canvas.heatmap(map_box, map);
  pen.canvas.mark({});
  pen.canvas.frame(map_box, {pen.theme.border, 1});
  numbers_in_cells(sheet, map_box, map);
  tokens_down(sheet, map_box, m.rows(), room);
  const float pitch = map_box.w / static_cast<float>(m.cols());
  for (int c = 0; c < m.cols(); c += label_step(pitch, 30))
    put(pen, {map_box.x + (static_cast<float>(c) + 0.5f) * pitch, map_box.y - 9}, std::to_string(c),
        aligned(words_style(pen.theme.dim, small_size), Align::centre));
  const std::string end = fixed(static_cast<double>(largest), 2);
  colour_bar(pen, {map_box.x, bar.y + 6, map_box.w, 7},
             {draw::Colormap::signed_weight, "−" + end, panel.title, "+" + end});
}

/// The attention weights of the selected head.
void weights_card(const BlockSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const scene::BlockResults& r = sheet.results;
  std::string subtitle = "query ↓  key →";
  if (r.tokens_left_out > 0)
    subtitle +=
        "; the first " + std::to_string(r.T) + " of " + std::to_string(r.T + r.tokens_left_out) + " tokens";
  Box inside = card(
      pen, box,
      {"Layer " + std::to_string(sheet.layer + 1) + ", head " + std::to_string(sheet.head + 1), subtitle},
      "map");
  const Box bar = inside.cut_bottom(28);
  const float words = words_room(sheet, std::min(inside.w, inside.h), r.T);
  const float room = std::min(words, inside.w * 0.25f), top = std::min(words, inside.h * 0.25f);
  const float side = std::min(inside.w - room, inside.h - top);
  if (side < 24) return;
  const Box map_box{inside.x + room + (inside.w - room - side) / 2, inside.y + top, side, side};
  const draw::Heatmap map = weights_map(sheet, sheet.layer, sheet.head);
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = "block map", mark.note = "weight α";
  pen.canvas.mark(mark);
  pen.canvas.heatmap(map_box, map);
  pen.canvas.mark({});
  numbers_in_cells(sheet, map_box, map);
  tokens_down(sheet, map_box, r.T, room);
  tokens_across(sheet, map_box, r.T, top);
  colour_bar(pen, {map_box.x, bar.y + 6, map_box.w, 7}, scale_words(weight_scale(sheet), "weight α"));
}

}  // namespace

scene::WeightScale weight_scale(const BlockSelection& sheet) {
  return scene::weight_scale(sheet.in.scene, sheet.results.T, sheet.results.counts);
}

std::string weight_scale_words(const BlockSelection& sheet) {
  const ColourBar words = scale_words(weight_scale(sheet), {});
  return words.left + " … " + words.right;
}

float block_overview_height(const BlockSheet& sheet, float width) {
  const float inside = width - 2 * card_padding - gutter;
  const int across = std::max(1, static_cast<int>(inside / least_tile));
  const int lines = (sheet.heads + across - 1) / across;
  const Tiling least{across, lines, least_tile};
  const float head = 2 * card_padding + 18 + 2 * 16 + 8 + heading_height + foot_height;
  return head + static_cast<float>(sheet.results.layers) * least.band();
}

void block_overview_card(const BlockSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const scene::BlockResults& r = sheet.results;
  // The subtitle says how the heads are laid out, and its lines decide how much room there is for them.
  const float w = box.w - 2 * card_padding - gutter;
  const auto tiling_within = [&](Box all) {
    return tiling_of(w, all.h - foot_height - heading_height, r.layers, sheet.heads);
  };
  const float head_height = 18 + 2 * 16 + 8;
  Box room = box.inset(card_padding);
  room.cut_top(head_height);
  Box inside = card(pen, box, {"Every head of every layer", overview_subtitle(sheet, tiling_within(room))},
                    "overview");
  const float subtitle_end = std::max(inside.y, room.y);
  inside.cut_top(subtitle_end - inside.y);
  const Tiling tiling = tiling_within(inside);
  const Box bar{inside.x + gutter, inside.bottom() - 22, std::min(200.f, w), 8};
  inside.cut_bottom(foot_height);
  const scene::WeightScale scale = weight_scale(sheet);
  colour_bar(pen, bar, scale_words(scale, "weight α"));
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
  const float pitch = tiling.pitch, gap = std::clamp(pitch * 0.1f, 1.f, 6.f);
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  const int step = label_step(pitch, 18);
  for (int h = 0; h < sheet.heads && tiling.lines == 1; h += step) {
    put(pen, {inside.x + (static_cast<float>(h) + 0.5f) * pitch - gap / 2, head_row.y + 7},
        std::to_string(h + 1),
        aligned(h == sheet.head ? strong_style(pen.theme.text, small_size) : quiet, Align::centre));
  }
  const int row_step = label_step(tiling.band(), 13);
  for (int l = 0; l < r.layers; ++l) {
    const float top = inside.y + static_cast<float>(l) * tiling.band();
    const std::string layer = std::to_string(l + 1);
    control(pen, "layer " + layer, "block_layer=" + layer, "shows layer " + layer,
            {inside.x - gutter, top, gutter - 2, static_cast<float>(tiling.lines) * pitch});
    if (l % row_step == 0)
      put(pen, {inside.x - 9, top + (std::min(pitch, 40.f) - gap) / 2}, layer,
          aligned(l == sheet.layer ? strong_style(pen.theme.text, small_size) : quiet, Align::right));
    pen.canvas.mark({});
    for (int h = 0; h < sheet.heads; ++h) {
      const Box cell{inside.x + static_cast<float>(h % tiling.across) * pitch,
                     top + static_cast<float>(h / tiling.across) * pitch, pitch - gap, pitch - gap};
      const std::string head = std::to_string(h + 1);
      control(pen, "layer " + layer + " head " + head,
              "block_layer=" + layer + ";block_head=" + head + ";block_stage=weights",
              "layer " + layer + ", head " + head, cell);
      pen.canvas.heatmap(cell, tile_map(sheet, l, h));
      pen.canvas.mark({});
    }
  }
  // On top of the neighbours.
  const auto frame = [&](int l, int h, draw::Stroke stroke) {
    const Box cell{
        inside.x + static_cast<float>(h % tiling.across) * pitch - 2,
        inside.y + static_cast<float>(l) * tiling.band() + static_cast<float>(h / tiling.across) * pitch - 2,
        pitch - gap + 4, pitch - gap + 4};
    pen.canvas.frame(cell, stroke, 2);
  };
  frame(sheet.layer, sheet.head, {pen.theme.focus, 2});
}

void block_map_card(const BlockSheet& sheet, Box box) {
  const std::vector<BlockPanel> panels = block_panels(sheet);
  const BlockPanel& panel = shown_panel(sheet, panels);
  if (panel.kind == BlockPanel::Kind::matrix) {
    stage_card(sheet, panel, box);
  } else {
    weights_card(sheet, box);
  }
}

}  // namespace headlight::views
