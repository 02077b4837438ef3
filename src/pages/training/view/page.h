// The Training page: small models learn while one watches; losses, the maps of every head at every kept step,
// and the controls of the run. Tested in tests/views/training_page_test.cpp.
#pragma once

#include <span>
#include <string>

#include "kit/help.h"
#include "kit/page_input.h"

namespace headlight::views {

/// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
/// scrolls).
float training_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// What the page answers.
std::string training_question(const PageInput& in);
/// Lines for the tooltip of any mark of the page; empty: none.
std::string training_tooltip(const PageInput& in, const draw::Hit& hit);
/// One line for the status bar: what is under the pointer, else how far the run is.
std::string training_words(const PageInput& in);
std::string training_finding(const PageInput& in, std::string_view card);

/// The mathematics of its panels.
std::span<const HelpEntry> training_help();

namespace plain {
/// The page in words.
std::string describe_training(const PageInput& in, int keys);
}  // namespace plain

}  // namespace headlight::views
