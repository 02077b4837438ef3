// The program, used by the keyboard: keys, and what the palette finds.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "program.h"

namespace headlight::tests {

class DeskTest : public ProgramTest {
 protected:
  DeskTest() { start({}); }
  void press(screen::Key key, screen::Mods mods = {}) {
    pilot_.key(key, mods);
    pilot_.frames(2);
  }
  void find(const std::string& words) {
    press(screen::Key::k, screen::ctrl_only);
    pilot_.type(words);
    press(screen::Key::enter);
  }
};

}  // namespace headlight::tests
