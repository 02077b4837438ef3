// One sentence, the beam from one word to the word that it attends to most, and a line that says so, as a
// file: the first start without what is pressed, and the share card of any scene, to be shown where there is
// no Headlight. Tested in tests/pictures/share_figure_test.cpp.
#pragma once

#include <string>

#include "pictures/page_figure.h"

namespace headlight::app {

/// Units, and pixels to the unit: 1200 × 630, which pages on the web show of a link, with words that can be
/// read there.
inline constexpr draw::Point share_size{800, 420};
inline constexpr double share_scale = 1.5;

/// `in`: an Attention page with results; of several heads the first one is shown, and without a query the one
/// that the first start would begin with. `in` refers to figure_theme(). `scale`: pixels to the unit, of a
/// PNG.
base::Result<std::string> share_figure(draw::Point size, double scale, FigureFormat format,
                                       const views::PageInput& in);

}  // namespace headlight::app
