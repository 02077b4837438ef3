// The first picture that a newcomer sees: one sentence, the light from one word to the word that it attends
// to most, a line with its weight, a line about the head, and buttons for the next steps. It can be drawn on
// any canvas: a window, a figure, or a test. Tested in tests/lecture/first_start_picture_test.cpp.
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
  float drawn = 1;   // fraction of the beam, from the query
  float moved = 1;   // fraction of the movement from `before` to the new place, 0 … 1
  BeamPlace before;  // the beam's place before the change
  BeamPlace last;    // its resting place in the previous frame; if that changed, the movement starts in the
                     // next frame
  bool editing = false;  // a field for the sentence replaces the choice of two words
  bool to_click = true;  // draw the buttons
};

struct FirstStartPlaces {
  BeamPlace beam;   // its place at rest
  draw::Box field;  // of the sentence, while it is edited
};

/// Draws the picture. `in` is an Attention page with one query. Words are marked as query_token. Buttons are
/// controls named in first_start_controls or after one of the two words.
FirstStartPlaces draw_first_start(const views::Pen& pen, draw::Box window, const views::PageInput& in,
                                  const FirstStartLook& look);

struct FirstStartControl {
  const char *name, *label, *note;
};
/// The buttons in their order: own sentence, lesson, training, laboratory.
inline constexpr FirstStartControl first_start_controls[] = {
    {"try your own sentence", "Try your own sentence", "the laboratory, with the sentence to type over"},
    {"take lesson 1", "Take lesson 1", "the first of the included lessons"},
    {"watch a head learn", "Watch a head learn", "the task with which this model was trained"},
    {"open the laboratory", "Open the laboratory", "all pages (Esc)"}};

}  // namespace headlight::app
