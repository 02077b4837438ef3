// A desktop with two screens for a test. Xvfb has one, whatever it is told; this library, loaded before GLFW,
// says that its left and its right half are two, for as long as the file HEADLIGHT_TEST_SCREENS says "2".
// What GLFW does on a screen of its own, filling it, is done by moving the window.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <map>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace {

constexpr int width = 1600, height = 1000;  // of each half

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

int screens() {
  const char* const path = std::getenv("HEADLIGHT_TEST_SCREENS");
  std::FILE* const file = path ? std::fopen(path, "r") : nullptr;
  if (!file) return 1;
  const int digit = std::fgetc(file);
  std::fclose(file);
  return digit == '2' ? 2 : 1;
}

char left_half, right_half;  // their addresses are the monitors
GLFWmonitor* monitors[2] = {reinterpret_cast<GLFWmonitor*>(&left_half),
                            reinterpret_cast<GLFWmonitor*>(&right_half)};
std::map<GLFWwindow*, GLFWmonitor*> filled;

int left_of(GLFWmonitor* monitor) {
  return monitor == monitors[1] ? width : 0;
}

}  // namespace

extern "C" {

GLFWmonitor** glfwGetMonitors(int* count) {
  *count = screens();
  return monitors;
}

GLFWmonitor* glfwGetPrimaryMonitor() {
  return monitors[0];
}

void glfwGetMonitorPos(GLFWmonitor* monitor, int* x, int* y) {
  *x = left_of(monitor), *y = 0;
}

void glfwGetMonitorWorkarea(GLFWmonitor* monitor, int* x, int* y, int* w, int* h) {
  *x = left_of(monitor), *y = 0, *w = width, *h = height;
}

const GLFWvidmode* glfwGetVideoMode(GLFWmonitor*) {
  static const GLFWvidmode mode{width, height, 8, 8, 8, 60};
  return &mode;
}

GLFWmonitor* glfwGetWindowMonitor(GLFWwindow* window) {
  const auto found = filled.find(window);
  return found == filled.end() ? nullptr : found->second;
}

void glfwSetWindowMonitor(GLFWwindow* window, GLFWmonitor* monitor, int x, int y, int w, int h, int) {
  filled[window] = monitor;
  if (monitor) x = left_of(monitor), y = 0;
  real<decltype(&glfwSetWindowPos)>("glfwSetWindowPos")(window, x, y);
  real<decltype(&glfwSetWindowSize)>("glfwSetWindowSize")(window, w, h);
}
}
