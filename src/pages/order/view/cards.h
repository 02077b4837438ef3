// The cards of the Order page. Each draws into its box; the page places the boxes. Tested in
// tests/views/order_page_test.cpp and order_parts_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/choices.h"
#include "kit/selection.h"
#include "kit/verdict.h"
#include "pages/order/order.h"

namespace headlight::views {

/// The input of every card of the page, limited to what the results have.
struct OrderView {
  const Sheet& sheet;
  const scene::OrderResults& results;
  int head = 0;              // 0-based, whose parts of the score are shown
  int query = -1, key = -1;  // the opened pair: tokens as typed; −1: none

  OrderView(const Sheet& with, const scene::OrderResults& of);

  const Pen& pen() const { return sheet.pen; }
  const draw::Theme& theme() const { return sheet.theme(); }
  draw::Canvas& canvas() const { return sheet.pen.canvas; }
  /// Did every row move with its token, up to rounding? Double precision, if computed, distinguishes a small
  /// difference from float32 rounding.
  bool same() const {
    return results.float32.output <= 1e-5 * results.float32.largest &&
           (!results.has_double || results.float64.output <= 1e-11 * results.float64.largest);
  }
  /// Were positions added in the computed scene, and can they have an effect?
  bool positions_on() const;
  /// Do tokens depend on their position, either added or part of the model's scores?
  bool places_matter() const { return positions_on() || results.relative_positions; }
  /// Returns 0 … n − 1, the order as typed.
  std::vector<int> typed() const;
  /// Returns the tokens in this order: “the mat sat on the cat”.
  std::string sentence(const std::vector<int>& order) const;
};

/// The colour of a token's mark and line: one of seven series colours, without the one that is near the
/// query's. The next seven tokens have the same colours with a square and a dashed line, and so on.
inline constexpr int token_colors = 7;
draw::Color token_color(const draw::Theme& theme, int token);
constexpr bool second_round(int token) {
  return token / token_colors % 2 == 1;
}

/// What happened to the rows, in a few words and in one or two sentences. The words depend only on the
/// numbers.
struct OrderVerdict {
  Verdict sign = Verdict::open;
  std::string title, words;
};
OrderVerdict order_verdict(const OrderView& view);
/// "“gave” and “bone” are the same unknown token to this model …", of tokens that the order exchanges; empty:
/// there are none.
std::string same_unknown_words(const OrderView& view);

/// Returns what depends on position in the computed layers: "positions", "a mask". Empty: nothing.
std::vector<std::string> position_causes(const PageInput& in, const scene::OrderResults& results);
/// A difference as the column of all rows has it, with three decimals; a rounding error keeps its digits.
std::string change_text(const PageInput& in, const std::string& quantity);

/// The parts of a score in the order of OrderParts: "xx", "content → content".
inline constexpr const char* part_names[scene::OrderParts::most] = {"xx", "xp", "px", "pp", "R"};
inline constexpr const char* part_quantities[scene::OrderParts::most] = {"order_xx", "order_xp", "order_px",
                                                                         "order_pp", "order_rotation"};
inline constexpr const char* part_words[scene::OrderParts::most] = {
    "content · content", "content · position", "position · content", "position · position",
    "rotation by j − i"};

/// Draws the positions with their tokens in at most `lines` lines, and buttons for other orders. Returns its
/// height at this width. `part`: it is a part of the card of the rows.
float token_order_card(const OrderView& view, draw::Box box, int lines, bool draw, bool part = false);
/// Draws the token that is being dragged, under the pointer and above everything else, if there is one.
void order_dragged_token(const OrderView& view);
/// The largest height of a row in the large card, which even one or two tokens fill.
inline constexpr float order_most_pitch = 200;
/// Draws the output rows of both orders, joined by lines. The positions are a part of the card, in at most
/// `lines` lines and `above` units above the rows; 0: they have a card of their own.
void order_rows_card(const OrderView& view, draw::Box box, int lines = 0, float above = 0);
/// Draws the residuals, the verdict, and the sentence as a bag of words.
/// `strip`: words, numbers and counts beside each other.
void order_verdict_card(const OrderView& view, draw::Box box, bool strip = false);
/// The mark of the shares of every head, or of the head’s own where there is no room for them.
inline constexpr const char* shares_by_head_name = "shares by head";
/// The numbers of the parts, in all their places: of the opened pair, of every head, at the foot.
inline constexpr const char* parts_area = "numbers of the parts";
/// Numbers of every head beside the maps: the shares of the parts; and what shuffled weights make of them.
/// What has no room is left out: false, the shares have none.
bool shares_by_head(const OrderView& view, draw::Box inside);
bool shuffled_by_head(const OrderView& view, draw::Box inside);
/// Writes the shares that the shown head has with shuffled weights at the right of the foot, if they fit.
void shuffled_shares_line(const OrderView& view, draw::Box foot);
/// Writes each part's share of the variance of the head's scores, right of the colour bar if there is room.
/// The tooltip explains it and has the same with shuffled projections; `shuffled_below` writes those below
/// the others. `by_head`: the shares of every head are elsewhere. False: these have no room here.
bool shares_line(const OrderView& view, draw::Box foot, bool shuffled_below, bool by_head);
/// The height that the shares of few heads take below the opened score.
float shares_room(const OrderView& view);
/// Draws the maps of the parts and the opened score. `columns`: 4 = all maps side by side, 2 = two. From
/// parts_beside_from on, the opened score is right of two columns, else below them.
inline constexpr float parts_beside_from = 620;
void order_parts_card(const OrderView& view, draw::Box box, int columns);
/// A cell of the maps with shuffled weights, with its number; empty: it is no such cell.
std::string shuffled_cell_words(const OrderView& view, const draw::Mark& mark);

}  // namespace headlight::views
