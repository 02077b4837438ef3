// Draws parts of ImGui's draw data (damage.h), each pixel as ImGui's own OpenGL backend would, for less: all
// vertices are handed over once a frame, and what is large and opaque is drawn without its texture and
// without blending. With software OpenGL those two are nearly all of what a filled pixel costs. Needs a
// current OpenGL 3.3 context for its whole life. Tested in tests/screen/damage_test.cpp.
#pragma once

#include <imgui.h>

#include <vector>

#include "screen/damage.h"
#include "screen/shader_program.h"

namespace headlight::screen {

class PartPainter {
 public:
  PartPainter();
  ~PartPainter();
  PartPainter(const PartPainter&) = delete;
  PartPainter& operator=(const PartPainter&) = delete;

  /// Takes the vertices of a frame, which paint() draws parts of, into the framebuffer that is bound; end()
  /// leaves OpenGL as other code expects it.
  void begin(const ImDrawData& data);
  void paint(const ImDrawData& data, const Damage::Part& part);
  void end();

 private:
  enum class Look { none, shapes, plain };  // plain: opaque, and of no texture
  void set_up(const ImDrawData& data);
  void look(Look wanted);

  ShaderProgram shapes_, plain_;
  unsigned array_ = 0, vertices_ = 0, indices_ = 0;
  std::vector<int> first_vertex_;  // of each list
  float projection_[16] = {};
  Look look_ = Look::none;  // what OpenGL is set to
};

}  // namespace headlight::screen
