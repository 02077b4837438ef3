// See side_maps.h.
#include "pages/variants/view/side_maps.h"

#include <algorithm>
#include <cmath>

#include "draw/no_canvas.h"
#include "kit/weight_bar.h"
#include "pages/variants/variants.h"
#include "scene/map_scale.h"

namespace headlight::views {

namespace {

constexpr float low_bar_height = 19;

/// Has a low card its bar in one line? A scale other than 0–1 has to say what it is.
bool low_bar(const VariantsView& view, bool low) {
  return low && side_scale(view).kind == scene::MapScale::unit;
}

/// Marks the value of the pinned cell above the bar.
void mark_pinned(const VariantsView& view, Box bar, const MatrixPanel& map) {
  if (view.query < 0 || view.key < 0 || !marks_selection(view.pen)) return;
  const auto cell = static_cast<std::size_t>(view.query) * static_cast<std::size_t>(map.cols) +
                    static_cast<std::size_t>(view.key);
  bar_pointer(view.pen, bar, side_scale(view), map.values[cell], map.map == draw::Colormap::signed_weight);
}

}  // namespace

float room_of_bar(const VariantsView& view, bool low) {
  return low_bar(view, low) ? low_bar_height : side_bar_height + 4;
}

void bar_under(const VariantsView& view, Box area, const MatrixPlace& place, const MatrixPanel& map,
               const ColorBar& words, bool low) {
  const Box cells = place.cells;
  if (low_bar(view, low)) {
    // The bar begins where the cells do: its left number is below the names of the rows.
    constexpr float below = 2, apart = 6;
    const float number = view.pen.canvas.text_width(words.left, words_style({}, small_size)) + apart;
    const float left = std::max(area.x, cells.x - number);
    const Box bar = low_color_bar(
        view.pen, {left, cells.bottom() + below, cells.right() - left, low_bar_height - below}, words);
    return mark_pinned(view, bar, map);
  }
  const Box bar{cells.x, std::min(cells.bottom() + 8, area.bottom() - 24),
                bar_width(view.pen, cells.w, words), 8};
  color_bar(view.pen, bar, words);
  mark_pinned(view, bar, map);
  if (!has_masked(map) || place.mask_named || map.down.empty()) return;
  const std::string note = can_mask(map) ? "masked" : "masked: drawn as 0";
  const float legend = legend_width(view.pen, note) + 2;
  const Point at{std::min(std::max(cells.x + 48, cells.right() - legend), area.right() - legend),
                 area.y + 6.5f};
  if (at.x < cells.x + 40) return;
  if (can_mask(map)) {
    masked_legend(view.pen, at, note);
  } else {
    put(view.pen, at, note, words_style(view.theme().dim, small_size), legend);
  }
}

void frame_key(const VariantsView& view, const MatrixPlace& place, const MatrixPanel& map) {
  if (view.query >= 0 || view.key < 0 || !marks_selection(view.pen)) return;
  constexpr float least = 4;
  const TokenAxis& keys = map.transposed ? place.rows : place.cols;
  const float from = keys.start + static_cast<float>(view.key) * keys.pitch;
  const float begin = std::max(from, keys.low), wide = std::min(from + keys.pitch, keys.high) - begin;
  if (wide <= 0) return;  // scrolled out of sight
  const float room = std::max(wide, least), at = begin + (wide - room) / 2;
  role_frame(view.pen,
             map.transposed ? Box{place.cells.x, at, place.cells.w, room}
                            : Box{at, place.cells.y, room, place.cells.h},
             view.theme().key);
}

void say_numbers(const VariantsView& view, Box area, const MatrixPlace& place, const std::string& words,
                 const char* note) {
  constexpr float caption = 32;
  const draw::TextStyle style = aligned(words_style(view.theme().dim, small_size), Align::right);
  const float right = place.cells.right(), room = right - place.cells.x - caption;
  if (view.pen.canvas.text_width(words, style) > room) return;
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = "numbers", mark.area = {right - room, area.y, room, 13};
  mark.note = note;
  view.pen.canvas.mark(mark);
  view.pen.canvas.mark({});
  put(view.pen, {right, area.y + 6.5f}, words, style, room);
}

void say_error(const VariantsView& view, Box area, const std::string& words) {
  const draw::TextStyle style = words_style(view.theme().text);
  float y = area.y + 12;
  for (const std::string& line : wrap(view.pen, words, style, area.w, 5)) {
    if (y + 8 > area.bottom()) break;
    put(view.pen, {area.x, y}, line, style, area.w);
    y += 17;
  }
}

Box cells_of(const VariantsView& view, Box area, MatrixPanel map) {
  draw::NoCanvas unseen(view.pen.canvas);
  return draw_matrix_panel({unseen, view.pen.theme}, area, map).cells;
}

scene::WeightScale side_scale(const VariantsView& view) {
  nn::WeightCounts all = view.results.a.counts;
  all += view.results.b.counts;
  if (!view.results.difference.weights.empty()) all += view.results.difference.counts;
  return scene::weight_scale(view.in.scene, view.results.T, all);
}

bool sides_numbered(const VariantsView& view, Box area, const MatrixPanel& map) {
  if (!map.numbers || view.results.T == 1 || view.pen.canvas.plain()) return map.numbers;
  const float cells = map.view.w > 0 ? map.view.w : static_cast<float>(map.cols);
  return sides_numbered(view, map, cells_of(view, area, map).w / cells);
}
bool sides_numbered(const VariantsView& view, const MatrixPanel& map, float cell) {
  if (!map.numbers || view.results.T == 1 || view.pen.canvas.plain()) return map.numbers;
  return signed_numbers_fit(view.pen, cell, weight_decimals(side_scale(view).end));
}

float only_cell(const VariantsView& view, Box& inside) {
  if (view.results.T != 1 || view.pen.canvas.plain()) return 0;
  constexpr float part = 0.7f, around = 44 + side_bar_height;  // captions, labels and the bar
  const float side = std::min(part * inside.w, inside.h - around), spare = inside.h - side - around;
  if (spare > 0) inside.cut_top(spare / 2), inside.cut_bottom(spare / 2);
  return std::max(0.f, side);
}

}  // namespace headlight::views
