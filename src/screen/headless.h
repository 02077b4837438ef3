// OpenGL without a window or a display, for pictures made on the command line and for tests: an EGL context
// without a surface (Mesa), or on an EGL device, or, if there is a display after all, the context of a hidden
// window. Also a picture to draw into, which works with any context. Tested by
// tests/screen/headless_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace headlight::screen {

class HeadlessContext {
 public:
  /// Makes an OpenGL 3.3 context current on this thread. The one-line error gives the reason of each attempt.
  static base::Result<std::unique_ptr<HeadlessContext>> create();
  ~HeadlessContext();
  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;

  /// "EGL without surface: llvmpipe (…), OpenGL 3.3 …"
  const std::string& graphics() const;

 private:
  struct State;
  explicit HeadlessContext(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// An off-screen picture, RGBA8. Needs a current context for its whole life.
class PixelTarget {
 public:
  /// Error: the size is 0, or more than the driver allows.
  static base::Result<std::unique_ptr<PixelTarget>> create(int width, int height);
  ~PixelTarget();
  PixelTarget(const PixelTarget&) = delete;
  PixelTarget& operator=(const PixelTarget&) = delete;

  void bind();    // directs all later drawing here
  void unbind();  // back to the framebuffer that was bound before bind()
  /// Copies the part from (x0, y0) to (x1, y1), exclusive and counted from the top, to the same place in the
  /// bound framebuffer, which must have the same height.
  void show(int x0, int y0, int x1, int y1) const;
  /// Copies all of it, stretched to width × height pixels of the framebuffer's colour.
  void copy(unsigned framebuffer, int width, int height) const;
  int width() const { return width_; }
  int height() const { return height_; }
  /// Returns [height × width × 4] bytes, row 0 at the top. Waits for the drawing to finish.
  std::vector<std::uint8_t> pixels() const;

 private:
  PixelTarget() = default;
  unsigned framebuffer_ = 0, color_ = 0;
  int width_ = 0, height_ = 0, bound_before_ = 0;
};

}  // namespace headlight::screen
