// A presented card as the bytes of a picture file, without a window. Tested in
// tests/pictures/present_test.cpp.
#pragma once

#include <string>

#include "pictures/page_figure.h"

namespace headlight::app {

/// The card wish.panel in a window of wish.width × wish.height; an unknown one is answered with the ones that
/// there are. `in` refers to figure_theme().
base::Result<std::string> present_figure(const FigureRequest& request, FigureFormat format,
                                         const views::PageInput& in);

}  // namespace headlight::app
