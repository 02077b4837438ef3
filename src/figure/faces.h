// The faces of text/faces.h for cairo, and the pictures that emoji are. Where the glyphs of a line stand is
// what text/layout.h says, as on screen. One thread at a time, which is what figure.cpp sees to. Tested in
// tests/figure/figure_test.cpp and emoji_test.cpp.
#pragma once

#include <cairo.h>

#include <string_view>

#include "draw/canvas.h"
#include "text/layout.h"

namespace headlight::figure {

/// Valid until the next call.
const text::Line& set_words(std::string_view words, draw::Font font);

/// As Typesetter::missing_font().
std::string font_for(std::string_view words);

const text::Face& face_of(const text::Glyph& glyph);

/// Lives as long as the program. For faces that are not coloured.
cairo_font_face_t* cairo_face(int face);

/// The picture of a glyph of a coloured face. Lengths are in em, from the pen at the base line.
struct ColourGlyph {
  cairo_surface_t* pixels = nullptr;  // ARGB32, lives as long as the program; null: there is nothing to see
  float left = 0, top = 0;            // to the left edge; up to the upper one
  float width = 0, height = 0;
};
const ColourGlyph& colour_glyph(const text::Glyph& glyph);

/// The face for the characters behind such pictures, which are there to be searched and copied.
int unseen_face();
/// Its glyph for the first character of `words`.
unsigned unseen_glyph(std::string_view words);

/// From the point that a text is put at to the left end of its base line, along and down before any turn.
draw::Point text_start(const draw::TextStyle& style, float width);

}  // namespace headlight::figure
