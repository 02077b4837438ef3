// Moves GLFW's windows between the screens of the desktop. Sizes and positions are in the desktop's own
// units. Tested by the window's tests under Xvfb.
#pragma once

#include <vector>

#include "screen/screens.h"

struct GLFWwindow;

namespace headlight::screen {

/// Returns the current screens, the primary one first.
std::vector<Screen> all_screens();
Place centre_of(GLFWwindow* window);

/// Makes the window full screen on that screen, at the screen's own resolution. False: there is no such
/// screen.
bool fill_screen(GLFWwindow* window, int screen);
/// Places the window in the free area of that screen: a `part` of its width and height, centred.
void place_on_screen(GLFWwindow* window, int screen, float part);

struct LeastSize {
  int width = 0, height = 0;
};
/// Shrinks a window that is larger than the primary screen, and its minimum size too.
void fit_to_screen(GLFWwindow* window, LeastSize least);

}  // namespace headlight::screen
