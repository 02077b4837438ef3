// Which layout of a page shows some of its cards largest? A page lays its cards out for the area that it is
// given. When a lesson shows only some of them, the page is laid out for several areas, and that one is taken
// whose chosen cards, enlarged to fill the room, are easiest to read from the last row. Cost: the page is
// drawn once for each area, on a canvas that only listens. Tested in tests/lecture/focus_layout_test.cpp.
#pragma once

#include <functional>
#include <vector>

#include "ui/page_overlay.h"

namespace headlight::app {

/// The page, drawn for an area in units.
using DrawPage = std::function<void(draw::Canvas&, draw::Box)>;

/// What can be read of the focus in one layout.
struct Legible {
  draw::Box box;       // around everything that the focus names; w 0: none of it is on the page
  draw::Box filled;    // from the first to the last of its texts
  double size = 0;     // of a character, units of the page; a mean in which small ones count most
  double letters = 0;  // characters
  int cut = 0;         // texts that end in an ellipsis
};

/// `measure` answers text widths.
Legible legible(const PageOverlay& overlay, const DrawPage& page, draw::Box area, draw::Canvas& measure);

/// The areas that are tried for a room of so many units; the first is the room itself.
std::vector<draw::Box> layouts_for(draw::Box room);

/// The best of layouts_for(room): large type, few words cut or left out. The room itself when nothing of the
/// focus is on the page.
draw::Box focus_layout(const PageOverlay& overlay, const DrawPage& page, draw::Box room,
                       draw::Canvas& measure);

}  // namespace headlight::app
