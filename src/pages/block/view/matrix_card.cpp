#include "pages/block/view/matrix_card.h"

#include <algorithm>
#include <cmath>

#include "draw/heatmap_raster.h"
#include "kit/plot.h"
#include "kit/weight_bar.h"

namespace headlight::views {

using draw::Align;
using draw::Box;

namespace {

constexpr float label_room = 14;  // from one token beside a map to the next

/// What a map is drawn with.
struct MapPen {
  const Pen& pen;
  const PageInput& in;
  std::string token(int t) const { return block_token(in, t); }
};

/// A token's name at an axis where every `step`-th is named.
std::string axis_word(const MapPen& sheet, int t, int step) {
  return (step > 1 ? std::to_string(t) + " " : std::string()) + sheet.token(t);
}

float axis_size(float pitch) {
  return pitch >= 20 ? 12.f : small_size;
}

/// Tokens at the left of a map: every n-th, so that they never touch.
void tokens_down(const MapPen& sheet, Box map, int T, float room) {
  const float pitch = map.h / static_cast<float>(T);
  const int step = label_step(pitch, label_room);
  const draw::TextStyle style = aligned(words_style(sheet.pen.theme.dim, axis_size(pitch)), Align::right);
  for (int t = 0; t < T; t += step)
    put(sheet.pen, {map.x - 7, map.y + (static_cast<float>(t) + 0.5f) * pitch}, axis_word(sheet, t, step),
        style, room - 9);
}

/// The same above it, read upwards.
void tokens_across(const MapPen& sheet, Box map, int T, float room) {
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
float words_room(const MapPen& sheet, float length, int T) {
  const draw::TextStyle style = words_style({}, 12);
  float widest = 0;
  for (int t = 0; t < T; ++t) widest = std::max(widest, sheet.pen.canvas.text_width(sheet.token(t), style));
  // Where not every token can be named, those that are have their number before them.
  const bool numbered = length * 0.85f / static_cast<float>(T) < label_room * 1.2f;
  const float number = numbered ? sheet.pen.canvas.text_width(std::to_string(T) + " ", style) : 0.f;
  return std::clamp(widest + number + 10, 24.f, 96.f);
}

void numbers_in_cells(const MapPen& sheet, Box box, const draw::Heatmap& map) {
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

}  // namespace

std::string block_token(const PageInput& in, int t) {
  const auto i = static_cast<std::size_t>(t);
  return i < in.results.tokens.size() ? shown_token(in.results.tokens[i].text) : std::to_string(t);
}

void matrix_card(const Pen& pen, const PageInput& in, Box box, const MatrixCard& what) {
  const MapPen sheet{pen, in};
  const nn::Matrix& m = *what.values;
  Box inside = card(pen, box, {what.title, what.subtitle}, "map");
  const Box bar = inside.cut_bottom(28);
  const float room = std::min(words_room(sheet, inside.h, m.rows()), inside.w * 0.25f);
  Box map_box = inside;
  map_box.cut_left(room);
  map_box.cut_top(18);
  if (map_box.w < 24 || map_box.h < 24) return;
  const float largest = what.largest > 0 ? what.largest : 1;
  draw::Heatmap map;
  map.values = m.data(), map.rows = m.rows(), map.cols = map.row_stride = m.cols();
  map.version = in.results.version, map.gaps = false;
  map.lo = -largest, map.hi = largest, map.map = draw::Colormap::signed_weight;
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = "large stage", mark.note = what.words;
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
  const std::string end = what.end.empty() ? fixed(static_cast<double>(largest), 2) : what.end;
  colour_bar(pen, {map_box.x, bar.y + 6, map_box.w, 7},
             {draw::Colormap::signed_weight, "−" + end, what.words, "+" + end});
}

void weights_map_card(const Pen& pen, const PageInput& in, Box box, const WeightsCard& what) {
  const MapPen sheet{pen, in};
  const int T = what.trace->T;
  Box inside = card(pen, box, {what.title, what.subtitle}, "map");
  const Box bar = inside.cut_bottom(28);
  const float words = words_room(sheet, std::min(inside.w, inside.h), T);
  const float room = std::min(words, inside.w * 0.25f), top = std::min(words, inside.h * 0.25f);
  const float side = std::min(inside.w - room, inside.h - top);
  if (side < 24) return;
  const Box map_box{inside.x + room + (inside.w - room - side) / 2, inside.y + top, side, side};
  const draw::Heatmap map = head_map(in, *what.trace, what.head, what.scale);
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = "block map", mark.note = "weight α";
  pen.canvas.mark(mark);
  pen.canvas.heatmap(map_box, map);
  pen.canvas.mark({});
  numbers_in_cells(sheet, map_box, map);
  tokens_down(sheet, map_box, T, room);
  tokens_across(sheet, map_box, T, top);
  colour_bar(pen, {map_box.x, bar.y + 6, map_box.w, 7}, scale_words(what.scale, "weight α"));
}

draw::Heatmap head_map(const PageInput& in, const nn::AttentionTrace& trace, int head,
                       const scene::WeightScale& scale) {
  draw::Heatmap map;
  map.values = trace.weights.plane(head), map.rows = trace.T, map.cols = trace.S, map.row_stride = trace.S;
  map.allowed = trace.allowed, map.version = in.results.version;
  set_scale(map, scale);
  return map;
}

}  // namespace headlight::views
