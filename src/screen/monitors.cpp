#include "screen/monitors.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

namespace headlight::screen {
namespace {

GLFWmonitor* monitor_number(int screen) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);  // the primary one first
  return screen < 0 || screen >= count ? nullptr : monitors[screen];
}

}  // namespace

std::vector<Screen> all_screens() {
  std::vector<Screen> out;
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    Screen screen;
    glfwGetMonitorPos(monitors[i], &screen.x, &screen.y);
    if (const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]))
      screen.width = mode->width, screen.height = mode->height;
    out.push_back(screen);
  }
  return out;
}

Place centre_of(GLFWwindow* window) {
  int x = 0, y = 0, width = 0, height = 0;
  glfwGetWindowPos(window, &x, &y);
  glfwGetWindowSize(window, &width, &height);
  return {x + width / 2, y + height / 2};
}

bool fill_screen(GLFWwindow* window, int screen) {
  GLFWmonitor* const monitor = monitor_number(screen);
  const GLFWvidmode* const mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (mode) glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  return mode != nullptr;
}

void place_on_screen(GLFWwindow* window, int screen, float part) {
  GLFWmonitor* const monitor = monitor_number(screen);
  if (!monitor) return;
  int x = 0, y = 0, width = 0, height = 0, left = 0, top = 0, right = 0, bottom = 0;
  glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
  glfwGetWindowFrameSize(window, &left, &top, &right, &bottom);  // 0 if it is not known yet
  const int w = int(std::lround(float(width) * part)), h = int(std::lround(float(height) * part));
  if (w <= left + right || h <= top + bottom) return;
  const int at_x = x + (width - w) / 2 + left, at_y = y + (height - h) / 2 + top;
  if (glfwGetWindowMonitor(window)) {
    glfwSetWindowMonitor(window, nullptr, at_x, at_y, w - left - right, h - top - bottom, GLFW_DONT_CARE);
  } else {
    glfwSetWindowSize(window, w - left - right, h - top - bottom);
    glfwSetWindowPos(window, at_x, at_y);
  }
}

void fit_to_screen(GLFWwindow* window, LeastSize least) {
  int window_width = 0, window_height = 0;
  glfwGetWindowSize(window, &window_width, &window_height);
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
    if (width > 0 && height > 0) {
      least.width = std::min(least.width, width), least.height = std::min(least.height, height);
      if (window_width > width || window_height > height)
        glfwSetWindowSize(window, std::min(window_width, width), std::min(window_height, height));
    }
  }
  glfwSetWindowSizeLimits(window, least.width, least.height, GLFW_DONT_CARE, GLFW_DONT_CARE);
}

}  // namespace headlight::screen
