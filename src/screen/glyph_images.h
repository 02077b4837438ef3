// What does this glyph look like at this size? Drawn by FreeType. Sizes are pixels per em, so that different
// fonts look equally large. Nothing here fails: a glyph that cannot be drawn is empty. Tested through
// TextPainter in tests/screen/text_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "text/faces.h"

namespace headlight::screen {

/// RGBA, straight alpha, rows from the top. Ordinary glyphs are white, so that a vertex colour can tint them.
struct GlyphImage {
  int width = 0, height = 0;
  int left = 0, top = 0;  // from the pen to the left column; from the baseline up to the top row
  bool coloured = false;  // has its own colours
  std::vector<std::uint8_t> rgba;
};

class GlyphImages {
 public:
  /// `faces` must outlive this object, and no other code may set their sizes.
  explicit GlyphImages(const text::Faces& faces) : faces_(faces) {}

  /// Draws the glyph with the pen `quarter`/4 pixels to the right of a pixel's left edge.
  GlyphImage draw(int face, unsigned index, float px, int quarter);

 private:
  struct Size {
    float px = 0;
    float scale = 1;  // factor from the size that is set to px; 1 unless the face has fixed sizes only
  };
  float set_size(int face, float px);

  const text::Faces& faces_;
  std::vector<Size> sizes_;  // current sizes, by face
};

}  // namespace headlight::screen
