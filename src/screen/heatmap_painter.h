// Heatmaps on an ImGui draw list, by a shader: the values go to the GPU as floats once for each version, and
// zooming, colour map, range and theme are uniforms. Draws draw::Heatmap as canvas.h describes it; gaps
// between cells are transparent, so what lies behind shows. The drawing itself happens while ImGui's draw
// data is rendered; without OpenGL (scripted tests never render) nothing here touches it. Tested against
// draw::color_of by tests/screen/heatmap_gl_test.cpp.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <string>

#include "draw/canvas.h"
#include "draw/theme.h"

namespace headlight::screen {

class HeatmapPainter {
 public:
  HeatmapPainter();
  /// With a current OpenGL context, when anything was rendered.
  ~HeatmapPainter();
  HeatmapPainter(const HeatmapPainter&) = delete;
  HeatmapPainter& operator=(const HeatmapPainter&) = delete;

  /// Once before each ImGui::NewFrame(): forgets the frame before, and frees textures that have not been used
  /// for a while.
  void begin_frame();

  /// The colour of masked cells and the maps of the theme from now on; the dark theme's at first.
  void set_theme(const draw::Theme& theme);

  /// For this frame, after begin_frame(): while `part` is less than 1, a map that was drawn in the same place
  /// before it became less, with other values of the same shape, is seen beneath the new one, which covers
  /// `part` of it: one fades into the other. A smaller part than in the frame before begins anew. 1, or no
  /// call: every map as it is.
  void blend(float part);

  /// Adds `map` to `list`, into `box` in pixels; `scale` pixels are one logical unit. map.values must stay
  /// until the frame is rendered; map.allowed may go.
  void draw(ImDrawList& list, draw::Box box, const draw::Heatmap& map, float scale, float opacity = 1);

  /// What a callback of draw() makes of the rectangle behind it, as a number: equal ones look the same.
  static std::uint64_t look(const ImDrawCmd& callback);

  /// Why the shader does not build (shader_program.h); empty when all is well. For the status line.
  const std::string& shader_log() const;
  /// HEADLIGHT_SHADERS is set: draw about twice a second, or changes are not seen.
  bool watching() const;

  struct Memory {
    int textures = 0;
    std::size_t bytes = 0;
    int uploads = 0;  // ever
  };
  Memory memory() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight::screen
