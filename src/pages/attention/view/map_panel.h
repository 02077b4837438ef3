// The large map: one head, all heads combined, or several side by side, as a map of cells, as beams or as
// arcs, with its title, its controls and its colour bar. Tested in tests/views/attention_page_test.cpp.
#pragma once

#include "kit/selection.h"

namespace headlight::views {

/// `heads_beside`: the card of heads is on view, so the map has no choice of its own.
void draw_map_panel(const Sheet& sheet, draw::Box box, bool heads_beside);

}  // namespace headlight::views
