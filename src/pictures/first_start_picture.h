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
#include "pictures/first_start_light.h"
#include "pictures/first_start_words.h"

namespace headlight::app {

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

}  // namespace headlight::app
