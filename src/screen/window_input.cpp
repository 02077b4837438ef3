// The part of Window that hands the events of GLFW on: keys and the pointer to the input queue, and what else
// happens to the window.
#include <new>

#include "screen/keyboard.h"
#include "screen/window_state.h"

namespace headlight::screen {

void Window::State::key_event(int glfw_key, int scancode, int action, int modifiers) {
  if (glfw_key < 0 || glfw_key > GLFW_KEY_LAST) return;
  Key& remembered = pressed_as[std::size_t(glfw_key)];
  if (action == GLFW_PRESS)
    remembered = key_from_glfw(glfw_key, glfwGetKeyName(glfw_key, scancode),
                               (modifiers & GLFW_MOD_SHIFT) != 0, (modifiers & GLFW_MOD_NUM_LOCK) != 0);
  bool down = action != GLFW_RELEASE;
  auto held = [this](int left, int right) {
    return glfwGetKey(window, left) == GLFW_PRESS || glfwGetKey(window, right) == GLFW_PRESS;
  };
  // One key of a pair is released while the other is held: the modifier is still down.
  if (remembered == Key::ctrl) down = held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
  if (remembered == Key::shift) down = held(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
  if (remembered == Key::super) down = held(GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER);
  input->key(remembered, down);
  pacer.input();
}

void Window::State::mouse_moved(double x, double y) {
  int window_width = 0, window_height = 0;
  glfwGetWindowSize(window, &window_width, &window_height);
  float ratio = window_width > 0 ? float(pixel_width) / float(window_width) : 1.f;
  input->mouse_move(float(x) * ratio, float(y) * ratio);
  pacer.input();
}

namespace {

/// Runs a GLFW callback. GLFW is written in C, and exceptions must not pass through it: input for which
/// memory runs out is lost.
template <class Take>
void received(Take take) noexcept {
  try {
    take();
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace

void Window::State::connect() {
  glfwSetWindowUserPointer(window, this);
  glfwSetInputMode(window, GLFW_LOCK_KEY_MODS, GLFW_TRUE);  // to detect Num Lock
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int modifiers) {
    received([&] { of(w).key_event(key, scancode, action, modifiers); });
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned c) {
    received([&] { of(w).input->character(c); });
    of(w).pacer.input();
  });
  glfwSetCursorPosCallback(
      window, [](GLFWwindow* w, double x, double y) { received([&] { of(w).mouse_moved(x, y); }); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int inside) {
    received([&] {
      if (!inside) of(w).input->mouse_leave();
    });
    of(w).pacer.input();
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
    received([&] { of(w).input->mouse_button(button, action == GLFW_PRESS); });
    of(w).pacer.input();
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double dx, double dy) {
    received([&] { of(w).input->wheel(float(dx), float(dy)); });
    of(w).pacer.input();
  });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int focused) {
    received([&] { of(w).input->focus(focused != 0); });
    of(w).pacer.touch(5);
    of(w).exposed = true;
  });
  auto changed = [](GLFWwindow* w, int, int) {
    of(w).read_size();
    of(w).pacer.touch();
    of(w).exposed = true;
  };
  glfwSetFramebufferSizeCallback(window, changed);
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) {
    of(w).pacer.touch(1);
    of(w).exposed = true;
  });
  glfwSetWindowIconifyCallback(window, [](GLFWwindow* w, int) {
    of(w).pacer.touch();
    of(w).exposed = true;
  });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { of(w).pacer.touch(); });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) {
    State& state = of(w);
    state.read_size();
    state.pacer.touch();
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    State& state = of(w);
    state.pacer.touch();
    received([&] {
      if (state.self && state.self->on_drop) state.self->on_drop({paths, paths + count});
    });
  });
}

}  // namespace headlight::screen
