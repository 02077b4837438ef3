#include <algorithm>
#include <cmath>

#include "views/block_sheet.h"

namespace headlight::views {

using draw::Align;
using draw::Box;
using draw::Point;

namespace {

constexpr int most_heads = 16;  // of the overview

draw::Heatmap weights_map(const BlockSheet& sheet, int layer, int head) {
  const nn::AttentionTrace& trace = sheet.attention(layer);
  draw::Heatmap map;
  map.values = trace.weights.plane(head), map.rows = trace.T, map.cols = trace.S, map.row_stride = trace.S;
  map.allowed = trace.allowed, map.version = sheet.in.results.version;
  return map;
}

void control(const Pen& pen, const std::string& name, const std::string& set, const std::string& note,
             Box area) {
  draw::Mark mark;
  mark.part = draw::Part::control, mark.name = name, mark.set = set, mark.note = note, mark.area = area;
  pen.canvas.mark(mark);
}

std::string overview_subtitle(const BlockSheet& sheet, int shown) {
  const scene::BlockResults& r = sheet.results;
  std::string words = "row = layer, column = head; a click opens one";
  if (shown < sheet.heads)
    words =
        "row = layer; the first " + std::to_string(shown) + " of " + std::to_string(sheet.heads) + " heads";
  if (r.layers_left_out > 0)
    words += "; " + std::to_string(r.layers_left_out) + " more layers are too wide for a quick answer";
  return words;
}

/// Tokens beside a map: every n-th, so that they never touch.
void token_labels(const BlockSheet& sheet, Box map, int T, float left, float top) {
  const Pen& pen = sheet.pen;
  const float pitch = map.w / static_cast<float>(T);
  const int step = label_step(pitch, 14);
  const float size = pitch >= 20 ? 12.f : small_size;
  for (int t = 0; t < T; t += step) {
    const float at = (static_cast<float>(t) + 0.5f) * pitch;
    std::string words = sheet.token(t);
    if (step > 1) words = std::to_string(t) + " " + words;
    put(pen, {map.x - 7, map.y + at}, words, aligned(words_style(pen.theme.query, size), Align::right),
        left - 9);
    draw::TextStyle up = words_style(pen.theme.key, size);
    up.upwards = true;
    const std::string shown = draw::fit_text(pen.canvas, words, up, top - 9);
    if (shown != "…") pen.canvas.text({map.x + at, map.y - 7}, shown, up);
  }
}

void numbers_in_cells(const BlockSheet& sheet, Box box, const draw::Heatmap& map) {
  const Pen& pen = sheet.pen;
  const float pitch = box.w / static_cast<float>(map.cols);
  if (pitch < 32) return;
  for (int r = 0; r < map.rows; ++r) {
    for (int c = 0; c < map.cols; ++c) {
      if (!map.allowed.empty()) {
        const base::Interval keys = map.allowed[static_cast<std::size_t>(r)];
        if (c < keys.begin || c >= keys.end) continue;
      }
      const float value = map.values[r * map.row_stride + c];
      const draw::Color ground = draw::color_of(map.map, value, map.lo, map.hi);
      put(pen, draw::cell_box(box, map, c, r).centre(), fixed(static_cast<double>(value), 2),
          aligned(mono_style(draw::readable_on(ground), pitch >= 44 ? 12.f : 10.f), Align::centre), pitch);
    }
  }
}

}  // namespace

void block_overview_card(const BlockSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const scene::BlockResults& r = sheet.results;
  const int shown = std::min(sheet.heads, most_heads);
  Box inside = card(pen, box, {"Every head of every layer", overview_subtitle(sheet, shown)});
  const Box bar{inside.x + 26, inside.bottom() - 22, std::min(200.f, inside.w - 26), 8};
  inside.cut_bottom(32);
  colour_bar(pen, bar, {draw::Colormap::viridis, "0", "weight α, fixed scale", "1"});
  if (sheet.settings.causal && bar.right() + 20 + legend_width(pen, "masked") <= inside.right())
    masked_legend(pen, {bar.right() + 20, bar.centre().y});
  const Box head_row = inside.cut_top(16);
  inside.cut_left(26);
  const float pitch =
      std::min({inside.w / static_cast<float>(shown), inside.h / static_cast<float>(r.layers), 110.f});
  const float gap = std::clamp(pitch * 0.1f, 1.f, 6.f);
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  const int step = label_step(pitch, 18);
  for (int h = 0; h < shown; h += step) {
    put(pen, {inside.x + (static_cast<float>(h) + 0.5f) * pitch - gap / 2, head_row.y + 7},
        std::to_string(h + 1),
        aligned(h == sheet.head ? strong_style(pen.theme.text, small_size) : quiet, Align::centre));
  }
  const int row_step = label_step(pitch, 13);
  for (int l = 0; l < r.layers; ++l) {
    const float y = inside.y + static_cast<float>(l) * pitch;
    const std::string layer = std::to_string(l + 1);
    if (l % row_step == 0) {
      control(pen, "layer " + layer, "block_layer=" + layer, "shows layer " + layer,
              {inside.x - 26, y, 24, pitch});
      put(pen, {inside.x - 9, y + (pitch - gap) / 2}, layer,
          aligned(l == sheet.layer ? strong_style(pen.theme.text, small_size) : quiet, Align::right));
      pen.canvas.mark({});
    }
    for (int h = 0; h < shown; ++h) {
      const Box cell{inside.x + static_cast<float>(h) * pitch, y, pitch - gap, pitch - gap};
      const std::string head = std::to_string(h + 1);
      control(pen, "layer " + layer + " head " + head, "block_layer=" + layer + ";block_head=" + head,
              "layer " + layer + ", head " + head, cell);
      draw::Heatmap map = weights_map(sheet, l, h);
      map.gaps = false;
      pen.canvas.heatmap(cell, map);
      pen.canvas.mark({});
      if (l == sheet.layer && h == sheet.head) {
        pen.canvas.frame({cell.x - 2, cell.y - 2, cell.w + 4, cell.h + 4}, {pen.theme.focus, 2}, 2);
      }
    }
  }
}

void block_map_card(const BlockSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const scene::BlockResults& r = sheet.results;
  std::string subtitle = "query ↓  key →";
  if (r.tokens_left_out > 0)
    subtitle +=
        "; the first " + std::to_string(r.T) + " of " + std::to_string(r.T + r.tokens_left_out) + " tokens";
  Box inside = card(
      pen, box,
      {"Layer " + std::to_string(sheet.layer + 1) + ", head " + std::to_string(sheet.head + 1), subtitle});
  const Box bar = inside.cut_bottom(28);
  float widest = 0;
  const draw::TextStyle style = words_style(pen.theme.dim, 12);
  for (int t = 0; t < r.T; ++t) widest = std::max(widest, pen.canvas.text_width(sheet.token(t), style));
  const float room = std::clamp(widest + (r.T > 40 ? 32.f : 10.f), 24.f, std::min(96.f, inside.w * 0.25f));
  const float top = std::clamp(widest + (r.T > 40 ? 32.f : 10.f), 24.f, std::min(96.f, inside.h * 0.25f));
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
  token_labels(sheet, map_box, r.T, room, top);
  colour_bar(pen, {map_box.x, bar.y + 6, map_box.w, 7}, {draw::Colormap::viridis, "0", "weight α", "1"});
}

}  // namespace headlight::views
