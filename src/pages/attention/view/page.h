// The Attention page: heads, the large map (matrix or ribbons), the pinned queries' bars, and the opened
// cell.
#pragma once

#include "kit/page_input.h"

namespace headlight::views {

/// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
/// scrolls).
float attention_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);

}  // namespace headlight::views
