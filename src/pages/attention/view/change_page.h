// After minus before: what a change of settings did to the weights that the Attention page shows.
// Tested in tests/views/change_page_test.cpp.
#pragma once

#include "kit/page_input.h"
#include "pages/attention/map_change.h"

namespace headlight::views {

/// Draws the change. `in` is the current state, whose tokens label the map. Returns the height that it needs.
float change_page(draw::Canvas& canvas, draw::Box area, const PageInput& in, const scene::MapChange& change);

/// Returns one line: the largest change and its place, and how much of a row's weight moved.
std::string change_words(const PageInput& in, const scene::MapChange& change);

}  // namespace headlight::views
