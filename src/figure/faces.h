// In which faces are the words of a figure set, and where does each glyph stand? The same order as on screen:
// Inter, Inter SemiBold or JetBrains Mono (part of the program), DejaVu (part of the program), then a
// scalable font of this computer that has the character; emoji are first looked for in a colour font, whose
// glyphs are pictures. Right-to-left words are joined and reordered by base/bidi.h. One thread at a time,
// which is what figure.cpp sees to. Tested in tests/figure/figure_test.cpp and emoji_test.cpp.
#pragma once

#include <cairo.h>

#include <string>
#include <string_view>
#include <vector>

#include "draw/canvas.h"

struct FT_FaceRec_;

namespace headlight::figure {

struct Face {
  FT_FaceRec_* ft = nullptr;
  cairo_font_face_t* cairo = nullptr;  // null when coloured
  std::string family;                  // "Inter"
  bool coloured = false;               // its glyphs are pictures
};

struct PlacedGlyph {
  const Face* face = nullptr;
  unsigned index = 0;
  char32_t character = 0;  // as it was written: an Arabic letter, not the form that is shown
  float x = 0;             // from the left end of the words, in their size
};

struct PlacedWords {
  std::vector<PlacedGlyph> glyphs;  // from left to right
  float width = 0;
};

/// The picture of a glyph of a coloured face. Lengths are in em, from the pen at the base line.
struct ColourGlyph {
  cairo_surface_t* pixels = nullptr;  // ARGB32, lives as long as the program
  float left = 0, top = 0;            // to the left edge; up to the upper one
  float width = 0, height = 0, advance = 0;
};
const ColourGlyph& colour_glyph(const PlacedGlyph& glyph);
/// 0 when the face has no glyph for it.
unsigned glyph_index(const Face& face, char32_t c);
/// The face for the characters behind such pictures, which are there to be searched and copied.
const Face& unseen_face();

PlacedWords place_words(std::string_view words, draw::Font font, float size);

/// From the point that a text is put at to the left end of its base line, along and down before any turn.
draw::Point text_start(const draw::TextStyle& style, float width);

}  // namespace headlight::figure
