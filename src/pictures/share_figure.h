// One sentence, the beam from one word to the word that it attends to most, and a line that says so, as a
// file. It is the first start without its buttons, and the share card of any scene, for places without
// Headlight. Tested in tests/pictures/share_figure_test.cpp.
#pragma once

#include <string>

#include "pictures/page_figure.h"

namespace headlight::app {

/// The size in units, and pixels per unit: 1200 × 630 pixels, the size of link previews on web pages, with
/// words that are readable there.
inline constexpr draw::Point share_size{800, 420};
inline constexpr double share_scale = 1.5;

/// Returns the share card as the contents of a file. `in` is an Attention page with results, and refers to
/// figure_theme(). The first of several heads is shown. Without a pinned query, the beam begins where the
/// first start would begin. `scale` is pixels per unit, for a PNG.
base::Result<std::string> share_figure(draw::Point size, double scale, FigureFormat format,
                                       const views::PageInput& in);

}  // namespace headlight::app
