// Who brings ImGui's draw data to the screen? The ImGui context and its OpenGL 3 backend, and nothing else:
// input comes from InputQueue, frames from Window or a PixelTarget. Needs a current OpenGL 3.3 context from
// create() to the end. Tested by tests/screen/canvas_gl_test.cpp.
#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "base/result.h"
#include "draw/colour_vision.h"
#include "draw/geometry.h"
#include "screen/colour_filter.h"
#include "screen/damage.h"
#include "screen/gl_textures.h"
#include "screen/headless.h"
#include "screen/part_painter.h"

namespace headlight::screen {

class Renderer {
 public:
  /// Creates an ImGui context (no ini file, our key numbers, light-weight flags), which is ImGui's current
  /// one from then on, and its OpenGL objects. Error: the backend could not start, one line.
  static base::Result<std::unique_ptr<Renderer>> create();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// ImGui works in this renderer's context: before a frame, and before it ends, where there is another one.
  void use();

  /// Starts a frame of width × height pixels, `seconds` after the one before. Apply the InputQueue first.
  void begin(int width, int height, float seconds);
  /// Ends it and draws it into the framebuffer that is bound, over `clear`, in the colours that are left to
  /// such eyes. False when the picture is kept and is that of the frame before: nothing was drawn.
  bool end(draw::Color clear, draw::Vision vision = draw::Vision::full);

  /// After a frame: no window of it is still hidden to find its size.
  bool settled() const;

  /// From now on only what changes is drawn (damage.h), into a picture that is kept and copied to the
  /// framebuffer; where the driver gives no such picture, everything, as without this. What lies in textures
  /// must not change but when `textures` destroys one, or in places that nothing has shown yet, as glyphs do.
  void keep_picture(const GlTextures& textures);
  /// The picture of the last frame; null when none is kept. Another size: another target.
  const PixelTarget* kept() const { return kept_.get(); }
  /// The framebuffer has lost its picture: the next frame brings it back, changed or not.
  void show_again() { shown_ = false; }
  /// The next frame draws everything.
  void draw_everything() { damage_.forget(); }
  /// Ends the frame that begin() started without drawing it, because the next one follows at once.
  void skip();
  /// Drops the frame that begin() started, for instance when an exception left windows open; nothing is
  /// drawn.
  void abandon();

 private:
  Renderer() = default;
  ImGuiContext* context_ = nullptr;
  int width_ = 0, height_ = 0;
  bool backend_ = false;
  bool can_keep();
  std::span<const PixelBox> draw_kept(draw::Color clear);
  void show_kept(std::span<const PixelBox> changed, bool whole);
  std::array<std::uint32_t, 9> sample() const;
  const GlTextures* textures_ = nullptr;  // null: every frame is drawn whole
  Damage damage_;
  std::unique_ptr<PartPainter> painter_;  // of what is kept
  std::unique_ptr<PixelTarget> kept_;
  draw::Color clear_{};
  draw::Vision vision_ = draw::Vision::full;
  std::uint64_t destroyed_ = 0;  // of textures_
  bool shown_ = false;           // the framebuffer has what kept_ has
  int again_ = 0;  // whole pictures still to be shown after a new size: the first can go into the old surface
  bool copies_ = false;                    // to present is to copy: the framebuffer stays as it is, mostly
  std::array<std::uint32_t, 9> sample_{};  // of it
  std::unique_ptr<ColourFilter> filter_;   // made when it is first needed
};

}  // namespace headlight::screen
