#include "draw/canvas.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/utf8.h"

namespace headlight::draw {

std::string fit_text(Canvas& canvas, std::string_view words, const TextStyle& style, float width) {
  if (canvas.text_width(words, style) <= width) return std::string(words);
  std::vector<std::size_t> ends;  // end of each character
  for (std::size_t at = 0; at < words.size() && ends.size() < 400;)
    ends.push_back(at += base::cluster_bytes(words, at));
  // Finds the widest beginning that fits together with the ellipsis.
  std::size_t low = 0, high = ends.size();
  auto shortened = [&](std::size_t characters) {
    return std::string(words.substr(0, characters == 0 ? 0 : ends[characters - 1])) + "…";
  };
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (canvas.text_width(shortened(middle), style) <= width) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return shortened(low);
}

namespace {

Box shown_cells(const Heatmap& map) {
  if (map.view.w > 0 && map.view.h > 0) return map.view;
  const float across = static_cast<float>(map.transposed ? map.rows : map.cols);
  const float down = static_cast<float>(map.transposed ? map.cols : map.rows);
  return {0, 0, across, down};
}

}  // namespace

float on_linear_scale(const Heatmap& map, float value) {
  if (!(map.decades > 0)) return value;
  const float size = std::abs(value) / map.hi;
  const float part = size > 0 ? std::clamp(1 + std::log10(size) / map.decades, 0.f, 1.f) : 0.f;
  return std::copysign(part * map.hi, value);
}

Point cell_at(Box box, const Heatmap& map, Point p) {
  const Box shown = shown_cells(map);
  const float across = static_cast<float>(map.transposed ? map.rows : map.cols);
  const float down = static_cast<float>(map.transposed ? map.cols : map.rows);
  const float x = shown.x + (p.x - box.x) / std::max(box.w, 1e-6f) * shown.w;
  const float y = shown.y + (p.y - box.y) / std::max(box.h, 1e-6f) * shown.h;
  return {std::clamp(x, 0.f, across - 1e-3f), std::clamp(y, 0.f, down - 1e-3f)};
}

Box cell_box(Box box, const Heatmap& map, int col, int row) {
  const Box shown = shown_cells(map);
  const float w = box.w / shown.w, h = box.h / shown.h;
  return {box.x + (static_cast<float>(col) - shown.x) * w, box.y + (static_cast<float>(row) - shown.y) * h, w,
          h};
}

}  // namespace headlight::draw
