// Synonyms for the palette's entries, and questions that lead to the place of their answer. Tested in
// tests/app/palette_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headlight::app {

/// Further words for a field or a page, by its name, each after a space; "" when there are none.
std::string synonyms(std::string_view name);

/// A question that a user may type, and where its answer is.
struct PaletteQuestion {
  const char* question;
  const char* answer;      // where the answer is shown
  const char* words;       // further words by which the question is found
  const char* set;         // assignments "name=value;page=name" that go there
  const char* place;       // on that page, named as in the outlines of lessons (ui/page_overlay.h)
  bool of_a_cell = false;  // about the selected cell; without a selected query, about the first query's
};
std::span<const PaletteQuestion> palette_questions();

/// The place of the answer to this question; empty: the question is unknown.
std::string answer_place(std::string_view question);

/// True for a word of a question that is not searched for: "is", "the", "how".
bool is_filler(std::string_view word);

}  // namespace headlight::app
