// The scene and the words of the first start: the line with the weight, and the line about the head. Tested
// in tests/lecture/first_start_words_test.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "draw/theme.h"
#include "kit/page_input.h"

namespace headlight::app {

/// Returns the scene with an Attention page that shows one head.
scene::Scene first_start_scene(scene::Scene scene);
/// The same for a computed scene, with one query: the pinned one, else first_query().
scene::Scene first_start_scene(scene::Scene scene, const scene::Results& results);
std::vector<std::string> token_texts(const scene::Results& results);

/// The row of weights of the pinned query in the first shown head.
struct ShownRow {
  std::span<const float> weights;
  int head = 0, query = -1, key = -1, next = -1;  // `key`: its strongest key; `next`: the second
};
ShownRow shown_row(const views::PageInput& in);

/// A part of a line in one colour.
struct Run {
  std::string words;
  draw::Color color;
  bool strong = false;
};
/// Returns the line with the weight, in the colours of query and key.
std::vector<Run> finding_runs(const views::PageInput& in);

/// Returns a line about words outside the model's vocabulary; empty: there are none.
std::string unknown_line(const views::PageInput& in);

/// The token that is one of two words and can be replaced by the other.
struct TwoWords {
  int token = -1;  // −1: the sentence has neither
  bool second = false;
};
inline constexpr const char *first_word = "tired", *second_word = "wide";
TwoWords two_words(const views::PageInput& in);
/// Returns the sentence with the first or the second word.
std::string with_word(const views::PageInput& in, bool second);

/// Returns “it” attends to “animal” with weight 0.97, as one line.
std::string first_start_finding(const views::PageInput& in);
/// Says which head this is, whether it was guided, and which key comes second.
std::string first_start_note(const views::PageInput& in);

/// Returns the token where the beam begins in a new sentence: the first pronoun, else the last token; −1
/// without tokens.
int first_query(const std::vector<std::string>& tokens);

}  // namespace headlight::app
