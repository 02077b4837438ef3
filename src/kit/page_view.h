// How a page is drawn and what it says. What it computes is its PageRoom (pages/page.h). Each page has one,
// in its folder: view/page_view.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "draw/canvas.h"
#include "kit/help.h"
#include "kit/page_input.h"
#include "pages/list.h"

namespace headlight::views {

/// A card's name as that of the screen whose largest it is.
struct TabName {
  std::string_view card, words;
};

struct PageView {
  /// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
  /// scrolls).
  float (*draw)(draw::Canvas& canvas, draw::Box area, const PageInput& in);
  /// What the page answers, over its first picture; it names what the scene names.
  std::string (*question)(const PageInput& in);
  std::string (*tooltip)(const PageInput& in, const draw::Hit& hit);  // empty: nothing to say
  std::string (*status)(const PageInput& in);                         // the pinned thing in words
  /// The page in words; of each query's strongest keys `keys`. "" when it was not computed.
  std::string (*describe)(const PageInput& in, int keys);
  std::span<const HelpEntry> (*help)();  // in the order of the panels; never empty
  const char* hint;                      // one line for who sees the page for the first time
  /// The quantity of a cell or a bar that was hit, "weight head=1 query=8 key=1"; empty: it has none. Null:
  /// the page has no such thing. Numbers that it writes are noted (kit/page_input.h) and need nothing here.
  std::string (*quantity_under)(const PageInput& in, const draw::Hit& hit) = nullptr;
  /// What this card shows, in one sentence without its full stop, for the foot of a slide; empty: it has
  /// none. Null: the status.
  std::string (*finding)(const PageInput& in, std::string_view card) = nullptr;
  /// The query and the key that this card marks, −1: none. Null: the pinned ones, where the page shows them.
  std::pair<int, int> (*marked)(const PageInput& in, std::string_view card) = nullptr;
  /// Names of its screens where the window is lower than the page: of a card, one to three words. A card
  /// that is not here has its title.
  std::span<const TabName> tabs = {};
  /// The card of its picture, which a low window shows whole; empty: the largest of the first row.
  std::string_view hero = {};
  /// Cards that show nothing of the sentence: on a slide they have the page's question above them.
  std::span<const std::string_view> without_sentence = {};
  /// Settings whose control is on a card whenever they matter: the settings' panel does not repeat them, and
  /// no chip leads to them.
  std::span<const char* const> on_cards = {};
  bool fills = false;        // fills a large window by itself, and need not be drawn larger
  bool asks_itself = false;  // its first card has the question for a title
  bool tells_model = false;  // says itself what must be said of the model
};

// Each page's, in its folder's view/page_view.cpp.
#define HEADLIGHT_VIEW(name, word, ...) extern const PageView name##_view;
HEADLIGHT_PAGES(HEADLIGHT_VIEW)
#undef HEADLIGHT_VIEW

}  // namespace headlight::views
