// Which font has a glyph for this character, how wide is it, and what does it look like at this size? The
// order is: Inter, Inter SemiBold or JetBrains Mono (part of the program), DejaVu (part of the program), then
// whatever fontconfig knows on this computer; what nobody has becomes U+FFFD. Emoji prefer a colour font.
// Sizes are pixels to the em, so that different fonts look equally large. Nothing here fails: without
// fontconfig's files there are fewer characters. Tested in tests/screen/text_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "draw/canvas.h"

namespace headlight::screen {

struct GlyphRef {
  int face = 0;
  unsigned index = 0;
  bool operator==(const GlyphRef&) const = default;
};

/// RGBA, straight alpha, rows from the top. Ordinary glyphs are white, so that a vertex colour tints them.
struct GlyphImage {
  int width = 0, height = 0;
  int left = 0, top = 0;  // from the pen to the left column; from the baseline up to the top row
  bool coloured = false;  // has colours of its own
  std::vector<std::uint8_t> rgba;
};

class FontStack {
 public:
  FontStack();
  ~FontStack();
  FontStack(const FontStack&) = delete;
  FontStack& operator=(const FontStack&) = delete;

  /// The glyph for `c`; U+FFFD's when no font has it. Asks fontconfig at most once for each character.
  GlyphRef find(char32_t c, draw::Font font);
  /// True when some font has `c`.
  bool covers(char32_t c, draw::Font font);

  float advance(GlyphRef glyph, float px);
  /// Extra room between two glyphs, from the font's kern table; 0 between different fonts.
  float kerning(GlyphRef left, GlyphRef right, float px);
  /// Drawn with the pen `quarter`/4 pixels to the right of a pixel's left edge.
  GlyphImage image(GlyphRef glyph, float px, int quarter);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight::screen
