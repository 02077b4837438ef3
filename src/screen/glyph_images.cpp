#include "screen/glyph_images.h"

#include <ft2build.h>

#include <algorithm>
#include <cmath>

#include FT_FREETYPE_H
#include FT_OUTLINE_H

namespace headlight::screen {

namespace {

/// Reads one pixel of the glyph's bitmap as straight RGBA.
void read_pixel(const FT_Bitmap& bitmap, int x, int y, float out[4]) {
  const unsigned char* row = bitmap.buffer + static_cast<std::ptrdiff_t>(y) * bitmap.pitch;
  switch (bitmap.pixel_mode) {
    case FT_PIXEL_MODE_BGRA: {  // premultiplied
      const unsigned char* p = row + x * 4;
      out[0] = p[2], out[1] = p[1], out[2] = p[0], out[3] = p[3];
      return;
    }
    case FT_PIXEL_MODE_MONO:
      out[3] = (row[x / 8] >> (7 - x % 8) & 1) != 0 ? 255.f : 0.f;
      break;
    default:
      out[3] = row[x];
  }
  out[0] = out[1] = out[2] = out[3];
}

/// Returns the bitmap, scaled down by averaging; `scale` ≤ 1 (a larger one repeats pixels).
GlyphImage scaled_image(const FT_Bitmap& bitmap, float scale) {
  GlyphImage out;
  const int source_width = static_cast<int>(bitmap.width), source_height = static_cast<int>(bitmap.rows);
  if (source_width == 0 || source_height == 0) return out;
  out.coloured = bitmap.pixel_mode == FT_PIXEL_MODE_BGRA;
  out.width = std::max(1, static_cast<int>(std::lround(static_cast<float>(source_width) * scale)));
  out.height = std::max(1, static_cast<int>(std::lround(static_cast<float>(source_height) * scale)));
  out.rgba.resize(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 4);
  std::uint8_t* to = out.rgba.data();
  for (int y = 0; y < out.height; ++y) {
    const int y0 = y * source_height / out.height;
    const int y1 = std::max(y0 + 1, (y + 1) * source_height / out.height);
    for (int x = 0; x < out.width; ++x, to += 4) {
      const int x0 = x * source_width / out.width;
      const int x1 = std::max(x0 + 1, (x + 1) * source_width / out.width);
      float sum[4] = {};
      for (int v = y0; v < y1; ++v) {
        for (int u = x0; u < x1; ++u) {
          float p[4];
          read_pixel(bitmap, u, v, p);
          for (int i = 0; i < 4; ++i) sum[i] += p[i];
        }
      }
      for (int i = 0; i < 3; ++i) {
        to[i] = sum[3] > 0 ? static_cast<std::uint8_t>(std::min(255.f, sum[i] * 255.f / sum[3] + 0.5f)) : 255;
      }
      to[3] = static_cast<std::uint8_t>(sum[3] / static_cast<float>((y1 - y0) * (x1 - x0)) + 0.5f);
    }
  }
  return out;
}

}  // namespace

float GlyphImages::set_size(int which, float px) {
  if (which >= static_cast<int>(sizes_.size())) sizes_.resize(static_cast<std::size_t>(which) + 1);
  Size& size = sizes_[static_cast<std::size_t>(which)];
  if (size.px == px) return size.scale;
  size.px = px;
  const text::Face& face = faces_[which];
  if (face.bitmaps) {
    int best = 0;
    for (int i = 1; i < face.ft->num_fixed_sizes; ++i) {
      const auto height = static_cast<float>(face.ft->available_sizes[i].y_ppem) / 64;
      const auto best_height = static_cast<float>(face.ft->available_sizes[best].y_ppem) / 64;
      if (best_height < px ? height > best_height : height >= px && height < best_height) best = i;
    }
    FT_Select_Size(face.ft, best);
    size.scale = px * 64 / static_cast<float>(std::max<FT_Pos>(64, face.ft->available_sizes[best].y_ppem));
  } else {
    const auto units = static_cast<FT_F26Dot6>(std::lround(px * 64));
    FT_Set_Char_Size(face.ft, 0, std::max<FT_F26Dot6>(units, 64), 72, 72);
  }
  return size.scale;
}

GlyphImage GlyphImages::draw(int which, unsigned index, float px, int quarter) {
  const float scale = set_size(which, px);
  const text::Face& face = faces_[which];
  FT_Int32 flags = FT_LOAD_TARGET_LIGHT;  // snaps to pixel rows only, so that quarter-pixel steps stay even
  if (face.coloured) flags |= FT_LOAD_COLOR;
  if (!face.bitmaps && !face.coloured) flags |= FT_LOAD_NO_BITMAP;
  if (FT_Load_Glyph(face.ft, index, flags) != FT_Err_Ok) return {};
  const FT_GlyphSlot slot = face.ft->glyph;
  if (slot->format == FT_GLYPH_FORMAT_OUTLINE && !face.coloured)
    FT_Outline_Translate(&slot->outline, quarter * 16, 0);
  if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != FT_Err_Ok) return {};
  GlyphImage out = scaled_image(slot->bitmap, scale);
  out.left = static_cast<int>(std::lround(static_cast<float>(slot->bitmap_left) * scale));
  out.top = static_cast<int>(std::lround(static_cast<float>(slot->bitmap_top) * scale));
  return out;
}

}  // namespace headlight::screen
