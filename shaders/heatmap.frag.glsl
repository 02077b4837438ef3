#version 330 core
// The colour of one pixel of a heatmap. The values are a level of the matrix (src/screen/heatmap_level.h): blocks of
// cells, each with the value of largest magnitude. A pixel shows the strongest of the blocks under it. Reference on the
// processor: src/draw/heatmap_raster.h and draw::color_of.
// A software renderer takes every branch for every pixel, so what a map does not need is left out of its program:
// GAPS 1 = rounded cells with gaps, MASKED 1 = some cells are masked, SMALL 1 = a pixel may cover several blocks,
// LOGARITHMIC 1 = the colour goes by the logarithm.
#ifndef GAPS
#define GAPS 1
#define MASKED 1
#define SMALL 1
#define LOGARITHMIC 1
#endif
uniform sampler2D Values;      // one channel, exact floats
uniform sampler2D Colors;      // 256 colours, a row for each map
uniform int Map;               // which row
uniform vec2 Range;            // lo, hi
uniform float Decades;         // of a logarithmic scale, down from hi
uniform bool Transposed;       // the matrix's rows run across the picture
uniform vec2 Cells;            // columns and rows of the picture
uniform vec2 Shown;            // the cell at the top left of what is on view
uniform vec2 PixelsPerCell;
uniform vec2 BlocksPerCell;    // of the matrix: 2^-shift for columns, rows
uniform ivec2 Begin;           // the texture's first block: column, row
uniform float MaskedTexel;
uniform float NonfiniteTexel;
uniform vec3 NonfiniteColor;
uniform vec3 MaskColor;
uniform vec2 Origin;           // of the picture's part on view, pixels
uniform float Gap;             // whole pixels between cells; 0 = none
uniform float Radius;          // of a cell's corners, pixels
in vec2 cell;
in float opacity;
out vec4 result;

bool masked_cell = false;      // of the pixel

vec3 value_color(float value) {
#if LOGARITHMIC
  float size = abs(value) / Range.y;
  float part = size > 0.0 ? clamp(1.0 + log2(size) * 0.30103 / Decades, 0.0, 1.0) : 0.0;
  value = (value < 0.0 ? -part : part) * Range.y;
#endif
  float t = Range.y > Range.x ? clamp((value - Range.x) / (Range.y - Range.x), 0.0, 1.0) : 0.0;
  return texelFetch(Colors, ivec2(clamp(int(t * 255.0 + 0.5), 0, 255), Map), 0).rgb;
}

#if SMALL
vec3 color_at(vec2 cell) {
  // A pixel covers 1 / PixelsPerCell cells; where cells are larger than pixels, the one at its centre counts.
  vec2 half_pixel = max(0.5 / PixelsPerCell - 0.002, 0.0) * vec2(lessThan(PixelsPerCell, vec2(1.0)));
  vec2 low = cell - half_pixel, high = cell + half_pixel;
  if (Transposed) low = low.yx, high = high.yx;
  ivec2 last = textureSize(Values, 0) - 1;
  ivec2 from = clamp(ivec2(floor(low * BlocksPerCell)) - Begin, ivec2(0), last);
  ivec2 to = clamp(ivec2(floor(high * BlocksPerCell)) - Begin, from, last);
  bool any = false;
  float strongest = 0.0;
  for (int y = from.y; y <= to.y; ++y) {
    for (int x = from.x; x <= to.x; ++x) {
      float value = texelFetch(Values, ivec2(x, y), 0).r;
      if (value == NonfiniteTexel) return NonfiniteColor;
      if (value != MaskedTexel && (!any || abs(value) > abs(strongest))) {
        strongest = value;
        any = true;
      }
    }
  }
#if MASKED
  masked_cell = !any;
  return any ? value_color(strongest) : MaskColor;
#else
  return value_color(strongest);
#endif
}
#else
vec3 color_at(vec2 cell) {
  if (Transposed) cell = cell.yx;
  ivec2 texel = clamp(ivec2(floor(cell * BlocksPerCell)) - Begin, ivec2(0), textureSize(Values, 0) - 1);
  float value = texelFetch(Values, texel, 0).r;
  vec3 color = value == NonfiniteTexel ? NonfiniteColor : value_color(value);
#if MASKED
  masked_cell = value == MaskedTexel;
  if (masked_cell) color = MaskColor;
#endif
  return color;
}
#endif

#if GAPS
// With gaps, cells are rounded rectangles on whole pixels, so that every gap is as wide and as sharp as the next. Finds
// the cell that the pixel belongs to, and how much of the pixel the rectangle covers.
float cell_coverage(inout vec2 index) {
  vec2 pixel = Origin + (cell - Shown) * PixelsPerCell;
  vec2 near = floor(Origin + (index - Shown) * PixelsPerCell + 0.5);
  vec2 far = floor(Origin + (index + 1.0 - Shown) * PixelsPerCell + 0.5);
  index += vec2(greaterThanEqual(pixel, far)) - vec2(lessThan(pixel, near));
  index = clamp(index, vec2(0.0), Cells - 1.0);
  near = floor(Origin + (index - Shown) * PixelsPerCell + 0.5) + floor(0.5 * Gap);
  far = floor(Origin + (index + 1.0 - Shown) * PixelsPerCell + 0.5) - ceil(0.5 * Gap);
  vec2 outside = abs(pixel - 0.5 * (near + far)) - 0.5 * (far - near) + Radius;
  float distance = length(max(outside, 0.0)) + min(max(outside.x, outside.y), 0.0) - Radius;
  return clamp(0.5 - distance, 0.0, 1.0);
}
#endif

void main() {
  if (any(lessThan(cell, vec2(0.0))) || any(greaterThanEqual(cell, Cells))) discard;
#if GAPS
  vec2 index = floor(cell);
  float coverage = cell_coverage(index);
  vec3 shown = color_at(index + 0.5);
  // Masked cells are one ground, without gaps.
  result = vec4(shown, opacity * (masked_cell ? 1.0 : coverage));
#else
  result = vec4(color_at(cell), opacity);
#endif
}
