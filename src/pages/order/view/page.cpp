#include "pages/order/view/page.h"

#include <algorithm>
#include <cmath>

#include "draw/no_canvas.h"
#include "kit/columns.h"
#include "kit/no_results.h"
#include "kit/page_input.h"
#include "pages/order/order.h"
#include "pages/order/view/cards.h"

namespace headlight::views {

namespace {

constexpr float wide_from = 900, low_from = 560;
constexpr float edge = 8;  // above and below the cards

const scene::OrderResults* results_of(const PageInput& in) {
  const scene::OrderResults* r = in.own<scene::OrderResults>();
  return r && r->tokens > 0 && r->tokens <= static_cast<int>(in.results.tokens.size()) &&
                 in.results.attention.T > 0
             ? r
             : nullptr;
}

/// The height of the verdict's words and tables.
constexpr float verdict_height = 346;

float rows_height(int tokens, float window) {
  return std::clamp(24.f * static_cast<float>(tokens) + 140, 240.f, std::max(300.f, window * 0.62f));
}

/// Describes the opened pair in the maps of the parts; empty when its score is not split.
std::string parts_words(const OrderView& view, int query, int key) {
  const scene::OrderParts& parts = view.results.parts;
  if (query < 0 || key < 0 || query >= parts.tokens || key >= parts.tokens) return {};
  const bool divided = view.sheet.in.scene.order.divided;
  const bool masked = !may_read(view.sheet.trace(), query, key);
  std::string out = quoted_token(view.sheet.in, query) + " " + std::to_string(query) + " → " +
                    quoted_token(view.sheet.in, key) + " " + std::to_string(key) + " · head " +
                    std::to_string(view.head + 1) + (divided ? ", score" : ", q·k");
  const auto number = [&](const char* name) {
    return view.sheet.in.text(quantity(name, {{"head", view.head + 1}, {"query", query}, {"key", key}}));
  };
  for (int which = 0; which < parts.count; ++which)
    out += "\n" + std::string(part_names[which]) + "  " + number(part_quantities[which]) + "  " +
           part_words[which];
  return out + "\nsum " + number("order_sum") + (masked ? "\nmasked: not part of the softmax" : "");
}

/// Describes the number of an output row under the pointer.
std::string row_words(const OrderView& view, const draw::Hit& hit) {
  const draw::Mark& mark = hit.mark;
  const bool moved = mark.name == "moved row";
  const nn::Matrix& values = moved ? view.results.moved : view.results.original;
  int row = mark.query;
  if (moved) {
    const auto at = std::find(view.results.order.begin(), view.results.order.end(), mark.query);
    row = static_cast<int>(at - view.results.order.begin());
  }
  if (row < 0 || row >= values.rows() || mark.area.w <= 0 || values.cols() == 0) return {};
  const int col =
      std::clamp(static_cast<int>((hit.at.x - mark.area.x) / mark.area.w * static_cast<float>(values.cols())),
                 0, values.cols() - 1);
  return quoted_token(view.sheet.in, mark.query) +
         (moved ? " at position " : " in the original order, position ") + std::to_string(row) + "\noutput " +
         std::to_string(col) + ": " + fixed(static_cast<double>(values.at(row, col)), 4) +
         "\nlargest difference of its row: " +
         view.sheet.in.text(quantity(
             "order_row", {{"position", static_cast<int>(std::find(view.results.order.begin(),
                                                                   view.results.order.end(), mark.query) -
                                                         view.results.order.begin())}}));
}

/// In a window wide enough for two cards, unless a lesson shows one of them alone: the order and the rows are
/// one card, as large as the window allows. The verdict is a strip below it, or beside the parts. Returns the
/// lower edge of the last row.
float in_rows(const OrderView& view, Box rest, Box area, int lines) {
  constexpr float strip = 190, least_strip_rows = 400, least_rows = 430, least_alone = 190;
  const scene::OrderResults& r = view.results;
  const auto next = [&](float height) { return take_top(rest, height); };
  const float left = area.bottom() - edge - rest.y;
  const float order = token_order_card(view, rest, lines, false, true);
  const float least_parts = r.parts.mixed ? 200.f : r.parts.count > 4 ? 343.f : 322.f;
  const float least = std::max(least_parts, verdict_height);
  const float whole = left + edge - card_gap;  // for two rows, below which a screen has a gap
  // In a large window the rows have most of it, and the parts a screen of their own.
  const bool large = rest.w >= columns_from - 2 * card_gap;
  const bool all = !large && whole - card_gap - least >= order + least_rows;  // on one screen
  const bool below = !all && whole - card_gap - strip >= order + least_strip_rows;
  // The maps of the parts get what the rows do not need, as far as the rows remain the largest picture.
  constexpr float most_parts = 0.37f;
  const float rows = order + rows_height(r.tokens, area.h);
  const float second = all ? std::max(least, std::min(most_parts * whole, whole - card_gap - rows)) : left;
  order_rows_card(view,
                  next(all     ? whole - card_gap - second
                       : below ? whole - card_gap - strip
                               : std::max(left, order + least_alone)),
                  lines, order);
  if (below) {
    order_verdict_card(view, next(strip), true);
    order_parts_card(view, next(left), 4);
    return rest.y - card_gap;
  }
  Box row = next(second);
  order_verdict_card(view, take_left(row, std::clamp(row.w * 0.3f, 330.f, 520.f)));
  order_parts_card(view, row, 4);
  return rest.y - card_gap;
}

/// On paper, on a slide, and where a lesson shows one card alone, of a page this wide: the rows beside the
/// verdict, below the order's own card, and the parts below them. `positions` is the height of the order.
/// Returns the lower edge of the last row.
float in_own_cards(const OrderView& view, Box rest, Box area, float positions) {
  const scene::OrderResults& r = view.results;
  const float left = area.y + area.h - edge - rest.y - card_gap;  // for two rows of cards
  // On a low page the upper row is as high as the page, and the verdict omits its last lines.
  constexpr float least_upper = 270;
  float upper = std::max(rows_height(r.tokens, area.h), verdict_height - 20);
  if (left >= least_upper) upper = std::min(upper, left);
  float first = std::min(upper, std::max(verdict_height - 20, left * 0.5f));
  const float least = r.parts.mixed ? 200.f : r.parts.count > 4 ? 343.f : 322.f;
  if (left - first < least) first = upper;
  // The width limits the height of four square maps side by side; the rows take the rest.
  const float most_maps = 0.42f * left;  // the rows are the main picture
  const float of_maps =
      std::max(least, std::min(most_maps, (r.parts.count > 4 ? 0.16f : 0.2f) * rest.w + 140));
  float second = r.parts.mixed ? least : std::clamp(left - first, least, std::min(900.f, of_maps));
  // On a slide the card is alone, as high as its picture.
  constexpr float least_shape = 0.36f, most_shape = 0.53f;
  if (on_slide(view.pen()) && !r.parts.mixed)
    second = std::max(second, std::clamp(area.h - 2 * edge, least_shape * rest.w, most_shape * rest.w));
  // One token has one row. The verdict's words set its height, and the maps take the rest.
  constexpr float of_one_token = 300;
  const bool one = r.tokens == 1 && !r.parts.mixed && left - of_one_token >= least;
  if (one) first = of_one_token, second = left - first;
  const float most =
      std::max(upper, 84.f * static_cast<float>(r.tokens) + 150);  // the largest height of the rows
  constexpr float maps_grow = 1.25f;                               // for square maps, which the width limits
  const bool apart = least > most_maps && !one;  // the rows have the first screen to themselves
  const float shown = one ? first : std::max(first, apart ? left : left - second);
  float heights[] = {positions, first_row(left + card_gap, shown, second, most), second};
  if (!r.parts.mixed) fill_screens(view.pen(), heights, area.h - 2 * edge, 0, maps_grow);
  Box row = take_top(rest, heights[1]);
  Box verdict = row.cut_right(std::clamp(row.w * 0.3f, 330.f, 520.f));
  row.cut_right(card_gap);
  order_rows_card(view, row);
  order_verdict_card(view, verdict);
  order_parts_card(view, take_top(rest, heights[2]), 4);
  return rest.y - card_gap;
}

}  // namespace

std::string order_question(const PageInput&) {
  return "What changes when the tokens are permuted?";
}

float order_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  const Pen pen{canvas, in.theme, in.hover};
  const scene::OrderResults* results = results_of(in);
  if (!results) {
    const scene::OrderResults* failed = in.own<scene::OrderResults>();
    return no_results(pen, area, failed ? failed->problem : "", !in.results.tokens.empty(),
                      {.failed = "The model cannot be run",
                       .computing = "The layer is being computed",
                       .appears = "it appears here when it is done",
                       .sentence = "then permute its tokens"});
  }
  const Selection selection = select(in);
  const Sheet sheet{pen, in, selection};
  const OrderView view(sheet, *results);
  const float margin = area.w < 700 ? 10.f : 16.f;
  Box rest{area.x + margin, area.y + edge, area.w - 2 * margin, 1e6f};
  const auto next = [&](float height) { return take_top(rest, height); };
  // In a low window the rows are more important than more chips; a slide and paper have room.
  const int lines = on_slide(pen) ? 10 : pen.canvas.plain() ? 5 : area.h < low_from ? 1 : 3;
  if (rest.w >= wide_from && !pen.canvas.plain() && !in.alone) {
    const float bottom = in_rows(view, rest, area, lines);
    order_dragged_token(view);
    return std::max(area.h, bottom + edge - area.y);
  }
  const float positions = token_order_card(view, {rest.x, rest.y, rest.w, 0}, lines, false);
  token_order_card(view, next(positions), lines, true);
  if (rest.w >= wide_from) {
    rest.y = in_own_cards(view, rest, area, positions) + card_gap;
  } else {
    // Alone on the stage of a lesson the rows have its height, not what the tokens leave of it.
    const float on_view = in.alone ? area.h - 2 * edge : area.y + area.h - edge - rest.y;
    const float verdict = rest.w > 560 ? verdict_height - 26 : verdict_height + 20;
    const float rows_high =
        hero_height(pen, on_view, rows_height(results->tokens, std::max(area.h, 500.f)), 190);
    // Where the verdict does not fit below them, the rows have the rest of the screen.
    order_rows_card(
        view, next(pen.canvas.plain() || in.alone ? rows_high : first_row(on_view, rows_high, verdict)));
    order_verdict_card(view, next(verdict));
    const bool beside = rest.w >= parts_beside_from;
    const float rows = results->parts.count > 4 ? 3.f : 2.f;
    order_parts_card(view,
                     next(results->parts.mixed ? 240.f
                          : beside             ? std::max(440.f, rest.w * 0.3f * rows + rows * 50 + 124)
                          : rows > 2           ? rest.w * 1.35f + 441 + shares_room(view)
                                     : std::min(rest.w * 0.9f + 420, std::max(rest.w * 0.9f + 288, 800.f)) +
                                           shares_room(view)),
                     2);
  }
  order_dragged_token(view);
  return std::max(area.h, rest.y - card_gap + edge - area.y);
}

std::string order_tooltip(const PageInput& in, const draw::Hit& hit) {
  const draw::Mark& mark = hit.mark;
  if (!mark.note.empty() && mark.part != Part::cell) return mark.note;
  const scene::OrderResults* results = results_of(in);
  if (!results) return mark.note;
  const Selection selection = select(in);
  draw::NoCanvas unused;  // only text is produced here
  const Sheet sheet{Pen{unused, in.theme, in.hover}, in, selection};
  const OrderView view(sheet, *results);
  if (const std::string shuffled = shuffled_cell_words(view, mark); !shuffled.empty()) return shuffled;
  if (!mark.note.empty()) return mark.note;
  switch (mark.part) {
    case Part::cell:
      return parts_words(view, mark.query, mark.key);
    case Part::query_token:
      if (mark.name == "row" || mark.name == "moved row") return row_words(view, hit);
      return quoted_token(in, mark.query) + ", query " + std::to_string(mark.query) +
             unknown_words(in, mark.query) + "\nclick: follow it";
    case Part::key_token:
      return quoted_token(in, mark.key) + ", key " + std::to_string(mark.key) + unknown_words(in, mark.key) +
             "\nclick: open its score";
    default:
      return {};
  }
}

std::string order_words(const PageInput& in) {
  const scene::OrderResults* r = results_of(in);
  if (!r) return {};
  if (r->identity) return "original order";
  return "max |A(πX) − πA(X)| = " + change_text(in, "order_difference") + " in float32" +
         (r->has_double ? ", " + change_text(in, "order_difference_double") + " in double" : "");
}

std::pair<int, int> order_marked(const PageInput& in, std::string_view card) {
  const scene::OrderResults* r = results_of(in);
  if (!r) return {-1, -1};
  const Selection selection = select(in);
  const int computed = card == "parts" ? r->parts.tokens : r->tokens;
  const auto there = [computed](int token) { return token < computed ? token : -1; };
  return {there(selection.detail_query), there(selection.key)};
}

std::string order_finding(const PageInput& in, std::string_view card) {
  const scene::OrderResults* r = results_of(in);
  if (!r) return {};
  if (card == "parts") {
    const Selection selection = select(in);
    draw::NoCanvas unused;
    const Sheet sheet{Pen{unused, in.theme, in.hover}, in, selection};
    const OrderView view(sheet, *r);
    if (r->parts.mixed) return "Content and position cannot be told apart here";
    if (view.query < 0) return {};
    if (view.query >= r->parts.tokens || view.key >= r->parts.tokens)
      return "The parts of the scores are computed for the first " + std::to_string(r->parts.tokens) +
             " tokens";
    const auto part = [&](const char* name) {
      return in.text(quantity(name, {{"head", view.head + 1}, {"query", view.query}, {"key", view.key}}));
    };
    return "The score of " + token_in_words(in, view.query) + " and " + key_in_words(in, view.key) +
           " has a part of " + part("order_xx") + " from content alone and of " + part("order_pp") +
           " from position alone";
  }
  if (r->identity) return "The tokens are in their original order";
  const std::string single = change_text(in, "order_difference"),
                    twice = change_text(in, "order_difference_double");
  return "The output of a token changes by up to " + single +
         (!r->has_double || single == twice ? "" : " in float32 and " + twice + " in double");
}

}  // namespace headlight::views
