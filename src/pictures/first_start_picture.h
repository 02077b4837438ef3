// The first thing that a newcomer sees, as a picture: one sentence, the light from one word to the word that
// it attends to most, one line that says so with its number, one that says which head this is, and where to
// go from here. Drawn on any canvas: the window's, a figure's, a test's. Tested in
// tests/lecture/first_start_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "draw/canvas.h"
#include "kit/card.h"
#include "kit/page_input.h"

namespace headlight::app {

/// A page with one map, of which one head is on show.
scene::Scene first_start_scene(scene::Scene scene);
/// The same of a scene that was computed, with one query: else that of the first pronoun.
scene::Scene first_start_scene(scene::Scene scene, const scene::Results& results);
std::vector<std::string> token_texts(const scene::Results& results);

/// From a query to a key, in units.
struct BeamPlace {
  draw::Point query, key;
  float query_width = 0, key_width = 0;  // of the words
  float weight = 0;
  bool there = false;
  bool operator==(const BeamPlace&) const = default;
};
/// On the way from one to another.
BeamPlace between(const BeamPlace& from, const BeamPlace& to, float part);

struct FirstStartLook {
  float drawn = 1;       // of the beam, from the query on
  float moved = 1;       // 0 … 1 on the way from `before` to its new place
  BeamPlace before;      // where it was
  BeamPlace last;        // where it rested in the frame before: from another place it starts in the next one
  bool editing = false;  // a field for the sentence takes the place of the choice of two words
  bool to_click = true;  // with what can be pressed
};

struct FirstStartPlaces {
  BeamPlace beam;   // where it is when it rests
  draw::Box field;  // for the sentence, while it is edited
};

/// `in`: an Attention page with one query. Words are marked as query_token; what can be pressed is a control
/// of the name in first_start_controls, or one of the two words.
FirstStartPlaces draw_first_start(const views::Pen& pen, draw::Box window, const views::PageInput& in,
                                  const FirstStartLook& look);

struct FirstStartControl {
  const char *name, *label, *note;
};
/// In this order: the sentence of one's own, a lesson, training, the laboratory.
inline constexpr FirstStartControl first_start_controls[] = {
    {"try your own sentence", "Try your own sentence", "the laboratory, with the sentence to type over"},
    {"take lesson 1", "Take lesson 1", "the first of the included lessons"},
    {"watch a head learn", "Watch a head learn", "the task with which this model was trained"},
    {"open the laboratory", "Open the laboratory", "all pages (Esc)"}};

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
