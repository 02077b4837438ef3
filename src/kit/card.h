// The parts of every panel on every page: the card with its title, the segmented control, the button, the
// colour bar and the legend. Sizes are in logical units. Tested in tests/views/attention_card_test.cpp.
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

// Short names of the drawing types that every view uses.
using draw::Align;
using draw::Box;
using draw::Color;
using draw::Mark;
using draw::Part;
using draw::Point;
using draw::Stroke;
using draw::TextStyle;

inline constexpr float card_gap = 16;      // between cards, and from a card to the edge of the page
inline constexpr float card_padding = 14;  // from the outline of a card to its contents
inline constexpr float card_radius = 12;
inline constexpr float control_height = 26;
inline constexpr float title_size = 14, word_size = 12, small_size = 12;  // em

/// What nearly every drawing function needs. It is made once per page and passed by reference.
struct Pen {
  draw::Canvas& canvas;
  const draw::Theme& theme;
  const draw::Hit* hover = nullptr;  // under the pointer; null = nothing
  /// Is the control with this name under the pointer?
  bool over(std::string_view control_name) const {
    return hover && (hover->mark.part == draw::Part::control || hover->mark.part == draw::Part::text) &&
           hover->mark.name == control_name;
  }
};

/// Is a single card shown, enlarged as a slide? Its text then has a minimum size.
inline bool on_slide(const Pen& pen) {
  return pen.canvas.least_text() > 0;
}

/// Returns `words` in a window, and nothing on a slide or on paper, where a card cannot be operated.
inline std::string in_window(const Pen& pen, const char* words) {
  return pen.canvas.plain() ? std::string() : words;
}

/// Are notes and hints drawn? A figure can leave them out.
inline bool with_hints(const Pen& pen) {
  return pen.canvas.parts().hints;
}
inline std::string hint(const Pen& pen, std::string words) {
  return with_hints(pen) ? std::move(words) : std::string();
}
/// The same for lines that take `height` of a card: without them the card becomes lower, and its picture
/// keeps its height.
inline bool with_hints(const Pen& pen, float height) {
  if (!with_hints(pen)) pen.canvas.saved(height);
  return with_hints(pen);
}
/// Is the selection marked? A figure can leave the marks out.
inline bool marks_selection(const Pen& pen) {
  return pen.canvas.parts().selection;
}

/// Text styles of the pages. Text is aligned left and middle unless that is changed.
draw::TextStyle words_style(draw::Color color, float size = word_size);
draw::TextStyle strong_style(draw::Color color, float size = title_size);
draw::TextStyle mono_style(draw::Color color, float size = word_size);
draw::TextStyle aligned(draw::TextStyle style, draw::Align align);
/// The style for a token: an underscore in it does not start an index.
draw::TextStyle literal(draw::TextStyle style);

/// Returns the distance from one line of text to the next: `line`, or more where small text is enlarged.
float text_line(const Pen& pen, float line);

/// Writes `words` at `at`, shortened to `width` with an ellipsis. Writes nothing when not even one character
/// fits. A number is never shortened: it becomes smaller, and is left out when that is not enough. Returns
/// the width of what it wrote.
float put(const Pen& pen, draw::Point at, std::string_view words, const draw::TextStyle& style,
          float width = 1e9f);

/// Returns the style in which put() writes each of these words into `width`, so that all have one size. Only
/// on paper and on slides does it differ from `style`.
draw::TextStyle fitting_style(const Pen& pen, std::span<const std::string> words, draw::TextStyle style,
                              float width);

/// Breaks `words` at spaces into at most `lines` lines of `width` units. The last line may be too long.
std::vector<std::string> wrap(const Pen& pen, std::string_view words, const draw::TextStyle& style,
                              float width, std::size_t lines);

struct CardHead {
  std::string title;
  std::string subtitle;  // dimmed, on one or two lines below the title; empty: none
  float controls = 0;  // width kept free at the right of the title, for controls that the caller draws there
  std::string called = {};  // in lists of cards, where the caller draws the title
};

/// Draws the panel, its outline and its title. Returns the area for the contents, inside the padding and
/// below the title. Figures refer to the card by `name`, which does not change with the title. Without a name
/// it is derived from the title.
draw::Box card(const Pen& pen, draw::Box box, const CardHead& head, std::string_view name = {});

/// Draws what card() writes above the contents and cuts it from the top of `inside`: for a part of a card
/// that has a title of its own.
void card_head(const Pen& pen, draw::Box& inside, const CardHead& head);
/// The same for a part that is a card by itself in other layouts: `box` is the part as a panel of that name.
draw::Box card_part(const Pen& pen, draw::Box box, const CardHead& head, std::string_view name);

/// Returns the height of the first row of cards on a page that is `room` high. It is `wanted` when the rest,
/// at least `below` high, fits beneath it. Otherwise the rest gets a screen of its own, and the row takes all
/// of the room: up to `most`, but never less than `wanted`.
float first_row(float room, float wanted, float below, float most = 1e6f);

/// Enlarges rows of cards so that they fill their screens (ui/page_screens.h). `rows` has the heights that
/// the rows need, from the top of the page. The first screen is unchanged; rows of later screens grow by at
/// most the factor `most`. `room` is the height of a screen; on later screens the page's question takes
/// `question` of it. Nothing changes on paper, on a slide, or when the page fits its window.
void fill_screens(const Pen& pen, std::span<float> rows, float room, float question = 0, float most = 2);

/// Returns the height of the first card in a column: `wanted`, or in a low window the height on view, but at
/// least `least`. On paper and on a slide there is no window.
inline float hero_height(const Pen& pen, float on_view, float wanted, float least) {
  return pen.canvas.plain() ? wanted : std::clamp(on_view, least, std::max(least, wanted));
}

/// The question that a page answers. Words in quotation marks may have a colour of their own, such as the
/// query's.
struct Question {
  std::string words;
  draw::Color quoted{0, 0, 0, 0};  // transparent: like the rest
  bool compact = false;            // PageInput::compact
  std::size_t most_lines = 2;      // in a card too narrow for two; more take room from its picture
};
/// Returns its size in a card or a page of this height, with `width` for its words: 28, and 18 in a compact
/// window. Words that do not fit on two lines are 18, too. On paper the size depends on the card alone.
float question_size(const Pen& pen, const Question& question, float width, float height);
/// Draws the card of a page's first picture. Its title is the question. The title of `head` is not used.
draw::Box hero_card(const Pen& pen, draw::Box box, const Question& question, const CardHead& head,
                    std::string_view name = {});
/// Returns the height that the question takes in that card.
float question_height(const Pen& pen, draw::Box box, const Question& question, const CardHead& head);
/// Writes the question above the first of several pictures and cuts its room from the top of `rest`.
void page_question(const Pen& pen, draw::Box& rest, const Question& question, float window_height);

/// Writes above the first picture that the page does not show what was opened (Results::instead). It uses as
/// few lines as possible and cuts them from the top of `body`. Draws nothing without words.
void instead_line(const Pen& pen, draw::Box& body, const std::string& words);

/// The top right corner of a card's controls.
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
  bool enabled = true;  // false: drawn pale, without effect; `note` says why
  int item = -1;        // the head that it chooses, counted from 0
};

/// Draws choices side by side, left of `top_right`, and highlights the chosen ones. Returns the box of the
/// control.
draw::Box segmented(const Pen& pen, draw::Point top_right, std::span<const Choice> choices);
float segmented_width(const Pen& pen, std::span<const Choice> choices);

/// A push button; `on` fills it.
draw::Box button(const Pen& pen, draw::Point top_right, const Choice& choice);
float button_width(const Pen& pen, const Choice& choice);

/// The map of a colour bar, and the three words below it: at its left end, in the middle, at its right end.
/// Their line is 14 units high.
struct ColorBar {
  draw::Colormap map = draw::Colormap::weight;
  std::string left = "0", middle, right = "1";
  std::string short_middle = {};  // written below a narrow bar instead of `middle`
};
void color_bar(const Pen& pen, draw::Box bar, const ColorBar& words);
/// The same in one low row, with the words of its ends beside the bar and none in its middle; returns the
/// box of the bar.
draw::Box low_color_bar(const Pen& pen, draw::Box row, const ColorBar& words);

/// Draws a coloured square and its meaning; returns the width taken. `middle_left` is the middle of the left
/// edge.
float legend(const Pen& pen, draw::Point middle_left, draw::Color color, std::string_view words);
float legend_width(const Pen& pen, std::string_view words);
/// The same for masked cells.
float masked_legend(const Pen& pen, draw::Point middle_left, std::string_view words = "masked");
/// Draws the background of masked cells.
void masked_area(const Pen& pen, draw::Box box);

/// Fills an area that has nothing to show yet: says what to do, and adds a dimmed second line.
void placeholder(const Pen& pen, draw::Box box, std::string_view title, std::string_view words);

/// Draws a thin line along the top edge of a card while something is computed. `fraction` is 0 … 1; a
/// negative one draws nothing.
void progress_line(const Pen& pen, draw::Box card_box, float fraction);

/// Puts words with a right-to-left letter between Unicode isolates (UAX #9), so that the text around them
/// keeps its order. Returns other words unchanged.
std::string isolated(std::string_view words);
/// The same in quotation marks: “cat”.
std::string in_quotes(std::string_view words);

/// Returns a token as a label: white space and control characters become visible ("␣"), and it is never
/// empty.
std::string shown_token(std::string_view text);

}  // namespace headlight::views
