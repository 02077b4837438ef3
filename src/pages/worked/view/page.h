// The Worked example page: X, the projections, and every number between them and the output.
// Tested in tests/views/worked_page_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kit/help.h"
#include "kit/page_input.h"

namespace headlight::views {

/// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
/// scrolls).
float worked_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// What the page answers.
std::string worked_question(const PageInput& in);
/// Lines for the tooltip of any mark of the page; empty: none.
std::string worked_tooltip(const PageInput& in, const draw::Hit& hit);
/// One line for the status bar.
std::string worked_words(const PageInput& in);
/// What one of its cards shows, in a sentence; empty: of a card that shows no result of its own.
std::string worked_card_finding(const PageInput& in, std::string_view card);

/// The mathematics of its panels.
std::span<const HelpEntry> worked_help();

namespace plain {
/// The page in words.
std::string describe_worked(const PageInput& in, int keys);
}  // namespace plain

}  // namespace headlight::views
