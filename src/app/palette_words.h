// Other words for what the palette finds, and the questions that lead to the place that answers them. Tested
// in tests/app/palette_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headlight::app {

/// Further words for a field or a page, by its name, behind a space each; "" when there are none.
std::string synonyms(std::string_view name);

/// A question that somebody types, and where its answer is.
struct PaletteQuestion {
  const char* question;
  const char* answer;      // where the answer is shown
  const char* words;       // further words by which the question is found
  const char* set;         // assignments "name=value;page=name" that go there
  const char* place;       // there, in the words of a lesson's outlines (app/page_overlay.h)
  bool of_a_cell = false;  // of the cell that is selected; without a selected query, of the first one's
};
std::span<const PaletteQuestion> palette_questions();

/// The place of the answer to this question; empty: it is none of the questions.
std::string answer_place(std::string_view question);

/// A word of a question that finds nothing by itself: "is", "the", "how".
bool is_filler(std::string_view word);

}  // namespace headlight::app
