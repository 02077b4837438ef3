// The Order page: permutations of the tokens, and scores split into content and position. Tested in
// tests/views/order_page_test.cpp.
#pragma once

#include <span>
#include <string>

#include "kit/help.h"
#include "kit/page_input.h"

namespace headlight::views {

/// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
/// scrolls).
float order_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// Returns the question that the page answers.
std::string order_question(const PageInput& in);
/// Lines for the tooltip of any mark of the page; empty: none.
std::string order_tooltip(const PageInput& in, const draw::Hit& hit);
/// One line for the status bar.
std::string order_words(const PageInput& in);
/// The query and the key of the page, as far as this card has them: a long sentence is not permuted whole.
std::pair<int, int> order_marked(const PageInput& in, std::string_view card);
std::string order_finding(const PageInput& in, std::string_view card);

/// Returns the mathematics of the page's panels.
std::span<const HelpEntry> order_help();

namespace plain {
/// The page in words.
std::string describe_order(const PageInput& in, int keys);
}  // namespace plain

}  // namespace headlight::views
