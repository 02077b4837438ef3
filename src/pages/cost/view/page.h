// The Cost page: what convolution, recurrence and self-attention cost, counted and measured.
// Tested in tests/views/cost_page_test.cpp.
#pragma once

#include <span>
#include <string>

#include "kit/help.h"
#include "kit/page_input.h"

namespace headlight::views {

/// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
/// scrolls).
float cost_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// What the page answers.
std::string cost_question(const PageInput& in);
/// Lines for the tooltip of any mark of the page; empty: none.
std::string cost_tooltip(const PageInput& in, const draw::Hit& hit);
/// One line for the status bar.
std::string cost_words(const PageInput& in);
std::string cost_finding(const PageInput& in, std::string_view card);

/// The mathematics of its panels.
std::span<const HelpEntry> cost_help();

namespace plain {
/// The page in words.
std::string describe_cost(const PageInput& in, int keys);
}  // namespace plain

}  // namespace headlight::views
