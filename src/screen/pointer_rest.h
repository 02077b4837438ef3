// A pointer that rests is hidden before a class: it hovers over nothing, and nothing that it opened remains.
#pragma once

#include <imgui.h>

#include "screen/widgets.h"

namespace headlight::screen {

class PointerRest {
 public:
  /// How long the pointer is visible after it was moved, in seconds.
  static constexpr double seconds = 2;

  /// It counts as moved now.
  void begin(double now) { moved_at_ = now; }
  /// Once in each frame. True: the pointer is hidden.
  bool hidden(Ui& ui, double now) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (mouse.x != at_.x || mouse.y != at_.y) moved_at_ = now;
    at_ = {mouse.x, mouse.y};
    if (now - moved_at_ >= seconds) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_None);
      return true;
    }
    if (ui.wake_in) ui.wake_in(seconds - (now - moved_at_));
    return false;
  }

 private:
  draw::Point at_;
  double moved_at_ = 0;
};

}  // namespace headlight::screen
