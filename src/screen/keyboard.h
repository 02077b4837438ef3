// Which of our keys is a key of the keyboard? Letters and signs follow the character that the layout types,
// so that Ctrl+Z is where the user sees a Z on QWERTY, AZERTY and QWERTZ alike. Layouts without Latin
// letters, and keys without a character, follow the position. Pure: needs no window. Tested by
// tests/screen/keyboard_test.cpp.
#pragma once

#include "screen/input.h"

namespace headlight::screen {

/// `glfw_key` is GLFW_KEY_…; `name` is glfwGetKeyName()'s result, null if the key types nothing; `shift` and
/// `num_lock` are their states at the press. Returns Key::none for keys that we do not use. The digit row
/// counts as digits unless the layout types one of our signs there without Shift.
Key key_from_glfw(int glfw_key, const char* name, bool shift, bool num_lock);

}  // namespace headlight::screen
