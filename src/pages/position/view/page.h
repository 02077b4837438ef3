// The Position page: P as a heatmap, its columns as curves, the clocks, the rotation, and what P is good for.
// Tested in tests/views/position_*_test.cpp.
#pragma once

#include <span>
#include <string>

#include "kit/help.h"
#include "kit/page_input.h"

namespace headlight::views {

/// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
/// scrolls).
float position_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// What the page answers.
std::string position_question(const PageInput& in);

/// For the status line: "P is 60 × 32   ω_0 = 1 … ω_15 = 1.8e-4   p(i+δ) = R(δ) p(i) holds to 2e-07"; with
/// something under the pointer, what it is. Empty while nothing is computed.
std::string position_words(const PageInput& in);
std::string position_finding(const PageInput& in, std::string_view card);

/// What lies under the pointer, in one or a few lines; the mark's own note where it has one. Empty: nothing
/// to say.
std::string position_tooltip(const PageInput& in, const draw::Hit& hit);

/// The mathematics of its panels.
std::span<const HelpEntry> position_help();

namespace plain {
/// The page in words.
std::string describe_position(const PageInput& in, int keys);
}  // namespace plain

}  // namespace headlight::views
