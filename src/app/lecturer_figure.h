// The lecturer's window as a picture, without a window: for `headlight lesson NAME --lecturer --out s.png`.
// Tested in tests/command/command_lesson_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "app/shell.h"
#include "base/result.h"
#include "screen/headless.h"

namespace headlight::app {

/// Of the lesson that `shell` plays, as large as `slide`, which is what the class sees; without a clock, so
/// that it is the same at every run. Needs a current OpenGL context; ImGui's context is `shell`'s before and
/// after. [height × width × 4] bytes, row 0 on top.
base::Result<std::vector<std::uint8_t>> lecturer_pixels(Session& session, Shell& shell,
                                                        const screen::PixelTarget& slide, float scale);

}  // namespace headlight::app
