#include "figure/faces.h"

#include <cairo-ft.h>
#include <ft2build.h>

#include <cstring>
#include <map>
#include <utility>

#include "base/utf8.h"
#include FT_FREETYPE_H

namespace headlight::figure {

namespace {

/// All faces and pictures that were ever needed. They live until the process ends, because cairo caches
/// scaled fonts beyond the life of a surface.
struct Faces {
  text::Typesetter typesetter;
  std::map<int, cairo_font_face_t*> cairo;
  std::map<std::pair<int, unsigned>, ColorGlyph> pictures;

  static Faces& all() {
    static Faces& faces = *new Faces;
    return faces;
  }
};

/// Selects the font's largest pictures, or a size large enough for print.
void set_colour_size(FT_Face face) {
  if (FT_IS_SCALABLE(face)) {
    FT_Set_Pixel_Sizes(face, 0, 128);
    return;
  }
  int largest = 0;
  for (int i = 1; i < face->num_fixed_sizes; ++i) {
    if (face->available_sizes[i].y_ppem > face->available_sizes[largest].y_ppem) largest = i;
  }
  FT_Select_Size(face, largest);
}

ColorGlyph drawn(FT_Face face, unsigned index) {
  ColorGlyph out;
  set_colour_size(face);
  if (FT_Load_Glyph(face, index, FT_LOAD_COLOR) != 0) return out;
  const FT_GlyphSlot slot = face->glyph;
  if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0) return out;
  const FT_Bitmap& bitmap = slot->bitmap;
  if (bitmap.pixel_mode != FT_PIXEL_MODE_BGRA || bitmap.width == 0 || bitmap.rows == 0) return out;
  const int width = static_cast<int>(bitmap.width), height = static_cast<int>(bitmap.rows);
  out.pixels = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  unsigned char* to = cairo_image_surface_get_data(out.pixels);
  const int stride = cairo_image_surface_get_stride(out.pixels);
  for (int y = 0; y < height; ++y) {
    const unsigned char* from = bitmap.buffer + static_cast<std::ptrdiff_t>(y) * bitmap.pitch;
    for (int x = 0; x < width; ++x, from += 4) {  // premultiplied on both sides
      const std::uint32_t argb = static_cast<std::uint32_t>(from[3]) << 24 |
                                 static_cast<std::uint32_t>(from[2]) << 16 |
                                 static_cast<std::uint32_t>(from[1]) << 8 | from[0];
      std::memcpy(to + static_cast<std::ptrdiff_t>(y) * stride + 4 * x, &argb, sizeof argb);
    }
  }
  cairo_surface_mark_dirty(out.pixels);
  const float em = static_cast<float>(face->size->metrics.y_ppem);
  out.left = static_cast<float>(slot->bitmap_left) / em, out.top = static_cast<float>(slot->bitmap_top) / em;
  out.width = static_cast<float>(width) / em, out.height = static_cast<float>(height) / em;
  return out;
}

}  // namespace

const text::Line& set_words(std::string_view words, draw::Font font) {
  return Faces::all().typesetter.line(words, font);
}

std::string font_for(std::string_view words) {
  return Faces::all().typesetter.missing_font(words);
}

const text::Face& face_of(const text::Glyph& glyph) {
  return Faces::all().typesetter.faces()[glyph.face];
}

cairo_font_face_t* cairo_face(int face) {
  cairo_font_face_t*& out = Faces::all().cairo[face];
  if (!out)
    out = cairo_ft_font_face_create_for_ft_face(Faces::all().typesetter.faces()[face].ft, FT_LOAD_NO_HINTING);
  return out;
}

const ColorGlyph& color_glyph(const text::Glyph& glyph) {
  const auto [at, fresh] = Faces::all().pictures.try_emplace({glyph.face, glyph.index});
  if (fresh) at->second = drawn(face_of(glyph).ft, glyph.index);
  return at->second;
}

int unseen_face() {
  return Faces::all().typesetter.faces().widest();
}

unsigned unseen_glyph(std::string_view words) {
  return words.empty() ? 0
                       : Faces::all().typesetter.faces().glyph(unseen_face(), base::decode(words, 0).value);
}

draw::Point text_start(const draw::TextStyle& style, float width) {
  draw::Point start;
  if (style.align == draw::Align::centre) start.x = -width / 2;
  if (style.align == draw::Align::right) start.x = -width;
  if (style.valign == draw::VAlign::middle) start.y = 0.36f * style.size;
  if (style.valign == draw::VAlign::top) start.y = 0.95f * style.size;
  return start;
}

}  // namespace headlight::figure
