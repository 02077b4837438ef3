// Whom does the pinned query attend to? Its row of the matrix as bars, one for each key; several pinned
// queries are stacked on one axis. Tested in tests/views/attention_bars_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

void draw_bars(const Sheet& sheet, draw::Box box);

/// The height below which the stacked bars cannot be read.
float bars_height(const Sheet& sheet);

}  // namespace headlight::views
