// The Compare page compares two heads, switches heads off, and scores common roles of heads. Tested in
// tests/views/compare_page_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "kit/help.h"
#include "kit/page_input.h"

namespace headlight::views {

/// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
/// scrolls).
float compare_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// Returns the question that the page answers.
std::string compare_question(const PageInput& in);
/// Lines for the tooltip of any mark of the page; empty: none.
std::string compare_tooltip(const PageInput& in, const draw::Hit& hit);
/// Returns the pair whose weights this card names; none for other cards.
std::pair<int, int> compare_marked(const PageInput& in, std::string_view card);
/// One line for the status bar.
std::string compare_words(const PageInput& in);
std::string compare_finding(const PageInput& in, std::string_view card);

/// Returns the mathematics of the page's panels.
std::span<const HelpEntry> compare_help();

namespace plain {
/// The page in words.
std::string describe_compare(const PageInput& in, int keys);
}  // namespace plain

}  // namespace headlight::views
