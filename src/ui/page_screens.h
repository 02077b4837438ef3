// Where is a page cut that is higher than its window? Between its rows of cards, so that no card is cut: each
// screen has whole cards and its own tab. How small is the page drawn when even its first card does not fit?
// Tested in tests/app/page_screens_test.cpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/pick_canvas.h"
#include "kit/page_view.h"

namespace headlight::app {

/// A part of a page that is visible at once, in units of the page.
struct PageScreen {
  float top = 0, bottom = 0;
  std::string card, title;         // of its largest card
  std::vector<std::string> rows;   // the largest card of each of its rows
  std::vector<std::string> cards;  // all, row by row
};

/// The screens of a page with these cards, for a window that is `room` units high; on the screens after the
/// first, the page's question takes `question` of them. Rows of cards that overlap in y belong together. A
/// screen has as many rows as fit; the first has enough that it is not nearly empty; a screen that is higher
/// than the room scrolls. One screen or none: the page is not cut. O(n log n).
std::vector<PageScreen> page_screens(std::span<const draw::PickCanvas::Panel> cards, float room,
                                     float question = 0);

/// The factor by which a page is drawn smaller in a window so low that the card of its picture would be cut:
/// the largest of a few sizes, 1 … `least`, at which the card is completely visible; `least` if there is
/// none, and 1 if much of the card is cut even then. `cards` returns the page's cards when it is laid out for
/// an area of this size, in units of the page. The page is laid out once for each size that is tried, and at
/// most six times.
using CardsOf = std::function<std::vector<draw::PickCanvas::Panel>(draw::Box area)>;
float fitting_size(const CardsOf& cards, draw::Box room, std::string_view hero, float least);

/// The text of the screen's tab: one to three words. `both`: for a later screen with two rows, the words of
/// both. `page`: the name of the page.
std::string screen_name(const PageScreen& screen, std::span<const views::TabName> tabs, std::string_view page,
                        bool both = false);

/// The words of all cards of the screen that have a tab's words, joined, the largest card's first.
std::string all_names(const PageScreen& screen, std::span<const views::TabName> tabs, std::string_view page);

/// The name of a card in a list of a page's cards: the words of its tab if no other card has the same, else
/// the name that commands and lessons use.
std::string card_name(std::string_view card, std::span<const views::TabName> tabs);

/// The cards of the screen, for a step of a lesson that shows it alone: all if they are one or two, else the
/// largest of each of its rows.
std::vector<std::string> cards_alone(const PageScreen& screen,
                                     std::span<const draw::PickCanvas::Panel> cards);

/// The screen that contains the line `y`; the first if there is none. `screens` is not empty.
int screen_at(std::span<const PageScreen> screens, float y);

}  // namespace headlight::app
