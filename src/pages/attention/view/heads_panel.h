// Draws every head as a small map with its entropy; the shown heads are framed. With up to 1024 heads, the
// maps shrink until all of them fit. Tested in tests/views/attention_layout_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

/// Returns the height at which every tile has room for its number and its entropy.
float heads_height(const Sheet& sheet, float width);
/// Returns the height that the tiles take on a slide, where the card is at most `room` high.
float heads_on_slide(const Sheet& sheet, float width, float room);
void draw_heads(const Sheet& sheet, draw::Box area);

}  // namespace headlight::views
