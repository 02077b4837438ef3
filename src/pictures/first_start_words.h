// What the first start says: which scene it shows, the line with its number, the line about the head. Tested
// in tests/lecture/first_start_words_test.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "draw/theme.h"
#include "kit/page_input.h"

namespace headlight::app {

/// A page with one map, of which one head is on show.
scene::Scene first_start_scene(scene::Scene scene);
/// The same of a scene that was computed, with one query: else that of the first pronoun.
scene::Scene first_start_scene(scene::Scene scene, const scene::Results& results);
std::vector<std::string> token_texts(const scene::Results& results);

/// A row of weights: of the query that is asked, in the first head on show.
struct AskedRow {
  std::span<const float> weights;
  int head = 0, query = -1, key = -1, next = -1;  // its strongest key, and the one after it
};
AskedRow asked_row(const views::PageInput& in);

/// Words of a line in one colour.
struct Run {
  std::string words;
  draw::Color color;
  bool strong = false;
};
/// The line with the number, in the colours of query and key.
std::vector<Run> finding_runs(const views::PageInput& in);

/// Words that the model reads as unknown; empty: it knows all.
std::string unknown_line(const views::PageInput& in);

/// Two words of which the sentence has one, so that the other can take its place.
struct TwoWords {
  int token = -1;  // −1: the sentence has neither
  bool second = false;
};
inline constexpr const char *first_word = "tired", *second_word = "wide";
TwoWords two_words(const views::PageInput& in);
/// The sentence with the other word.
std::string with_word(const views::PageInput& in, bool second);

/// “it” attends to “animal” with weight 0.97, as one line.
std::string first_start_finding(const views::PageInput& in);
/// Which head this is, whether it was guided, and the key that comes next.
std::string first_start_note(const views::PageInput& in);

/// The token that the beam begins at in a new sentence: the first pronoun, else the last token; −1 without.
int first_query(const std::vector<std::string>& tokens);

}  // namespace headlight::app
