// Draws words on an ImGui draw list, any Unicode, any size, crisp at every scale: text/layout.h places the
// glyphs, and FreeType draws them on demand into our texture pages, at the exact pixel size, in steps of a
// quarter pixel along the line. A line that was drawn or measured before costs one look-up and four vertices
// per glyph. Tested in tests/screen/text_test.cpp.
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
  /// `textures` must outlive the painter.
  explicit TextPainter(Textures& textures);
  ~TextPainter();
  TextPainter(const TextPainter&) = delete;
  TextPainter& operator=(const TextPainter&) = delete;

  /// Returns the width in pixels of `words` at `px` pixels per em.
  float width(std::string_view words, draw::Font font, float px);

  /// Draws with the pen starting at (x, y), on the baseline, in pixels; `upwards` rotates by a quarter turn
  /// anticlockwise.
  void draw(ImDrawList& list, float x, float y, std::string_view words, draw::Font font, float px,
            ImU32 color, bool upwards = false);
  /// The same at any angle, `degrees` anticlockwise.
  void draw_turned(ImDrawList& list, float x, float y, std::string_view words, draw::Font font, float px,
                   ImU32 color, float degrees);

  /// Returns one span for each code point of `words`, in their order, in pixels; for carets and selections.
  std::vector<text::CharacterSpan> spans(std::string_view words, draw::Font font, float px);

  /// Returns `words`, shortened with an ellipsis between two characters to at most `width` pixels.
  std::string fit(std::string_view words, draw::Font font, float px, float width);

  /// Returns what to install if no font has a character of `words`; empty: nothing is missing.
  std::string missing_font(std::string_view words);

  /// Uploads the changed pages to the GPU; call it once per frame, before it is rendered.
  void upload();

  /// Texture pages in use, for tests and the status line.
  int pages() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Height of a capital letter in text of 1 pixel per em: the middle of a line is half of it above the
/// baseline.
inline constexpr float capital_height = 0.727f;

}  // namespace headlight::screen
