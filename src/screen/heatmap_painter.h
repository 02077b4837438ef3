// Draws heatmaps on an ImGui draw list with a shader. The values go to the GPU as floats once per version;
// zoom, colour map, range and theme are uniforms. It draws draw::Heatmap as canvas.h describes it; gaps
// between cells are transparent. The drawing takes place when ImGui's draw data is rendered; scripted tests
// never render and do not need OpenGL. Tested against draw::color_of by tests/screen/heatmap_gl_test.cpp.
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
  /// Needs a current OpenGL context if anything was rendered.
  ~HeatmapPainter();
  HeatmapPainter(const HeatmapPainter&) = delete;
  HeatmapPainter& operator=(const HeatmapPainter&) = delete;

  /// Call it once before each ImGui::NewFrame(). It drops the previous frame's requests, and frees textures
  /// that have not been used for a while.
  void begin_frame();

  /// Sets the colour of masked cells and the maps of the theme; initially the dark theme's.
  void set_theme(const draw::Theme& theme);

  /// For this frame, after begin_frame(). While `part` is less than 1, a map fades in over the map that was
  /// drawn in the same place before the fade began, with other values of the same shape; the new map covers
  /// `part` of it. A smaller part than in the previous frame restarts the fade. With 1, or without a call,
  /// every map is drawn as it is.
  void blend(float part);

  /// Adds `map` to `list`, into `box` in pixels; `scale` pixels are one logical unit. map.values must stay
  /// valid until the frame is rendered; map.allowed need not.
  void draw(ImDrawList& list, draw::Box box, const draw::Heatmap& map, float scale, float opacity = 1);

  /// Returns a number for how a callback of draw() draws the rectangle after it: equal numbers look the same.
  static std::uint64_t look(const ImDrawCmd& callback);

  /// Returns why the shader does not build (shader_program.h); empty if it builds. For the status line.
  const std::string& shader_log() const;
  /// HEADLIGHT_SHADERS is set: draw about twice a second, so that changes are noticed.
  bool watching() const;

  struct Memory {
    int textures = 0;
    std::size_t bytes = 0;
    int uploads = 0;  // total count
  };
  Memory memory() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight::screen
