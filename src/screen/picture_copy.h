// The picture of one window for another one: a texture, with smaller levels, so that it can be drawn at any
// size. The contexts of both share their textures. Tested by tests/screen/headless_test.cpp.
#pragma once

#include <imgui.h>

#include "screen/headless.h"

namespace headlight::screen {

class PictureCopy {
 public:
  PictureCopy() = default;
  /// In the context in which take() was called.
  ~PictureCopy();
  PictureCopy(const PictureCopy&) = delete;
  PictureCopy& operator=(const PictureCopy&) = delete;

  /// In the context of `from`. Upside down: its first row is the lowest one.
  void take(const PixelTarget& from);
  /// Null until something was taken. Another size: another texture.
  ImTextureID texture() const;
  int width() const { return width_; }
  int height() const { return height_; }
  /// What ~PictureCopy() does, earlier.
  void drop();

 private:
  unsigned texture_ = 0, framebuffer_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace headlight::screen
