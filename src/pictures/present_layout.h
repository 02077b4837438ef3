// The layout of a page in which one card, enlarged to fill a room, can be read from the last row: the page is
// laid out for several areas, and that one is taken whose card loses the fewest words when none is smaller
// than `least`, and fills the room best. Cost: the page is drawn once for each area and once more where its
// card is another one, and some more times for the best twelve, on a canvas that draws nothing. Tested in
// tests/pictures/present_test.cpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "pictures/present_canvas.h"

namespace headlight::app {

/// The page, drawn for an area in units; `column`: with its column of cards (views::PageInput::column).
using DrawCards = std::function<void(draw::Canvas&, draw::Box area, bool column)>;

struct CardLayout {
  draw::Box page;  // the area that the page is laid out for; w 0: the card is not on the page
  bool column = true;
  Placing placing;
  SlideHead head;   // what is written above the card
  draw::Box ink;    // what is drawn of it, in units of the page: this fits the room, and is in its middle
  draw::Box room;   // in pixels
  int letters = 0;  // written
};

/// Where one card is in every area that was tried, by column, width and height: rooms of one slide have most
/// of them in common.
using CardPlaces = std::map<std::tuple<bool, float, float>, std::optional<draw::Box>>;

/// `room` and `least`, the em of the smallest text, in pixels; `measure` answers the widths of text. `known`:
/// of this card on this page as it is; what is found is added.
CardLayout present_layout(const std::string& card, const DrawCards& draw, draw::Box room, float least,
                          draw::Canvas& measure, CardPlaces& known);

/// The same layout once more, in the same room, for a page that shows something else now; page.w 0 when the
/// card is gone.
CardLayout placed_again(const std::string& card, const DrawCards& draw, const CardLayout& before, float least,
                        draw::Canvas& measure);

}  // namespace headlight::app
