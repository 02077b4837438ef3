// What brings ImGui's draw data to the screen? The ImGui context and its OpenGL 3 backend, and nothing else:
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
  /// Creates an ImGui context (no ini file, our key numbers, light-weight flags), which becomes ImGui's
  /// current one, and its OpenGL objects. Error: the backend could not start, one line.
  static base::Result<std::unique_ptr<Renderer>> create();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// Makes this renderer's ImGui context current. Call it before a frame and before destruction if there is
  /// another context.
  void use();

  /// Starts a frame of width × height pixels, `seconds` after the previous one. Apply the InputQueue first.
  void begin(int width, int height, float seconds);
  /// Ends the frame and draws it into the bound framebuffer, over `clear`, in the colours that people with
  /// this vision see. Returns false if the picture is kept and has not changed: nothing was drawn.
  bool end(draw::Color clear, draw::Vision vision = draw::Vision::full);

  /// For after a frame: returns whether no window is still hidden to determine its size.
  bool settled() const;

  /// From now on only changes are drawn (damage.h), into a kept picture that is copied to the framebuffer. If
  /// the driver cannot provide such a picture, everything is drawn, as without this call. The content of
  /// textures must not change, except when `textures` destroys one, or in places that nothing has shown yet,
  /// as with glyphs.
  void keep_picture(const GlTextures& textures);
  /// Returns the picture of the last frame; null if none is kept. A different size gives a different target.
  const PixelTarget* kept() const { return kept_.get(); }
  /// The framebuffer has lost its picture: the next frame restores it, changed or not.
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
  const GlTextures* textures_ = nullptr;  // null: every frame is drawn completely
  Damage damage_;
  std::unique_ptr<PartPainter> painter_;  // paints the kept picture
  std::unique_ptr<PixelTarget> kept_;
  draw::Color clear_{};
  draw::Vision vision_ = draw::Vision::full;
  std::uint64_t destroyed_ = 0;  // count of textures_ at the last frame
  bool shown_ = false;           // the framebuffer shows the content of kept_
  int again_ = 0;        // whole pictures still to show after a resize: the first may go into the old surface
  bool copies_ = false;  // presenting is a copy: the framebuffer mostly keeps its content
  std::array<std::uint32_t, 9> sample_{};  // of the framebuffer
  std::unique_ptr<ColorFilter> filter_;    // created when it is first needed
};

}  // namespace headlight::screen
