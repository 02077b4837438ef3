// Where is each glyph of a line? The screen and figures use the same layout: runs of one direction (bidi.h),
// the font for each character (faces.h), shaping by HarfBuzz, runs in screen order. Lengths are in em, so
// that a line has one layout for all sizes, and the same width everywhere. Latin, Greek and Cyrillic are
// kerned but have no ligatures: a token shows its own characters. Control characters are shown as their
// pictures (␊); characters without a font and ill-formed bytes are shown as U+FFFD. Layouts are cached; a new
// line costs a few microseconds. One thread at a time. Tested in tests/text/layout_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "draw/canvas.h"
#include "text/faces.h"

namespace headlight::text {

struct Glyph {
  int face = 0;
  unsigned index = 0;              // in that face
  float x = 0, y = 0;              // of the pen, from the start of the baseline, to the right and up
  float advance = 0;               // 0 for marks
  std::uint32_t from = 0, to = 0;  // the bytes of the line that this glyph shows together with its neighbours
  bool leftwards = false;          // they are read from right to left
};

struct Line {
  std::vector<Glyph> glyphs;  // from left to right
  float width = 0;
};

/// Where one code point of a line is, from the line's left end. Invisible ones have no width.
struct CharacterSpan {
  float left = 0, right = 0;
  bool leftwards = false;  // read from right to left: the caret before it is at `right`
};

class Typesetter {
 public:
  Typesetter();
  ~Typesetter();
  Typesetter(const Typesetter&) = delete;
  Typesetter& operator=(const Typesetter&) = delete;

  /// Valid until the next call.
  const Line& line(std::string_view words, draw::Font font);

  const Faces& faces() const;

  /// Returns what to install if no font has a character of `words` (missing_font.h); empty: nothing is
  /// missing.
  std::string missing_font(std::string_view words);

  /// Returns the glyphs in cached lines, for tests: never more than most_glyphs and the longest line.
  std::size_t glyphs_kept() const;
  static constexpr std::size_t most_glyphs = 100'000;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Returns one span for each code point of `words`, in their order, in em. A ligature is divided evenly among
/// its characters as readers count them.
std::vector<CharacterSpan> spans_of(std::string_view words, const Line& line);

/// Returns `words` as their glyphs show them: well-formed, with pictures instead of control characters.
std::string shown_words(std::string_view words);

}  // namespace headlight::text
