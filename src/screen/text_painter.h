// Words on an ImGui draw list, any Unicode, any size, crisp at every scale: glyphs are drawn by FreeType on
// demand into texture pages of our own, at the exact pixel size asked for, in steps of a quarter pixel along
// the line. Fonts are font_stack.h's. Right-to-left text is shaped and reordered by fribidi (bidi.h). A line
// that was drawn or measured before costs one look-up and four vertices a glyph. Control characters show as
// their pictures (␊); emoji sequences show as their parts. Tested in tests/screen/text_test.cpp.
#pragma once

#include <imgui.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "draw/canvas.h"
#include "screen/textures.h"

namespace headlight::screen {

/// Where one code point of a line stands, in pixels from the line's left end. Invisible ones have no width.
struct CharacterSpan {
  float left = 0, right = 0;
  bool leftwards = false;  // read from right to left: the caret before it stands at `right`
};

class TextPainter {
 public:
  /// `textures` outlives the painter.
  explicit TextPainter(Textures& textures);
  ~TextPainter();
  TextPainter(const TextPainter&) = delete;
  TextPainter& operator=(const TextPainter&) = delete;

  /// Width in pixels of `words` at `px` pixels to the em.
  float width(std::string_view words, draw::Font font, float px);

  /// Draws with the pen starting at (x, y), the baseline, in pixels; upwards = turned a quarter
  /// anticlockwise.
  void draw(ImDrawList& list, float x, float y, std::string_view words, draw::Font font, float px,
            ImU32 color, bool upwards = false);

  /// One span for each code point of `words`, in the order of `words`; for carets and selections.
  std::vector<CharacterSpan> spans(std::string_view words, draw::Font font, float px);

  /// `words`, shortened with an ellipsis between two characters so that it is at most `width` pixels wide.
  std::string fit(std::string_view words, draw::Font font, float px, float width);

  /// Brings the pages that changed to the GPU; once a frame, before it is rendered.
  void upload();

  /// Texture pages in use, for tests and the status line.
  int pages() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Height of a capital letter for text of 1 pixel to the em: the middle of a line lies half of it above the
/// baseline.
inline constexpr float capital_height = 0.727f;

}  // namespace headlight::screen
