// Invisible ImGui frames: a context without OpenGL or a window, for scripts of the real interface and for
// measuring a frame. Used by tests/app/program.h, tests/screen and src/bench/frame_bench.cpp.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>

#include "screen/input.h"
#include "screen/textures.h"

namespace headlight::screen {

class UnseenScreen {
 public:
  /// Creates its own ImGui context, which becomes ImGui's current one.
  UnseenScreen();
  ~UnseenScreen();
  UnseenScreen(const UnseenScreen&) = delete;
  UnseenScreen& operator=(const UnseenScreen&) = delete;

  static constexpr float seconds = 1.f / 60;  // between two frames
  /// Makes this ImGui context current; needed if there is another one.
  void use();
  /// Makes a frame of width × height pixels with what `build` draws and the input that has arrived.
  void frame(int width, int height, const std::function<void()>& build);
  /// Returns the vertices of the last frame.
  int vertices() const;

  InputQueue input;
  NumberedTextures textures;
  std::string clipboard;

 private:
  ImGuiContext* context_ = nullptr;
};

}  // namespace headlight::screen
