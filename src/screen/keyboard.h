// Which of our keys is a key of the keyboard? Letters and signs go by what the layout types, so that Ctrl+Z
// is where the user sees a Z on QWERTY, AZERTY and QWERTZ alike; layouts without Latin letters, and keys
// without a character, go by position. Pure: needs no window. Tested by tests/screen/keyboard_test.cpp.
#pragma once

#include "screen/input.h"

namespace headlight::screen {

/// `glfw_key` is GLFW_KEY_…; `name` what glfwGetKeyName() says of it, null when the key types nothing;
/// `shift` and `num_lock` as they are at the press. Key::none for keys that we have no use for. The digit row
/// counts as digits unless the layout types a sign of ours there without Shift.
Key key_from_glfw(int glfw_key, const char* name, bool shift, bool num_lock);

}  // namespace headlight::screen
