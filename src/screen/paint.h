// Colours of ours as ImGui packs them.
#pragma once

#include <imgui.h>

#include "draw/geometry.h"

namespace headlight::screen {

inline ImU32 packed(draw::Color c) {
  return IM_COL32(c.r, c.g, c.b, c.a);
}

}  // namespace headlight::screen
