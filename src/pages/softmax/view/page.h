// The Softmax page: scores, exponentials, weights. Tested in tests/app/softmax_page_test.cpp.
#pragma once

#include <string>

#include "draw/canvas.h"
#include "kit/page_input.h"

namespace headlight::views {

/// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
/// scrolls).
float softmax_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// Lines for the tooltip of any mark of the page; empty: none.
std::string softmax_tooltip(const PageInput& in, const draw::Hit& hit);
/// One line for the status bar.
std::string softmax_words(const PageInput& in);

}  // namespace headlight::views
