// The Memory page: linear attention, fast weight programmer, Hopfield retrieval.
// Tested in tests/views/memory_page_test.cpp.
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
float memory_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// What the page answers.
std::string memory_question(const PageInput& in);
/// Lines for the tooltip of any mark of the page; empty: none.
std::string memory_tooltip(const PageInput& in, const draw::Hit& hit);
/// The token of the step, where the card is about the sentence: it is written and its query is answered.
std::pair<int, int> memory_marked(const PageInput& in, std::string_view card);
/// One line for the status bar.
std::string memory_words(const PageInput& in);
std::string memory_finding(const PageInput& in, std::string_view card);

/// The mathematics of its panels.
std::span<const HelpEntry> memory_help();

namespace plain {
/// The page in words.
std::string describe_memory(const PageInput& in, int keys);
}  // namespace plain

}  // namespace headlight::views
