#include "app/palette_words.h"

#include <algorithm>
#include <iterator>

#include "pictures/pages.h"

namespace headlight::app {

const std::vector<PaletteQuestion>& palette_questions() {
  static const std::vector<PaletteQuestion> all = [] {
    std::vector<PaletteQuestion> out;
    for (const PageInfo& page : pages()) {
      for (const views::PageQuestion& one : page.view.questions) {
        const std::string before = *one.set != '\0' ? std::string(one.set) + ";" : "";
        out.push_back({one, before + "page=" + word(page.page())});
      }
    }
    return out;
  }();
  return all;
}

std::string answer_place(std::string_view question) {
  for (const PaletteQuestion& one : palette_questions()) {
    if (one.page_question.question == question) return one.page_question.place;
  }
  return {};
}

bool is_filler(std::string_view word) {
  static constexpr std::string_view fillers[] = {
      "a",    "an", "and", "are",  "at", "be",   "can",  "do",    "does",  "for", "get",  "how",  "i",
      "in",   "is", "it",  "make", "me", "my",   "of",   "on",    "show",  "so",  "that", "the",  "there",
      "this", "to", "two", "was",  "we", "what", "when", "where", "which", "why", "will", "with", "you"};
  return std::find(std::begin(fillers), std::end(fillers), word) != std::end(fillers);
}

}  // namespace headlight::app
