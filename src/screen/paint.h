// Converts our colours and boxes to ImGui's, and back.
#pragma once

#include <imgui.h>

#include "draw/geometry.h"

namespace headlight::screen {

inline ImU32 packed(draw::Color c) {
  return IM_COL32(c.r, c.g, c.b, c.a);
}

inline draw::Box box_of(ImVec2 from, ImVec2 to) {
  return {from.x, from.y, to.x - from.x, to.y - from.y};
}

}  // namespace headlight::screen
