#include "pages/attention/view/overview.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kit/cells.h"
#include "kit/drawn_scale.h"
#include "kit/weight_bar.h"
#include "scene/marginals.h"

namespace headlight::views {

using draw::Heatmap;

namespace {

constexpr float overview_side = 128, overview_gap = 16;                   // units
constexpr float overview_least_width = 560, overview_least_height = 260;  // of an area with room for both
constexpr float received_high = 22, overview_line = 15;
constexpr float least_frame = 6;  // keeps a frame of a few cells among 512 visible

/// Returns "keys 120–180", including cells that are partly on view.
std::string part_words(const char* items, float from, float size, int count) {
  const int first = std::clamp(static_cast<int>(std::floor(from)), 0, count - 1);
  const int last = std::clamp(static_cast<int>(std::ceil(from + size - 1e-4f)) - 1, first, count - 1);
  return std::string(items) + " " + std::to_string(first) + "–" + std::to_string(last);
}

/// Draws what each key receives, downwards from the top of `box`. Keys that share a unit show the largest.
void received_profile(const Sheet& sheet, Box box) {
  const Selection& s = sheet.selection;
  const auto received =
      scene::marginals_on_show(sheet.in.scene, sheet.in.results, s.heads, s.kind == HeadsShown::all).received;
  if (received.size() != static_cast<std::size_t>(sheet.trace().S)) return;
  double most = 0;
  for (const double value : received)
    if (std::isfinite(value)) most = std::max(most, value);
  if (most <= 0) return;
  const auto units = static_cast<std::size_t>(std::max(1.f, box.w));
  std::vector<Point> line;
  for (std::size_t unit = 0; unit < units; ++unit) {
    const std::size_t from = unit * received.size() / units,
                      to = std::max(from + 1, (unit + 1) * received.size() / units);
    double largest = 0;
    for (std::size_t key = from; key < to; ++key)
      if (std::isfinite(received[key])) largest = std::max(largest, received[key]);
    line.push_back(
        {box.x + static_cast<float>(unit) + 0.5f, box.y + static_cast<float>(largest / most) * box.h});
  }
  sheet.pen.canvas.polyline(line, {sheet.theme().dim, 1});
}

}  // namespace

float overview_room(const Sheet& sheet, Box area) {
  const nn::AttentionTrace& trace = sheet.trace();
  if (std::max(trace.T, trace.S) < overview_from || sheet.pen.canvas.plain()) return 0;
  return area.w >= overview_least_width && area.h >= overview_least_height ? overview_side + overview_gap : 0;
}

void draw_overview(const Sheet& sheet, Box area, const float* values) {
  const nn::AttentionTrace& trace = sheet.trace();
  draw::Canvas& canvas = sheet.pen.canvas;
  Heatmap map = weights_heatmap(sheet, values);
  map.gaps = false;
  const float across = static_cast<float>(map.transposed ? trace.T : trace.S),
              down = static_cast<float>(map.transposed ? trace.S : trace.T);
  const float unit = overview_side / std::max(across, down);
  const draw::TextStyle quiet = words_style(sheet.theme().dim);
  const float x = area.right() - overview_side;
  put(sheet.pen, {x, area.y + 7}, "The whole map", quiet, overview_side);
  const Box box{x, area.y + 18, across * unit, down * unit};
  const scene::WeightScale scale = drawn_scale(shown_scale(sheet), std::array{DrawnMap{map, box, {}}});
  set_scale(map, scale);
  draw_cells(sheet.pen, box, map);
  canvas.frame(box.inset(-0.5f), {sheet.theme().border, 1});

  Box part = box;
  const Box view = sheet.in.map_view;
  const bool zoomed = view.w > 0 && view.h > 0;
  if (zoomed) {
    part = {box.x + view.x * unit, box.y + view.y * unit, std::max(view.w * unit, least_frame),
            std::max(view.h * unit, least_frame)};
    part.x = std::clamp(part.x, box.x, std::max(box.x, box.right() - part.w));
    part.y = std::clamp(part.y, box.y, std::max(box.y, box.bottom() - part.h));
  }
  canvas.frame(part.inset(-1.5f), {sheet.theme().panel, 1.5f}, 2);
  canvas.frame(part, {sheet.theme().text, 1.5f}, 2);
  Mark mark;
  mark.part = Part::overview, mark.name = "overview", mark.area = box;
  mark.note = zoomed ? "click or drag: move the part on view; double click: show all of it"
                     : "click: look closer at this part";
  canvas.mark(mark);
  canvas.mark({});

  float y = box.bottom() + 6;
  if (!map.transposed) {  // a transposed map has this in the strip beside it
    received_profile(sheet, {box.x, y, box.w, received_high});
    y += received_high + 4;
    put(sheet.pen, {x, y + overview_line / 2}, "received by each key", quiet, overview_side);
    y += overview_line + 6;
  }
  const auto line = [&](const std::string& words) {
    put(sheet.pen, {x, y + overview_line / 2}, words, quiet, overview_side);
    y += overview_line;
  };
  if (zoomed) {
    const bool turned = map.transposed;
    line(part_words("queries", turned ? view.x : view.y, turned ? view.w : view.h, trace.T));
    line(part_words("keys", turned ? view.y : view.x, turned ? view.h : view.w, trace.S));
    line("of " + std::to_string(trace.T) + " × " + std::to_string(trace.S));
  } else {
    for (const std::string& words :
         wrap(sheet.pen, "The wheel zooms at the pointer; a drag moves the map.", quiet, overview_side, 3))
      line(words);
  }
  // More of its cells share a pixel, so its colours may end at a larger weight than those of the map.
  if (scale.kind == scene::MapScale::automatic)
    line("colours up to " + brief(static_cast<double>(scale.end), 2));
}

}  // namespace headlight::views
