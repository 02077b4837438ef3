// The Attention page while a long sentence is computed: the newest words and one query's row in every head,
// beside the map of the sentence before. Tested in tests/views/preview_page_test.cpp.
#pragma once

#include "kit/page_input.h"

namespace headlight::views {

/// in.preview is not null. Returns the height used.
float preview_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);

}  // namespace headlight::views
