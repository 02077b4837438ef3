// The Softmax page: scores, exponentials, weights. Tested in tests/app/softmax_page_test.cpp.
#pragma once

#include <span>
#include <string>

#include "draw/canvas.h"
#include "kit/help.h"
#include "kit/page_input.h"

namespace headlight::views {

/// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
/// scrolls).
float softmax_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// Returns the question that the page answers.
std::string softmax_question(const PageInput& in);
/// Lines for the tooltip of any mark of the page; empty: none.
std::string softmax_tooltip(const PageInput& in, const draw::Hit& hit);
/// One line for the status bar.
std::string softmax_words(const PageInput& in);
std::string softmax_finding(const PageInput& in, std::string_view card);

/// Returns the mathematics of the page's panels.
std::span<const HelpEntry> softmax_help();

namespace plain {
/// The page in words.
std::string describe_softmax(const PageInput& in, int keys);
}  // namespace plain

}  // namespace headlight::views
