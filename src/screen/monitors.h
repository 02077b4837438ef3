// Where GLFW's windows are on the screens of the desktop, and how they get elsewhere. Sizes and places are
// the desktop's own. Tried by the window's tests under Xvfb.
#pragma once

#include <vector>

#include "screen/screens.h"

struct GLFWwindow;

namespace headlight::screen {

/// As they are now, the primary one first.
std::vector<Screen> all_screens();
Place centre_of(GLFWwindow* window);

/// Full screen on that one, at its own resolution. False: there is no such screen.
bool fill_screen(GLFWwindow* window, int screen);
/// As a window in what the desktop leaves free of that screen: a `part` of its width and height, in the
/// middle.
void place_on_screen(GLFWwindow* window, int screen, float part);

struct LeastSize {
  int width = 0, height = 0;
};
/// Shrinks a window that is larger than the primary screen, and its smallest size with it.
void fit_to_screen(GLFWwindow* window, LeastSize least);

}  // namespace headlight::screen
