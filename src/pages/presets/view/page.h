// The Presets page: printed examples from the sources, with Headlight's numbers beside theirs. Tested in
// tests/views/presets_page_test.cpp.
#pragma once

#include <span>
#include <string>

#include "kit/help.h"
#include "kit/page_input.h"

namespace headlight::views {

/// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
/// scrolls).
float presets_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// Returns the question that the page answers.
std::string presets_question(const PageInput& in);
/// Lines for the tooltip of any mark of the page; empty: none.
std::string presets_tooltip(const PageInput& in, const draw::Hit& hit);
/// One line for the status bar.
std::string presets_words(const PageInput& in);
/// How many rows of the chosen example agree, for the foot of its slide.
std::string preset_finding(const PageInput& in);

/// Returns the mathematics of the page's panels.
std::span<const HelpEntry> presets_help();

namespace plain {
/// The page in words.
std::string describe_presets(const PageInput& in, int keys);
}  // namespace plain

}  // namespace headlight::views
