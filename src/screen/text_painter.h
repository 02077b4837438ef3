// Words on an ImGui draw list, any Unicode, any size, crisp at every scale: text/layout.h says where the
// glyphs stand, and FreeType draws them on demand into texture pages of our own, at the exact pixel size
// asked for, in steps of a quarter pixel along the line. A line that was drawn or measured before costs one
// look-up and four vertices a glyph. Tested in tests/screen/text_test.cpp.
#pragma once

#include <imgui.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "draw/canvas.h"
#include "screen/textures.h"
#include "text/layout.h"

namespace headlight::screen {

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
  /// The same at any angle, `degrees` anticlockwise.
  void draw_turned(ImDrawList& list, float x, float y, std::string_view words, draw::Font font, float px,
                   ImU32 color, float degrees);

  /// One span for each code point of `words`, in the order of `words`, in pixels; for carets and selections.
  std::vector<text::CharacterSpan> spans(std::string_view words, draw::Font font, float px);

  /// `words`, shortened with an ellipsis between two characters so that it is at most `width` pixels wide.
  std::string fit(std::string_view words, draw::Font font, float px, float width);

  /// What to install where no font has a character of `words`; empty: all is there.
  std::string missing_font(std::string_view words);

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
