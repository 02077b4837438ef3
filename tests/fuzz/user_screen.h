// What the random user looks at: frames of ImGui alone, or drawn by OpenGL into a picture without a window.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/shell.h"
#include "screen/input.h"
#include "screen/textures.h"

namespace headlight::fuzz {

class UserScreen {
 public:
  virtual ~UserScreen() = default;
  virtual screen::InputQueue& input() = 0;
  virtual screen::Textures& textures() = 0;
  virtual std::string& clipboard() = 0;
  /// ImGui works in the context of this screen.
  virtual void use() = 0;
  /// A frame of these pixels with what `build` draws. Empty, or what OpenGL has against it.
  virtual std::string frame(int width, int height, app::Shell& shell, const std::function<void()>& build) = 0;
};

std::unique_ptr<UserScreen> unseen_user_screen();
/// Null: there is no OpenGL.
std::unique_ptr<UserScreen> drawn_user_screen();

}  // namespace headlight::fuzz
