// A copy of one window's picture for another window: a texture with mipmaps, so that it can be drawn at any
// size. Both contexts share their textures. Tested by tests/screen/headless_test.cpp.
#pragma once

#include <imgui.h>

#include "screen/headless.h"

namespace headlight::screen {

class PictureCopy {
 public:
  PictureCopy() = default;
  /// Needs the context in which take() was called.
  ~PictureCopy();
  PictureCopy(const PictureCopy&) = delete;
  PictureCopy& operator=(const PictureCopy&) = delete;

  /// Needs the context of `from`. The copy is upside down: its first row is the lowest one.
  void take(const PixelTarget& from);
  /// Null until something was taken. A different size gives a different texture.
  ImTextureID texture() const;
  int width() const { return width_; }
  int height() const { return height_; }
  /// Does what ~PictureCopy() does, earlier.
  void drop();

 private:
  unsigned texture_ = 0, framebuffer_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace headlight::screen
