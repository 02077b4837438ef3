// Returns GLFW's last error, on one line. For the two files that open windows.
#pragma once

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <string>

namespace headlight::screen {

inline std::string glfw_message() {
  const char* text = nullptr;
  int code = glfwGetError(&text);
  std::string message = code != GLFW_NO_ERROR && text ? text : "no reason given";
  std::replace(message.begin(), message.end(), '\n', ' ');
  while (!message.empty() && message.back() == ' ') message.pop_back();
  return message;
}

}  // namespace headlight::screen
