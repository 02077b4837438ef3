// After minus before: what a change of settings did to the weights that the Attention page shows.
// Tested in tests/views/change_page_test.cpp.
#pragma once

#include "kit/page_input.h"
#include "pages/attention/map_change.h"

namespace headlight::views {

/// `in` is the live side; its tokens stand beside the map. Returns the height it needs.
float change_page(draw::Canvas& canvas, draw::Box area, const PageInput& in, const scene::MapChange& change);

/// One line: the largest change and where, and how much of a row moved.
std::string change_words(const PageInput& in, const scene::MapChange& change);

}  // namespace headlight::views
