// Where does each glyph of a line stand? The one answer for the screen and for figures: runs of one direction
// (bidi.h), the font for each character (faces.h), shaping by HarfBuzz, runs in the order of the screen.
// Lengths are in em, so that a line has one layout for all sizes, and its width is the same wherever it is
// drawn. Latin, Greek and Cyrillic are kerned and take no ligatures: a token shows the characters that it
// has. Control characters show as their pictures (␊), what no font has as U+FFFD, and what is not
// well-formed as U+FFFD too. Lines that were set are remembered; a new one costs a few microseconds. One
// thread at a time. Tested in tests/text/layout_test.cpp.
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
  float x = 0, y = 0;              // of the pen, from the start of the base line, to the right and up
  float advance = 0;               // 0 for marks
  std::uint32_t from = 0, to = 0;  // the bytes of the line that this glyph and its neighbours show together
  bool leftwards = false;          // they are read from right to left
};

struct Line {
  std::vector<Glyph> glyphs;  // from left to right
  float width = 0;
};

/// Where one code point of a line stands, from the line's left end. Invisible ones have no width.
struct CharacterSpan {
  float left = 0, right = 0;
  bool leftwards = false;  // read from right to left: the caret before it stands at `right`
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

  /// What to install where no font has a character of `words` (missing_font.h); empty: all is there.
  std::string missing_font(std::string_view words);

  /// Glyphs in remembered lines, for tests: never more than most_glyphs and the longest line.
  std::size_t glyphs_kept() const;
  static constexpr std::size_t most_glyphs = 100'000;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// One span for each code point of `words`, in the order of `words`, in em. A ligature is divided evenly
/// among what readers count as characters.
std::vector<CharacterSpan> spans_of(std::string_view words, const Line& line);

/// `words` as their glyphs show them: well-formed, pictures instead of control characters.
std::string shown_words(std::string_view words);

}  // namespace headlight::text
