// A picture stored compactly while others are made: runs of equal pixels, row after row. A drawing needs a
// tenth or a hundredth of the memory of its pixels, so that all frames of an animation fit into memory.
// Tested in tests/io/gif_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "io/png.h"

namespace headlight::io {

class RunImage {
 public:
  struct Run {
    std::uint32_t color = 0;  // 0xAARRGGBB; alpha is 255 if the picture had none
    std::uint32_t length = 0;
  };

  RunImage() = default;
  explicit RunImage(const Image& image);

  int width() const { return width_; }
  int height() const { return height_; }
  /// No run crosses the end of a row; their lengths add up to width × height.
  const std::vector<Run>& runs() const { return runs_; }

  /// Returns the pixels as RGBA.
  Image image() const;
  /// Returns the same picture at the top left of a larger one, filled with `color`. The new size must be at
  /// least as large as the picture's.
  RunImage grown(int width, int height, std::uint32_t color) const;

 private:
  int width_ = 0, height_ = 0;
  std::vector<Run> runs_;
};

}  // namespace headlight::io
