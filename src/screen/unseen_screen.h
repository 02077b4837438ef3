// Frames of ImGui that nobody sees: a context without OpenGL or a window, for scripts of the real interface
// and for measuring a frame. Used by tests/app/program.h, tests/screen and src/bench/frame_bench.cpp.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>

#include "screen/input.h"
#include "screen/textures.h"

namespace headlight::screen {

class UnseenScreen {
 public:
  /// Makes an ImGui context of its own, which is ImGui's current one from then on.
  UnseenScreen();
  ~UnseenScreen();
  UnseenScreen(const UnseenScreen&) = delete;
  UnseenScreen& operator=(const UnseenScreen&) = delete;

  static constexpr float seconds = 1.f / 60;  // between two frames
  /// ImGui works in this context: where there is another one.
  void use();
  /// A frame of width × height pixels that holds what `build` draws, with the input that has arrived.
  void frame(int width, int height, const std::function<void()>& build);
  /// Of the last frame.
  int vertices() const;

  InputQueue input;
  NumberedTextures textures;
  std::string clipboard;

 private:
  ImGuiContext* context_ = nullptr;
};

}  // namespace headlight::screen
