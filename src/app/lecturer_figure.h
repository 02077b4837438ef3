// The lecturer's window as a picture, without a window: for `headlight lesson NAME --lecturer --out s.png`.
// Tested in tests/command/command_lesson_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "app/shell.h"
#include "base/result.h"
#include "screen/headless.h"

namespace headlight::app {

/// The picture for the lesson that `shell` plays, in the size of `slide`, which is the class's view; without
/// a clock, so that it is the same at every run. Needs a current OpenGL context; ImGui's context is `shell`'s
/// before and after. [height × width × 4] bytes, row 0 at the top.
base::Result<std::vector<std::uint8_t>> lecturer_pixels(Session& session, Shell& shell,
                                                        const screen::PixelTarget& slide, float scale);

}  // namespace headlight::app
