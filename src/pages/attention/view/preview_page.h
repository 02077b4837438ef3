// The Attention page while a long sentence is computed: the newest tokens and one query's row in every head,
// beside the map of the previous sentence. Tested in tests/views/preview_page_test.cpp.
#pragma once

#include "kit/page_input.h"

namespace headlight::views {

/// Draws the page; in.preview must not be null. Returns the height used.
float preview_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);

}  // namespace headlight::views
