// The cards of the Order page. Each draws into its box; the page decides where. Tested in
// tests/views/order_page_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/choices.h"
#include "kit/selection.h"
#include "kit/verdict.h"
#include "pages/order/order.h"

namespace headlight::views {

/// What every card of the page is drawn from, held to what the results have.
struct OrderView {
  const Sheet& sheet;
  const scene::OrderResults& results;
  int head = 0;              // 0-based, of the parts of the score
  int query = -1, key = -1;  // the opened pair: tokens as typed; −1: none

  OrderView(const Sheet& with, const scene::OrderResults& of);

  const Pen& pen() const { return sheet.pen; }
  const draw::Theme& theme() const { return sheet.theme(); }
  draw::Canvas& canvas() const { return sheet.pen.canvas; }
  /// Did every row travel with its token, up to rounding? Double, where there is, tells a small difference
  /// from the rounding of float32.
  bool same() const {
    return results.float32.output <= 1e-5 * results.float32.largest &&
           (!results.has_double || results.float64.output <= 1e-11 * results.float64.largest);
  }
  /// As computed: which positions were added, and whether any part of them can matter.
  bool positions_on() const;
  /// Do tokens differ by a position, one that is added or one that the model's scores have?
  bool places_matter() const { return positions_on() || results.relative_positions; }
  /// 0 … n − 1.
  std::vector<int> typed() const;
  /// “the mat sat on the cat”: the tokens permuted.
  std::string sentence(const std::vector<int>& order) const;
};

/// A token's mark and line: seven series colours, without the one that is near the query's. The next seven
/// tokens have the same colours with a square and a dashed line, and so on in turn.
inline constexpr int token_colors = 7;
draw::Color token_color(const draw::Theme& theme, int token);
constexpr bool second_round(int token) {
  return token / token_colors % 2 == 1;
}

/// What the rows did, in a few words and in one or two sentences. Words follow the numbers only.
struct OrderVerdict {
  Verdict sign = Verdict::open;
  std::string title, words;
};
OrderVerdict order_verdict(const OrderView& view);

/// What depends on position in the layers that were computed: "positions", "a mask". Empty: nothing does.
std::vector<std::string> position_causes(const PageInput& in, const scene::OrderResults& results);

/// The parts of a score in the order of OrderParts: "xx", "content → content".
inline constexpr const char* part_names[scene::OrderParts::most] = {"xx", "xp", "px", "pp", "R"};
inline constexpr const char* part_quantities[scene::OrderParts::most] = {"order_xx", "order_xp", "order_px",
                                                                         "order_pp", "order_rotation"};
inline constexpr const char* part_words[scene::OrderParts::most] = {
    "content · content", "content · position", "position · content", "position · position",
    "rotation by j − i"};

/// The positions with their tokens in at most `lines` lines, and ways to another order. Returns the height it
/// takes at this width.
float token_order_card(const OrderView& view, draw::Box box, int lines, bool draw);
/// The token that is being dragged, under the pointer and over everything; nothing when none is.
void order_dragged_token(const OrderView& view);
/// Output rows of both orders, joined by lines.
void order_rows_card(const OrderView& view, draw::Box box);
/// Residuals, verdict, and what is left of a sentence that is a bag of words.
void order_verdict_card(const OrderView& view, draw::Box box);
/// The maps of the parts and the opened score. `columns`: 4 = all maps side by side, 2 = two; from this width
/// on the opened score is right of the two columns, else below them.
inline constexpr float parts_beside_from = 620;
void order_parts_card(const OrderView& view, draw::Box box, int columns);

}  // namespace headlight::views
