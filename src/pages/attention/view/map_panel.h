// The large map: one head, all heads combined, or several side by side, as a map of cells, as beams or as
// arcs, with its title, its controls and its colour bar. Tested in tests/views/attention_page_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

/// `heads_beside`: the card of heads is on view, so the map has no choice of its own.
void draw_map_panel(const Sheet& sheet, draw::Box box, bool heads_beside);
/// Returns the height of the text above a printed map of this width, which a one-column figure adds to the
/// map's height; 0 in a window and on a slide.
float map_words_printed(const Sheet& sheet, float width);

/// "Head 2 · attention weights", "Layer 2, heads 1, 3 · compared", "All 4 heads · mean".
std::string map_title(const Sheet& sheet);

}  // namespace headlight::views
