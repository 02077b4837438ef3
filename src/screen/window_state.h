// What a window keeps beside GLFW's own, and what it does with GLFW's events. Only window*.cpp include this.
#pragma once

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <array>
#include <memory>
#include <string>

#include "screen/lost_display.h"
#include "screen/window.h"

namespace headlight::screen {

struct Window::State {
  GLFWwindow* window = nullptr;
  InputQueue* input = nullptr;
  Window* self = nullptr;
  Pacer pacer;
  double frame_start = 0, previous_start = -1;
  int pixel_width = 0, pixel_height = 0;
  float scale = 1;
  std::array<Key, GLFW_KEY_LAST + 1> pressed_as{};  // so that a release reports the same key as its press
  std::array<GLFWcursor*, ImGuiMouseCursor_COUNT> cursors{};
  int cursor = ImGuiMouseCursor_Arrow;
  bool cursor_hidden = false;
  int restore_x = 0, restore_y = 0, restore_width = 0, restore_height = 0;  // before full screen
  std::unique_ptr<LostDisplay> lost_display;                                // of the first window
  std::string clipboard_text;                                               // the last text passed to ImGui
  bool exposed = true;  // the screen may not show what was presented

  /// For an opened window; `interval` is the number of screen refreshes between frames.
  State(GLFWwindow* opened, const WindowOptions& options, InputQueue& queue, int interval);
  static State& of(GLFWwindow* w) { return *static_cast<State*>(glfwGetWindowUserPointer(w)); }
  void read_size();
  void connect();
  void make_cursors();
  bool shown() const {
    return pixel_width > 0 && pixel_height > 0 && !glfwGetWindowAttrib(window, GLFW_ICONIFIED);
  }
  void key_event(int glfw_key, int scancode, int action, int modifiers);
  void mouse_moved(double x, double y);
};

}  // namespace headlight::screen
