// In which faces are the words of a figure set, and where does each glyph stand? The same order as on screen:
// Inter, Inter SemiBold or JetBrains Mono (part of the program), DejaVu (part of the program), then a
// scalable font of this computer that has the character; right-to-left words are joined and reordered by
// base/bidi.h. One thread only. Tested in tests/figure/figure_test.cpp.
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
  cairo_font_face_t* cairo = nullptr;
  std::string family;  // "Inter"
};

struct PlacedGlyph {
  const Face* face = nullptr;
  unsigned index = 0;
  char32_t character = 0;
  float x = 0;  // from the left end of the words, in their size
};

struct PlacedWords {
  std::vector<PlacedGlyph> glyphs;  // from left to right
  float width = 0;
};

PlacedWords place_words(std::string_view words, draw::Font font, float size);

/// From the point that a text is put at to the left end of its base line, along and down before any turn.
draw::Point text_start(const draw::TextStyle& style, float width);

}  // namespace headlight::figure
