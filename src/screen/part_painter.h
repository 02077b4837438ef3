// Draws parts of ImGui's draw data (damage.h), with the same pixels as ImGui's own OpenGL backend but at
// lower cost: all vertices are uploaded once per frame, and large opaque shapes are drawn without texture and
// without blending. With software OpenGL, those two are nearly the whole cost of a filled pixel. Needs a
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

  /// begin() takes the vertices of a frame, paint() draws parts of it into the bound framebuffer, and end()
  /// restores the OpenGL state that other code expects.
  void begin(const ImDrawData& data);
  void paint(const ImDrawData& data, const Damage::Part& part);
  void end();

 private:
  enum class Look { none, shapes, plain };  // plain: opaque, and without a texture
  void set_up(const ImDrawData& data);
  void look(Look wanted);

  ShaderProgram shapes_, plain_;
  unsigned array_ = 0, vertices_ = 0, indices_ = 0;
  std::vector<int> first_vertex_;  // of each list
  float projection_[16] = {};
  Look look_ = Look::none;  // current OpenGL state
};

}  // namespace headlight::screen
