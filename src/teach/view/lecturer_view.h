// The lecturer's window while a lesson is played: the notes of the step in large type, the words of the slide
// with the answers that are still covered, the class's view and the next step, the list of steps, the clock,
// and the buttons for moving through the lesson. The class sees none of it. No text is smaller than 14 units.
// Tested in tests/views/lecturer_view_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "teach/view/lesson_panel.h"

namespace headlight::views {

inline constexpr float least_lecturer_type = 14;

struct LecturerView {
  LessonPanel slide;                // what the class reads now, and the notes
  std::vector<Runs> answer;         // the text that Space reveals, revealed or not
  std::vector<std::string> titles;  // of all steps
  bool exploring = false;           // the class sees the laboratory
  bool swaps = false;               // there is another screen to swap with
  std::string clock;                // "14:05"; empty: not shown
  int seconds = 0;                  // since the lesson began, or since the reset
  bool reset = false;
  float slide_aspect = 1.6f;  // of the two pictures: width by height
  float controls = 0;         // height kept free for the settings of the step
  float scroll = 0;           // units by which notes and words are scrolled
  float list_scroll = -1;     // the same for the list; −1: scrolled to the current step
  std::string stated;         // one line instead of the lesson's title
};

struct LecturerPlaces {
  draw::Box slide, next;                 // positions of the pictures; `next` is empty after the last step
  draw::Box words;                       // notes and words
  float needed = 0;                      // their height; if it exceeds the available one, they scroll
  draw::Box list;                        // the steps
  float list_from = 0, list_needed = 0;  // scroll position of the list, and its full height
  draw::Box controls;                    // the area that was kept free
  float large = 1;                       // scale relative to 1280 × 720
};

/// Marks are controls without an assignment: those of the lesson's panel, where "back" replaces "explore"
/// while exploring; and "reset clock", "swap screens", "close".
LecturerPlaces lecturer_view(const Pen& pen, draw::Box box, const LecturerView& view);

/// "4:05", "1:02:09".
std::string elapsed_words(int seconds);

}  // namespace headlight::views
