// Text on several lines: a paragraph, and as many remarks as there is room for. Tested in
// tests/views/attention_words_test.cpp and attention_text_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/card.h"

namespace headlight::views {

/// Writes words on as many lines as necessary, broken at blanks; returns the height used. Each line takes 1.4
/// em. Lines beyond `most` are dropped, and the last one ends in an ellipsis. Draws nothing when `draw` is
/// false. In a figure without notes, dim words are left out, and the height is 0.
float paragraph(const Pen& pen, draw::Point top_left, float width, const std::string& words,
                const draw::TextStyle& style, int most = 99, bool draw = true);

/// As placeholder(), where the user can choose what is missing. On a slide only the title is drawn, and on
/// paper, where nobody can choose, nothing.
void invitation(const Pen& pen, draw::Box box, std::string_view title, const char* words);

/// Is this paper, which shows no card that is empty until something is chosen?
inline bool on_paper(const Pen& pen) {
  return pen.canvas.plain() && !on_slide(pen);
}

/// Joins remarks with " · ", the most important first, as many as paragraph() can write in `lines` lines
/// without cutting.
std::string fitting_remarks(const Pen& pen, const std::vector<std::string>& remarks, float width,
                            const draw::TextStyle& style, int lines);

}  // namespace headlight::views
