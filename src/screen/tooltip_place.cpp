#include "screen/tooltip_place.h"

#include <algorithm>
#include <cmath>

namespace headlight::screen {

ImVec2 beside_cell(draw::Box cell, ImVec2 extent, ImVec2 screen, float gap) {
  ImVec2 from{cell.right() + gap, cell.bottom() + gap};
  if (from.x + extent.x > screen.x) from.x = cell.x - gap - extent.x;
  if (from.y + extent.y > screen.y) from.y = cell.y - gap - extent.y;
  // On a screen too small for both, the row stays visible.
  from.x = std::clamp(from.x, 0.f, std::max(0.f, screen.x - extent.x));
  return {std::round(from.x), std::round(std::max(0.f, from.y))};
}

ImVec2 beside_box(draw::Box box, ImVec2 pointer, ImVec2 extent, ImVec2 screen, float gap, float reach) {
  // This must stay visible: the box, and the arrow of the pointer on it.
  const float left = std::min(box.x, pointer.x), top = std::min(box.y, pointer.y);
  const float right = std::max(box.right(), pointer.x + 2 * gap),
              bottom = std::max(box.bottom(), pointer.y + 3 * gap);
  const float along = std::clamp(pointer.x, 0.f, std::max(0.f, screen.x - extent.x));
  const float down = std::clamp(pointer.y, 0.f, std::max(0.f, screen.y - extent.y));
  ImVec2 best{along,
              pointer.y + extent.y + 4 * gap > screen.y ? pointer.y - extent.y - gap : pointer.y + 3 * gap};
  for (const ImVec2& at : {ImVec2{along, bottom + gap}, ImVec2{right + gap, down},
                           ImVec2{left - gap - extent.x, down}, ImVec2{along, top - gap - extent.y}}) {
    if (box.w <= 0 || at.x < 0 || at.y < 0 || at.x + extent.x > screen.x || at.y + extent.y > screen.y)
      continue;
    const float dx = std::max({at.x - pointer.x, pointer.x - at.x - extent.x, 0.f});
    const float dy = std::max({at.y - pointer.y, pointer.y - at.y - extent.y, 0.f});
    if (std::hypot(dx, dy) > reach) continue;
    best = at;
    break;
  }
  return {std::round(std::max(0.f, best.x)), std::round(std::max(0.f, best.y))};
}

}  // namespace headlight::screen
