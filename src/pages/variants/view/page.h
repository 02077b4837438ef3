// The Variants page: two combinations of mask, scaling and positional scheme, and their difference. Tested in
// tests/views/variants_page_test.cpp.
#pragma once

#include <span>
#include <string>

#include "kit/help.h"
#include "kit/page_input.h"

namespace headlight::views {

/// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
/// scrolls).
float variants_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// Returns the question that the page answers.
std::string variants_question(const PageInput& in);
/// Lines for the tooltip of any mark of the page; empty: none.
std::string variants_tooltip(const PageInput& in, const draw::Hit& hit);
/// One line for the status bar.
std::string variants_words(const PageInput& in);
std::pair<int, int> variants_marked(const PageInput& in, std::string_view card);
std::string variants_finding(const PageInput& in, std::string_view card);

/// Returns the mathematics of the page's panels.
std::span<const HelpEntry> variants_help();

namespace plain {
/// The page in words.
std::string describe_variants(const PageInput& in, int keys);
}  // namespace plain

}  // namespace headlight::views
