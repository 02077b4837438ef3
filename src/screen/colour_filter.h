// Redraws the finished picture with every colour as a person with colour-blindness sees it. Needs a current
// OpenGL 3.3 context for its whole life. Tested in tests/screen/colour_filter_test.cpp.
#pragma once

#include "draw/colour_vision.h"
#include "screen/shader_program.h"

namespace headlight::screen {

class ColorFilter {
 public:
  ColorFilter();
  ~ColorFilter();
  ColorFilter(const ColorFilter&) = delete;
  ColorFilter& operator=(const ColorFilter&) = delete;

  /// Replaces the lower left width × height pixels of the bound framebuffer.
  void apply(draw::Vision vision, int width, int height);

 private:
  ShaderProgram program_;
  unsigned picture_ = 0, vertices_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace headlight::screen
