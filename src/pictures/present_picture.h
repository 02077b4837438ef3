// A card alone in the whole window, for a hall: the sentence on top with the pinned query and key in their
// colours, the card as large as there is room for, one sentence of what was found at the foot. No text is
// smaller than 1/40 of the height. Drawn on any canvas: the window's, a figure's, a test's. Tested in
// tests/pictures/present_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/page_input.h"
#include "kit/page_view.h"
#include "pictures/present_layout.h"

namespace headlight::app {

/// The smallest text, em, in a window of this height.
constexpr float least_text(float height) {
  return height / 40;
}

/// The names of the page's cards, in its order, and the one that its question is about: the largest.
struct PageCards {
  std::vector<std::string> names;
  std::vector<std::string> strips;  // low ones, of controls: no slides, unless one is asked for
  std::string hero;
  int place(const std::string& name) const;  // from 0; −1: no such card
};
PageCards cards_of(const views::PageView& view, const views::PageInput& in, draw::Canvas& measure);

/// The part of the window that is left to the card below its title and `notes` lines of notes. A card whose
/// title is the question at the top of the slide has no title of its own.
draw::Box present_room(draw::Box window, int notes = 0, bool titled = true);

/// The page with or without its column of cards.
DrawCards draw_cards(const views::PageView& view, const views::PageInput& in);

/// The layout of this card for a window; page.w 0: it is not on the page.
CardLayout present_layout(const std::string& card, const views::PageView& view, const views::PageInput& in,
                          draw::Box window, draw::Canvas& measure);

/// What stands around the card: ground, sentence, title and notes, finding, all from one left edge and in
/// the same place on every slide, and in the corners the page with its card `place` of `count`, and the keys.
struct SlideFrame {
  std::string page;
  int place = 0, count = 1;  // place −1: a strip, which is not one of the slides
  bool keys = true;          // the hint, which a picture of a file does without
  std::string card;          // whose query and key are marked in the sentence
  SlideHead head = {};       // title and notes of the card
};
void present_frame(draw::Canvas& canvas, draw::Box window, const views::PageView& view,
                   const views::PageInput& in, const SlideFrame& frame);

/// One sentence of what the card shows: what the pinned query attends to, else what the page says of the
/// card.
std::string finding(const views::PageView& view, const views::PageInput& in, std::string_view card);

}  // namespace headlight::app
