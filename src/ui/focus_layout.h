// Which layout of a page shows some of its cards largest? A page lays out its cards for the area that it is
// given. When a lesson shows only some of them, the page is laid out for several areas, and the layout is
// used whose chosen cards, enlarged to fill the area, are easiest to read from the last row of seats. Cost:
// the page is drawn once for each area, on a canvas that only records. Tested in
// tests/lecture/focus_layout_test.cpp.
#pragma once

#include <functional>
#include <vector>

#include "ui/page_overlay.h"

namespace headlight::app {

/// Draws the page for an area in units.
using DrawPage = std::function<void(draw::Canvas&, draw::Box)>;

/// What can be read of the focus in one layout.
struct Legible {
  draw::Box box;       // around everything that the focus names; w = 0: none of it is on the page
  draw::Box filled;    // from the first to the last of its texts
  double size = 0;     // of a character, in units of the page; a mean in which small characters count most
  double letters = 0;  // characters
  int cut = 0;         // texts that end in an ellipsis
};

/// `measure` gives text widths.
Legible legible(const PageOverlay& overlay, const DrawPage& page, draw::Box area, draw::Canvas& measure);

/// The areas that are tried for a given area in units; the first is the area itself.
std::vector<draw::Box> layouts_for(draw::Box room);

/// The best of layouts_for(room): large type, few words cut or left out. The area itself when nothing of the
/// focus is on the page.
draw::Box focus_layout(const PageOverlay& overlay, const DrawPage& page, draw::Box room,
                       draw::Canvas& measure);

}  // namespace headlight::app
