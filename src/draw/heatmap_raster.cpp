#include "draw/heatmap_raster.h"

#include <cmath>

namespace headlight::draw {

namespace {

struct Span {
  int begin, end;  // cells under a pixel, never empty
  bool in_gap;
};

/// Returns which cells are under each of `pixels` pixels that show cells [from, from + size) of `cells`.
std::vector<Span> cells_under(float from, float size, int cells, int pixels, int gap) {
  std::vector<Span> spans(static_cast<std::size_t>(pixels));
  const double step = static_cast<double>(size) / pixels;
  for (int i = 0; i < pixels; ++i) {
    const double a = from + i * step, b = a + step;
    const int begin = std::clamp(static_cast<int>(std::floor(a)), 0, cells - 1);
    const int end = step <= 1 ? begin + 1 : std::clamp(static_cast<int>(std::ceil(b)), begin + 1, cells);
    const double pixel_in_cell = (a - std::floor(a)) / step;  // distance from the cell's near edge, in pixels
    spans[static_cast<std::size_t>(i)] = {begin, end, gap > 0 && pixel_in_cell < gap};
  }
  return spans;
}

bool masked(const Heatmap& map, int down, int across) {
  if (map.allowed.empty()) return false;
  const int row = map.transposed ? across : down, col = map.transposed ? down : across;
  return !map.allowed[static_cast<std::size_t>(row)].has(col);
}

}  // namespace

Color color_of(const Theme& theme, const Heatmap& map, float value) {
  return color_of(theme, map.map, std::isfinite(value) ? on_linear_scale(map, value) : value, map.lo, map.hi);
}

Raster rasterize(const Heatmap& map, const Theme& theme, int width, int height, int gap) {
  Raster out{
      width, height,
      std::vector<std::uint8_t>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4)};
  const int across = map.transposed ? map.rows : map.cols, down = map.transposed ? map.cols : map.rows;
  if (across == 0 || down == 0 || width <= 0 || height <= 0) return out;
  const Box view = map.view.w > 0 && map.view.h > 0
                       ? map.view
                       : Box{0, 0, static_cast<float>(across), static_cast<float>(down)};
  const std::vector<Span> xs = cells_under(view.x, view.w, across, width, gap);
  const std::vector<Span> ys = cells_under(view.y, view.h, down, height, gap);
  for (int y = 0; y < height; ++y) {
    const Span ys_here = ys[static_cast<std::size_t>(y)];
    for (int x = 0; x < width; ++x) {
      const Span xs_here = xs[static_cast<std::size_t>(x)];
      if ((xs_here.in_gap || ys_here.in_gap) && !masked(map, ys_here.begin, xs_here.begin))
        continue;  // transparent; masked cells form one area without gaps
      bool any = false, broken = false;
      float strongest = 0;
      for (int down_cell = ys_here.begin; down_cell < ys_here.end && !broken; ++down_cell) {
        for (int across_cell = xs_here.begin; across_cell < xs_here.end; ++across_cell) {
          const int row = map.transposed ? across_cell : down_cell,
                    col = map.transposed ? down_cell : across_cell;
          if (masked(map, down_cell, across_cell)) continue;
          const float value =
              map.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.row_stride) +
                         static_cast<std::size_t>(col)];
          if (!std::isfinite(value)) {
            broken = any = true;
            break;
          }
          if (!any || std::abs(value) > std::abs(strongest)) strongest = value;
          any = true;
        }
      }
      Color c = broken ? nan_color : color_of(theme, map, strongest);
      if (!any) c = theme.mask;
      std::uint8_t* pixel = &out.rgba[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                       static_cast<std::size_t>(x)) *
                                      4];
      pixel[0] = c.r, pixel[1] = c.g, pixel[2] = c.b, pixel[3] = c.a;
    }
  }
  return out;
}

}  // namespace headlight::draw
