// Who brings ImGui's draw data to the screen? The ImGui context and its OpenGL 3 backend, and nothing else:
// input comes from InputQueue, frames from Window or a PixelTarget. Needs a current OpenGL 3.3 context from
// create() to the end. Tested by tests/screen/canvas_gl_test.cpp.
#pragma once

#include <imgui.h>

#include <memory>

#include "base/result.h"
#include "draw/colour_vision.h"
#include "draw/geometry.h"
#include "screen/colour_filter.h"

namespace headlight::screen {

class Renderer {
 public:
  /// Creates the ImGui context (no ini file, our key numbers, light-weight flags) and its OpenGL objects.
  /// Error: the backend could not start, one line.
  static base::Result<std::unique_ptr<Renderer>> create();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// Starts a frame of width × height pixels, `seconds` after the one before. Apply the InputQueue first.
  void begin(int width, int height, float seconds);
  /// Ends it and draws it into the framebuffer that is bound, over `clear`, in the colours that are left to
  /// such eyes.
  void end(draw::Color clear, draw::Vision vision = draw::Vision::full);
  /// Drops the frame that begin() started, for instance when an exception left windows open; nothing is
  /// drawn.
  void abandon();

  /// The ImGui fonts were changed (io.Fonts), between frames: their texture is made again before the next
  /// one.
  void fonts_changed() { fonts_stale_ = true; }

 private:
  Renderer() = default;
  int width_ = 0, height_ = 0;
  bool fonts_stale_ = false;
  bool backend_ = false;
  std::unique_ptr<ColourFilter> filter_;  // made when it is first needed
};

}  // namespace headlight::screen
