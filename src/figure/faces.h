// The faces of text/faces.h for cairo, and the pictures of emoji. text/layout.h places the glyphs of a line,
// as on screen. One thread at a time, which figure.cpp ensures. Tested in tests/figure/figure_test.cpp and
// emoji_test.cpp.
#pragma once

#include <cairo.h>

#include <string_view>

#include "draw/canvas.h"
#include "text/layout.h"

namespace headlight::figure {

/// Valid until the next call.
const text::Line& set_words(std::string_view words, draw::Font font);

/// The same as Typesetter::missing_font().
std::string font_for(std::string_view words);

const text::Face& face_of(const text::Glyph& glyph);

/// Lives as long as the program. Only for faces that are not coloured.
cairo_font_face_t* cairo_face(int face);

/// The picture of a glyph of a coloured face. Lengths are in em, from the pen at the base line.
struct ColorGlyph {
  cairo_surface_t* pixels = nullptr;  // ARGB32, lives as long as the program; null: nothing is visible
  float left = 0, top = 0;            // offset to the left edge; height of the top edge
  float width = 0, height = 0;
};
const ColorGlyph& color_glyph(const text::Glyph& glyph);

/// Returns the face for the characters behind such pictures, which make them searchable and copyable.
int unseen_face();
/// Returns its glyph for the first character of `words`.
unsigned unseen_glyph(std::string_view words);

/// Returns the offset from a text's position to the left end of its baseline, along and down, before any
/// rotation.
draw::Point text_start(const draw::TextStyle& style, float width);

}  // namespace headlight::figure
