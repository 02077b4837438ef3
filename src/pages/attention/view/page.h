// The Attention page: the heads, the large picture (map, beams or arcs), the bars of the pinned queries, and
// the opened cell.
#pragma once

#include <span>
#include <string>

#include "kit/help.h"
#include "kit/page_input.h"

namespace headlight::views {

/// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
/// scrolls).
float attention_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// Returns the question that the page answers.
std::string attention_question(const PageInput& in);
/// The question while nothing is pinned, and in a figure that marks no selection.
inline constexpr const char* open_question = "What does each query attend to?";

inline constexpr float page_edge = 8;  // above and below its cards

/// Returns the mathematics of the page's panels.
std::span<const HelpEntry> attention_help();

namespace plain {
/// The page in words.
std::string describe_attention(const PageInput& in, int keys);
}  // namespace plain

}  // namespace headlight::views
