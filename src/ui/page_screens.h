// Where is a page cut that is higher than its window? Between its rows of cards, so that no card is seen by
// half: each screen has whole cards, and a tab of its own. How small is it drawn where even its first card
// does not fit? Tested in tests/app/page_screens_test.cpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/pick_canvas.h"
#include "kit/page_view.h"

namespace headlight::app {

/// A part of a page that is seen at once, in units of the page.
struct PageScreen {
  float top = 0, bottom = 0;
  std::string card, title;        // of its largest card
  std::vector<std::string> rows;  // the largest card of each of its rows
};

/// The screens of a page whose cards are these, for a window that is `room` units high; above the screens
/// after the first one, `question` of them are the page's question. Rows of cards that overlap in y belong
/// together; a screen has as many rows as fit, the first at least so many that it is not nearly empty; one
/// that is higher than the room scrolls. One screen or none: the page is not cut. O(n log n).
std::vector<PageScreen> page_screens(std::span<const draw::PickCanvas::Panel> cards, float room,
                                     float question = 0);

/// How much smaller a page is drawn in a window so low that the card of its picture would be cut: the largest
/// of a few sizes, 1 … `least`, at which it is seen whole; `least` where it never is. `cards`: those of the
/// page when it is laid out for an area of this size, in units of the page. The page is laid out once for
/// each size that is tried, and at most six times.
using CardsOf = std::function<std::vector<draw::PickCanvas::Panel>(draw::Box area)>;
float fitting_size(const CardsOf& cards, draw::Box room, std::string_view hero, float least);

/// What its tab says: one to three words, never none; `both`: of a later screen with two rows those of both.
/// `page`: what the page is called.
std::string screen_name(const PageScreen& screen, std::span<const views::TabName> tabs, std::string_view page,
                        bool both = false);

/// A card in a list of a page's cards: the words of its tab, where no other card has the same; else the name
/// by which commands and lessons know it.
std::string card_name(std::string_view card, std::span<const views::TabName> tabs);

/// The screen that has the line `y`; the first where there is none. `screens` is not empty.
int screen_at(std::span<const PageScreen> screens, float y);

}  // namespace headlight::app
