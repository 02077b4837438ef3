#include "app/palette_words.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "pictures/pages.h"

namespace headlight::app {

std::string synonyms(std::string_view name) {
  static constexpr std::pair<std::string_view, const char*> also[] = {
      {"position", "sinusoidal sine cosine clocks encoding wavelength"},
      {"attention_view", "ribbons beams arcs lines curves sankey flow"},
      {"temperature", "entropy sharp soft"},
      {"combine", "average mean maximum largest all heads"},
      {"mask", "causal decoder padding future"},
      {"ramp", "colormap colour map viridis cividis palette gradient"},
      {"theme", "dark light mode night bright color colour"},
      {"interface_scale", "zoom size font text letters large larger bigger small smaller readable"},
      {"colour_vision", "color blind colour blind blindness daltonism accessibility"},
      {"reduced_motion", "accessibility still"},
      {"d_model", "width dimension embedding size"},
      {"tokenizer", "words characters letters split"},
      {"weights", "random trained model file checkpoint"}};
  for (const auto& [known, words] : also) {
    if (known == name) return std::string(" ") + words;
  }
  return {};
}

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
