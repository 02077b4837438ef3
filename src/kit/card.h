// What every panel of every page is made of: the card with its title, the segmented control, the button, the
// colour bar, the legend, and numbers as text. Sizes in logical units. Tested in
// tests/views/attention_card_test.cpp.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "draw/canvas.h"
#include "draw/pick_canvas.h"
#include "draw/theme.h"
#include "kit/numbers.h"

namespace headlight::views {

// What every view draws with, by its short name.
using draw::Align;
using draw::Box;
using draw::Color;
using draw::Mark;
using draw::Part;
using draw::Point;
using draw::Stroke;
using draw::TextStyle;

inline constexpr float card_gap = 16;      // between cards, and from a card to the edge of the page
inline constexpr float card_padding = 14;  // from the outline of a card to what it holds
inline constexpr float card_radius = 12;
inline constexpr float control_height = 26;
inline constexpr float title_size = 14, word_size = 12, small_size = 12;  // em

/// What nearly every drawing function needs. Made once for a page, passed by reference.
struct Pen {
  draw::Canvas& canvas;
  const draw::Theme& theme;
  const draw::Hit* hover = nullptr;  // under the pointer; null = nothing
  /// Is this control under the pointer? Controls are known by their name.
  bool over(std::string_view control_name) const {
    return hover && (hover->mark.part == draw::Part::control || hover->mark.part == draw::Part::text) &&
           hover->mark.name == control_name;
  }
};

/// One card alone is shown, large, for a hall: its text has a least size.
inline bool on_slide(const Pen& pen) {
  return pen.canvas.least_text() > 0;
}

/// What can be done with a card belongs to its window, not to a slide or to paper.
inline std::string in_window(const Pen& pen, const char* words) {
  return pen.canvas.plain() ? std::string() : words;
}

/// Notes, and what can be done; a figure can leave them out.
inline bool with_hints(const Pen& pen) {
  return pen.canvas.parts().hints;
}
inline std::string hint(const Pen& pen, std::string words) {
  return with_hints(pen) ? std::move(words) : std::string();
}
/// The same of lines that take `height` of a card: without them the card becomes lower, not its picture
/// higher.
inline bool with_hints(const Pen& pen, float height) {
  if (!with_hints(pen)) pen.canvas.saved(height);
  return with_hints(pen);
}
/// Is what is pinned marked? A figure can leave that out.
inline bool marks_selection(const Pen& pen) {
  return pen.canvas.parts().selection;
}

/// Text styles of the pages; align and valign are left and middle until they are changed.
draw::TextStyle words_style(draw::Color color, float size = word_size);
draw::TextStyle strong_style(draw::Color color, float size = title_size);
draw::TextStyle mono_style(draw::Color color, float size = word_size);
draw::TextStyle aligned(draw::TextStyle style, draw::Align align);
/// Of a token that stands alone: an underscore in it is no index.
draw::TextStyle literal(draw::TextStyle style);

/// From one line of text to the next: `line`, or more where small text is written larger than it is given.
float text_line(const Pen& pen, float line);

/// Writes `words` at `at`, shortened with an ellipsis to `width`; writes nothing when not even one character
/// fits. A number is never shortened: it becomes smaller, and is left out where that is not enough. Returns
/// the width it took.
float put(const Pen& pen, draw::Point at, std::string_view words, const draw::TextStyle& style,
          float width = 1e9f);

/// `words` in at most `lines` lines of `width` units, cut at spaces; the last one may be too long.
std::vector<std::string> wrap(const Pen& pen, std::string_view words, const draw::TextStyle& style,
                              float width, std::size_t lines);

struct CardHead {
  std::string title;
  std::string subtitle;  // quieter, on a line or two of its own; empty: none
  float controls = 0;  // width kept free at the right of the title, for controls that the caller draws there
};

/// Panel, outline, title. Returns the area for the contents, inside the padding and below the title. `name`
/// is what figures call the card, the same whatever the title says; without one it is made of the title.
draw::Box card(const Pen& pen, draw::Box box, const CardHead& head, std::string_view name = {});

/// The height of the first row of cards of a page that is `room` high: `wanted` where what follows, at least
/// `below` high, fits beneath it; else all of the room, since what follows is then seen on a screen of its
/// own. At most `most`.
float first_row(float room, float wanted, float below, float most = 1e6f);

/// Rows of cards, from the top of a page, each as high as it needs to be: those of its later screens
/// (ui/page_screens.h) become higher until they fill them, each at most `most` times. `room`: the height of a
/// screen; of a later one `question` of it are the page's question. A page that fits its window, one on paper
/// and one on a slide stay as they are.
void fill_screens(const Pen& pen, std::span<float> rows, float room, float question = 0, float most = 2);

/// The height of the first card of a column of cards: `wanted`, or in a low window as much as is on view, but
/// at least `least`. On paper and in a hall there is no window.
inline float hero_height(const Pen& pen, float on_view, float wanted, float least) {
  return pen.canvas.plain() ? wanted : std::clamp(on_view, least, std::max(least, wanted));
}

/// What a page answers; words in quotation marks may have a colour: that of the query, say.
struct Question {
  std::string words;
  draw::Color quoted{0, 0, 0, 0};  // none: as the rest
};
/// The card of a page's first picture: its title is the question, large where there is room. The title of
/// `head` is not used.
draw::Box hero_card(const Pen& pen, draw::Box box, const Question& question, const CardHead& head,
                    std::string_view name = {});
/// What its question takes of the height of that card.
float question_height(const Pen& pen, draw::Box box, const Question& question, const CardHead& head);
/// The question on a line of its own above the first of several pictures; takes it from the top of `rest`.
/// A window of little height has it smaller.
void page_question(const Pen& pen, draw::Box& rest, const Question& question, float window_height);

/// Above the first picture: that the page shows something else than what is opened (Results::instead). On one
/// line where there is room; takes it from the top of `body`. Nothing where there are no words.
void instead_line(const Pen& pen, draw::Box& body, const std::string& words);

/// The top right corner of a card's contents, where its controls end.
inline draw::Point card_corner(draw::Box box) {
  return {box.right() - card_padding + 4, box.y + card_padding - 5};
}

/// One choice of a segmented control, or a button: its mark is Part::control with this set and name.
struct Choice {
  std::string label;
  std::string set;  // "field=value"; empty when the page that owns the control acts by name
  std::string name;
  bool on = false;
  std::string note;     // tooltip
  bool enabled = true;  // false: drawn pale, and only `note` is left of it, which says why
};

/// Choices side by side, the chosen ones filled with the accent; `top_right` is their corner. Returns the
/// box.
draw::Box segmented(const Pen& pen, draw::Point top_right, std::span<const Choice> choices);
float segmented_width(const Pen& pen, std::span<const Choice> choices);

/// A push button; `on` fills it.
draw::Box button(const Pen& pen, draw::Point top_right, const Choice& choice);
float button_width(const Pen& pen, const Choice& choice);

/// A colour bar in `bar` with three words on a line of 14 units below it: at its left end, in the middle, at
/// its right end.
struct ColourBar {
  draw::Colormap map = draw::Colormap::weight;
  std::string left = "0", middle, right = "1";
};
void colour_bar(const Pen& pen, draw::Box bar, const ColourBar& words);

/// A coloured square and what it means; returns the width taken. `middle_left`: half-way up, at the left end.
float legend(const Pen& pen, draw::Point middle_left, draw::Color color, std::string_view words);
float legend_width(const Pen& pen, std::string_view words);
/// The same for masked cells.
float masked_legend(const Pen& pen, draw::Point middle_left, std::string_view words = "masked");
/// The ground of masked cells.
void masked_area(const Pen& pen, draw::Box box);

/// An area with nothing to show yet: what to do, and a quieter second line.
void placeholder(const Pen& pen, draw::Box box, std::string_view title, std::string_view words);

/// A thin line along the top edge of a card while something is computed; `fraction` 0 … 1, negative draws
/// nothing.
void progress_line(const Pen& pen, draw::Box card_box, float fraction);

/// Words of a script that may run from right to left, so that what stands around them keeps its order:
/// between Unicode's isolates (UAX #9) when there is such a letter, else unchanged.
std::string isolated(std::string_view words);
/// The same in quotation marks: “cat”.
std::string in_quotes(std::string_view words);

/// A token as a label: white space and control characters made visible ("␣"), never empty.
std::string shown_token(std::string_view text);

}  // namespace headlight::views
