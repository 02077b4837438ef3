// How a page is drawn and described. What it computes is in its PageRoom (pages/page.h). Each page defines
// its PageView in view/page_view.cpp of its folder.
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

/// The name of the screen whose largest card is `card`.
struct TabName {
  std::string_view card, words;
};

/// A question that a user may type, and where the page answers it.
struct PageQuestion {
  const char* question;
  const char* answer;      // what is there
  const char* words;       // further words by which the question is found
  const char* place;       // named as in the outlines of lessons (ui/page_overlay.h)
  const char* set = "";    // settings that show the answer, "name=value;name=value"
  bool of_a_cell = false;  // about the selected cell; without a selected query, about the first query's
};

/// A setting whose control is on a card, and which one.
struct CardControl {
  std::string_view setting, card;
};

/// A setting that changes some of the page's cards alone, and their names, separated by blanks. `when`: in
/// these scenes; null: in all. A setting can have several of them.
struct SettingCards {
  std::string_view setting, cards;
  bool (*when)(const scene::Scene& scene) = nullptr;
};

struct PageView {
  /// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
  /// scrolls).
  float (*draw)(draw::Canvas& canvas, draw::Box area, const PageInput& in);
  /// The question that the page answers, shown above its first picture. It names what the scene selects.
  std::string (*question)(const PageInput& in);
  std::string (*tooltip)(const PageInput& in, const draw::Hit& hit);  // empty: nothing to say
  std::string (*status)(const PageInput& in);                         // the pinned thing in words
  /// The page in words, with the `keys` strongest keys of each query. "" when it was not computed.
  std::string (*describe)(const PageInput& in, int keys);
  std::span<const HelpEntry> (*help)();  // in the order of the panels; never empty
  const char* hint;                      // one line for a first visit
  const char* also;                      // further words by which the palette finds the page
  std::span<const PageQuestion> questions = {};
  /// The quantity of the cell or bar that was hit, "weight head=1 query=8 key=1"; empty: it has none. Null:
  /// the page has no such cells. Numbers that the page writes as text are noted (kit/page_input.h) and need
  /// nothing here.
  std::string (*quantity_under)(const PageInput& in, const draw::Hit& hit) = nullptr;
  /// What this card shows, in one sentence without a full stop, for the foot of a slide. Empty: the opened
  /// cell where the page has a large map, else nothing. Null: the status is used.
  std::string (*finding)(const PageInput& in, std::string_view card) = nullptr;
  /// The query and the key that this card marks; −1: none. Null: the pinned ones, if the page shows them.
  std::pair<int, int> (*marked)(const PageInput& in, std::string_view card) = nullptr;
  /// Does this card show the head that was guided during training? "": does any card of the page? Null: the
  /// page shows every head of the stack, or the chosen heads of the scene's layer.
  bool (*shows_guided)(const PageInput& in, std::string_view card) = nullptr;
  /// Names of the page's screens, by card, in one to three words, for a window that is lower than the page. A
  /// card that is not listed uses its title.
  std::span<const TabName> tabs = {};
  /// The card of the main picture, which a low window shows whole; empty: the largest card of the first row.
  std::string_view hero = {};
  /// Cards that do not depend on the sentence: on a slide, the page's question is above them.
  std::span<const std::string_view> without_sentence = {};
  /// Cards that are not shown as slides: they have controls only, or one sentence.
  std::span<const std::string_view> no_slides = {};
  /// Settings whose control is on a card whenever they matter: the settings panel does not repeat them
  /// (except while it has the place of the cards' column), and no chip leads to them.
  std::span<const CardControl> on_cards = {};
  /// Settings that change some of the cards alone: while none of these is on view, the settings panel shows
  /// them under a heading of their own, and no chip names them. The sentence is one of them: it is dimmed. A
  /// setting that is not listed changes every tab.
  std::span<const SettingCards> acts_on = {};
  bool fills = false;    // the page fills a large window by itself and need not be enlarged
  bool column = false;   // beside its picture, picture_column() wide; the settings take its place
  bool sliders = false;  // its settings are open by themselves as soon as its picture has room beside them
  bool asks_itself = false;  // the title of its first card is the question
  bool asks_once = false;    // and that of no other card: it is not repeated above later screens
  bool tells_model = false;  // the page itself says what must be said about the model
};

/// Does a setting change one of these cards in this scene? Without cards, everything on the page is on view.
bool changes_one_of(const PageView& view, const scene::Scene& scene, std::string_view setting,
                    std::span<const std::string> cards);

// Each is defined in its page's view/page_view.cpp.
#define HEADLIGHT_VIEW(name, word, ...) extern const PageView name##_view;
HEADLIGHT_PAGES(HEADLIGHT_VIEW)
#undef HEADLIGHT_VIEW

}  // namespace headlight::views
