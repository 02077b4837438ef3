#include "pages/attention/view/overview.h"

#include <algorithm>
#include <cmath>

#include "kit/cells.h"
#include "kit/weight_bar.h"

namespace headlight::views {

using draw::Heatmap;

namespace {

constexpr float overview_side = 128, least_in_row = 36;  // units
constexpr float least_frame = 6;                         // keeps a frame of a few cells among 512 visible

/// Returns "keys 120–180", including cells that are partly on view.
std::string part_words(const char* items, float from, float size, int count) {
  const int first = std::clamp(static_cast<int>(std::floor(from)), 0, count - 1);
  const int last = std::clamp(static_cast<int>(std::ceil(from + size - 1e-4f)) - 1, first, count - 1);
  return std::string(items) + " " + std::to_string(first) + "–" + std::to_string(last);
}

}  // namespace

bool has_overview(const Sheet& sheet) {
  const nn::AttentionTrace& trace = sheet.trace();
  return std::max(trace.T, trace.S) >= overview_from && !sheet.pen.canvas.plain();
}

float overview_in_row(float card_height) {
  constexpr float part = 0.2f;
  return std::floor(std::clamp(part * card_height, least_in_row, least_overview));
}

void draw_overview(const Sheet& sheet, Box corner, const float* values) {
  const nn::AttentionTrace& trace = sheet.trace();
  const float side = std::floor(std::min({overview_side, corner.w, corner.h}));
  if (side < least_in_row) return;
  draw::Canvas& canvas = sheet.pen.canvas;
  Heatmap map = weights_heatmap(sheet, values);
  map.gaps = false;
  const float across = static_cast<float>(map.transposed ? trace.T : trace.S),
              down = static_cast<float>(map.transposed ? trace.S : trace.T);
  const float unit = side / std::max(across, down);
  const Box box{corner.x, corner.y, across * unit, down * unit};
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
  const bool turned = map.transposed;
  mark.note =
      zoomed ? "the whole map; visible: " +
                   part_words("queries", turned ? view.x : view.y, turned ? view.w : view.h, trace.T) +
                   " and " + part_words("keys", turned ? view.y : view.x, turned ? view.h : view.w, trace.S) +
                   "\nclick or drag: move the visible part; double click: show all of it"
             : "the whole map\nclick: zoom in on this part; the wheel zooms at the pointer, and a "
               "drag moves the map";
  canvas.mark(mark);
  canvas.mark({});
}

}  // namespace headlight::views
