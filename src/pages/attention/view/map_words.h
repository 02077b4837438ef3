// The words above the large map: its title, the name of its weights, what is left out of it and the remarks
// on it. Tested in tests/views/attention_page_test.cpp and tests/pictures/figure_parts_test.cpp.
#pragma once

#include <string>

#include "kit/selection.h"

namespace headlight::views {

/// "Head 2 · attention weights", "Layer 2, heads 1, 3 · compared", "All 4 heads · mean".
std::string map_title(const Sheet& sheet);
/// Names the weights: “gpt2”, “pronouns”, “random weights, seed 7”.
std::string weights_name(const scene::Results& results);

/// Paper, but not a slide.
bool on_printed_page(const Sheet& sheet);
/// Says what is left out of the map, and adds the remarks on it; in a figure without its title also what is
/// unusual about the scores, even without notes.
std::string statement_of_map(const Sheet& sheet);
inline constexpr int most_printed_lines = 5;  // of said_of_map()
/// Its style: without notes, what is said is a line of the legend.
draw::TextStyle statement_style(const Sheet& sheet);
/// Returns the height of the text above a printed map of this width, which a one-column figure adds to the
/// map's height; 0 in a window and on a slide.
float map_words_printed(const Sheet& sheet, float width);

}  // namespace headlight::views
