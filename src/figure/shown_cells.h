// The cells of a heatmap that a figure draws one by one.
#pragma once

#include <algorithm>
#include <cmath>

#include "draw/canvas.h"

namespace headlight::figure {

struct ShownCells {
  draw::Box view;                                                // in cells of the picture
  bool partial = false;                                          // the edge cuts some of them
  int first_row = 0, last_row = 0, first_col = 0, last_col = 0;  // the last ones are exclusive
};

inline ShownCells shown_cells(const draw::Heatmap& map) {
  const int across = map.transposed ? map.rows : map.cols, down = map.transposed ? map.cols : map.rows;
  ShownCells out;
  out.partial = map.view.w > 0 && map.view.h > 0;
  out.view = out.partial ? map.view : draw::Box{0, 0, static_cast<float>(across), static_cast<float>(down)};
  out.first_row = std::max(0, static_cast<int>(std::floor(out.view.y)));
  out.last_row = std::min(down, static_cast<int>(std::ceil(out.view.bottom())));
  out.first_col = std::max(0, static_cast<int>(std::floor(out.view.x)));
  out.last_col = std::min(across, static_cast<int>(std::ceil(out.view.right())));
  return out;
}

}  // namespace headlight::figure
