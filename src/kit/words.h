// Words over several lines: a paragraph, and as many remarks as there is room for. Tested in
// tests/views/attention_words_test.cpp and attention_text_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/card.h"

namespace headlight::views {

/// Words over as many lines as it takes, broken at blanks; returns the height used. Each line takes 1.4 em.
/// Lines beyond `most` are dropped and the last one ends in an ellipsis. Draws nothing when `draw` is false.
/// Nothing, and 0, of dim words in a figure without its notes.
float paragraph(const Pen& pen, draw::Point top_left, float width, const std::string& words,
                const draw::TextStyle& style, int most = 99, bool draw = true);

/// As many of these remarks, the most important first, as paragraph() writes whole in so many lines, with
/// " · " between them.
std::string fitting_remarks(const Pen& pen, const std::vector<std::string>& remarks, float width,
                            const draw::TextStyle& style, int lines);

}  // namespace headlight::views
