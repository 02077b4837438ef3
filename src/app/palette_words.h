// The questions of all pages, which lead to the place of their answer, and the words in them that are not
// searched for. Tested in tests/app/palette_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kit/page_view.h"

namespace headlight::app {

/// A question of a page.
struct PaletteQuestion {
  views::PageQuestion page_question;
  std::string set;  // assignments that go to the answer, "name=value;page=name"
};
/// In the order of the pages.
const std::vector<PaletteQuestion>& palette_questions();

/// The place of the answer to this question; empty: the question is unknown.
std::string answer_place(std::string_view question);

/// True for a word of a question that is not searched for: "is", "the", "how".
bool is_filler(std::string_view word);

}  // namespace headlight::app
