#include "pages/attention/view/page.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "kit/columns.h"
#include "kit/no_results.h"
#include "kit/page_input.h"
#include "kit/selection.h"
#include "kit/words.h"
#include "pages/attention/view/bars_panel.h"
#include "pages/attention/view/below.h"
#include "pages/attention/view/cell_panel.h"
#include "pages/attention/view/heads_panel.h"
#include "pages/attention/view/map_panel.h"
#include "pages/attention/view/map_words.h"
#include "pages/attention/view/preview_page.h"
#include "scene/preview.h"

namespace headlight::views {

namespace {

constexpr float side_by_side_from = 900;  // narrower pages stack their panels
/// Has the page room for the map and its column, which the settings panel may have taken?
bool is_wide(Box area, const PageInput& in) {
  return area.w + (in.column ? 0 : picture_column(area.w) + card_gap) >= side_by_side_from;
}
constexpr float least_height = 500;     // of panels side by side; a lower page scrolls
constexpr float roomy_cell_from = 760;  // below this, the opened cell is compact

/// Returns the height of the card of heads on a page that is `room` high.
float heads_height(const Sheet& sheet, float width, float room) {
  constexpr float least_many = 180;
  const float wanted = heads_height(sheet, width);
  if (on_slide(sheet.pen)) return heads_on_slide(sheet, width, room);
  return sheet.trace().heads <= 8 ? wanted : std::max(least_many, wanted);
}

/// Cards that are beside the map or below it.
struct Cards {
  bool heads = false, bars = false, cell = false;
};

constexpr float one_bar_height = 200;

/// Has the map one cell, whose weight is always 1?
bool one_token(const Sheet& sheet) {
  return sheet.trace().T == 1 && sheet.trace().S == 1;
}

/// The cards that show something; on paper the others are left out, since nobody can pin a query there.
Cards shown_cards(const Sheet& sheet) {
  const bool all = !on_paper(sheet.pen);
  return {true, all || !sheet.selection.queries.empty(), all || sheet.in.cell != nullptr};
}

/// Draws the map and, at its right, the column of heads, bars and cell. Returns the cards that had no room
/// there.
Cards side_by_side(const Sheet& sheet, Box area) {
  const Cards shown = shown_cards(sheet);
  if (!sheet.in.column) {
    draw_map_panel(sheet, area, false);
    return shown;
  }
  Box right = area.cut_right(picture_column(area.w));
  area.cut_right(card_gap);
  if (!shown.cell) {
    const bool alone = !shown.bars;
    draw_heads(sheet, alone ? right : right.cut_top(heads_height(sheet, right.w, right.h)));
    draw_map_panel(sheet, area, true);
    right.cut_top(card_gap);
    if (!alone) draw_bars(sheet, right);
    return {};
  }
  const float bars = bars_height(sheet), compact = cell_height(sheet, CellLook::compact),
              tall = cell_height(sheet, CellLook::tall);
  // Many heads take what the other cards leave, so that each can be named.
  constexpr float least_heads = 140;
  const float wanted = heads_height(sheet, right.w), least = std::min(least_heads, wanted);
  float heads = 0;
  for (const float enough : {wanted, least}) {
    for (const float others : {bars + card_gap + tall, bars + card_gap + compact, compact, bars, 0.f}) {
      const float room = right.h - card_gap - others;
      // Names and entropies are no reason to leave out a card.
      const bool leaves_out = enough == wanted && others < bars + card_gap + compact;
      if (heads == 0 && room >= enough && !leaves_out) heads = std::min(room, wanted);
    }
  }
  heads = std::max(heads, least);
  draw_heads(sheet, right.cut_top(heads));
  right.cut_top(card_gap);
  draw_map_panel(sheet, area, true);
  const bool roomy = area.h >= roomy_cell_from && bars + card_gap + tall <= right.h;
  if (bars + card_gap + compact <= right.h) {
    const float end = right.bottom();
    Box opened = right.cut_bottom(roomy ? tall : compact);
    right.cut_bottom(card_gap);
    // No empty card, nor one with an empty half.
    right.h = std::min(
        right.h, one_token(sheet) ? std::max(bars, one_bar_height) : std::max(bars, most_bars_height(sheet)));
    opened.y = right.bottom() + card_gap, opened.h = end - opened.y;  // as far down as the map
    draw_bars(sheet, right);
    draw_cell(sheet, opened, roomy ? CellLook::tall : CellLook::compact);
    return {};
  }
  // Several stacked queries are for comparison; for one query, the arithmetic of its cell is more important.
  if (sheet.selection.queries.size() > 1 && bars <= right.h) {
    draw_bars(sheet, right);
    return {.cell = true};
  }
  if (compact > right.h) return {.bars = true, .cell = true};
  draw_cell(sheet, right, tall <= right.h ? CellLook::tall : CellLook::compact);
  return {.bars = true};
}

/// Draws the panels one below the other. Returns the height used.
float stacked(const Sheet& sheet, Box area) {
  // The map comes first and is fully visible, but a low window scrolls instead of dropping the map's labels.
  const float on_screen = std::max(area.h, 300.f);
  const float top = area.y;
  auto panel = [&](float height) {
    const Box box{area.x, area.y, area.w, height};
    area.y += height + card_gap;
    return box;
  };
  const float map =
      std::clamp(std::min(area.w * 0.85f, on_screen), 300.f, 560.f) + map_words_printed(sheet, area.w);
  const float heads = heads_height(sheet, area.w, area.h);
  const bool on_one_screen = map + card_gap + heads <= area.h;  // with the choice of a head
  draw_map_panel(sheet, panel(map), on_one_screen);
  draw_heads(sheet, panel(heads));
  const Cards shown = shown_cards(sheet);
  if (shown.bars) draw_bars(sheet, panel(std::max(240.f, bars_height(sheet))));
  const CellLook look = area.w >= wide_cell_from ? CellLook::wide : CellLook::compact;
  if (shown.cell) draw_cell(sheet, panel(cell_height(sheet, look)), look);
  return area.y - card_gap - top;
}

/// A row below the map: its height and how to draw it.
struct LowerRow {
  float height = 0;
  std::function<void(Box)> draw;
};

/// Adds the cards that the column had no room for, each as wide as the page.
void add_left_over(std::vector<LowerRow>& rows, const Sheet& sheet, Box page, Cards left) {
  const float width = page.w;
  if (left.heads)
    rows.push_back({heads_height(sheet, width, page.h), [&](Box box) { draw_heads(sheet, box); }});
  constexpr float least_bars = 240, of_slide = 0.38f;  // on a slide the card is alone, with this shape
  const float bars = std::max({least_bars, bars_height(sheet), on_slide(sheet.pen) ? of_slide * width : 0.f});
  if (left.bars) rows.push_back({bars, [&](Box box) { draw_bars(sheet, box); }});
  const CellLook look = width >= wide_cell_from ? CellLook::wide : CellLook::compact;
  if (left.cell)
    rows.push_back({cell_height(sheet, look), [&sheet, look](Box box) { draw_cell(sheet, box, look); }});
}

/// Adds the matrices and the kernels below them.
void add_matrices(std::vector<LowerRow>& rows, const Sheet& sheet, float width) {
  const bool open = sheet.in.scene.attention.matrix != scene::LayerMatrix::none;
  const float high = open ? 520.f : 400.f;
  if (width >= side_by_side_from) {
    rows.push_back({high, [&](Box box) {
                      draw_matrices(sheet, box.cut_left(std::round((box.w - card_gap) * 0.58f)));
                      box.cut_left(card_gap);
                      draw_kernels(sheet, box);
                    }});
    return;
  }
  rows.push_back({width < 560 && !open ? 620.f : high, [&](Box box) { draw_matrices(sheet, box); }});
  rows.push_back({380, [&](Box box) { draw_kernels(sheet, box); }});
}

/// Draws the rows below the first `used` units of the page, for a window `room` high. Returns the total
/// height.
float draw_rows(const Sheet& sheet, Box page, float used, float room, std::span<const LowerRow> rows) {
  std::vector<float> heights{used};
  for (const LowerRow& row : rows) heights.push_back(row.height);
  // In a large window the matrices fill a screen alone.
  const float most = page.w >= columns_from - 2 * card_gap ? 4.f : 2.f;
  fill_screens(sheet.pen, heights, room, sheet.in.question_above, most);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    used += card_gap;
    rows[i].draw({page.x, page.y + used, page.w, heights[i + 1]});
    used += heights[i + 1];
  }
  return used;
}

}  // namespace

std::string attention_question(const PageInput& in) {
  if (in.preview) {
    const bool known =
        in.preview->query >= 0 && in.preview->query < static_cast<int>(in.preview->tokens.size());
    return known ? "What does " + quoted_token(in, in.preview->query) + " attend to?" : open_question;
  }
  const Selection selection = select(in);
  if (selection.detail_query < 0) return open_question;
  if (selection.queries.size() == 2)
    return "What do " + token_in_words(in, selection.queries[0]) + " and " +
           token_in_words(in, selection.queries[1]) + " attend to?";
  if (selection.queries.size() > 2)
    return "What do " + std::to_string(selection.queries.size()) + " queries attend to?";
  return "What does " + token_in_words(in, selection.detail_query) + " attend to?";
}

float attention_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  if (in.preview) return preview_page(canvas, area, in);
  const Pen pen{canvas, in.theme, in.hover};
  const nn::AttentionTrace& trace = in.results.attention;
  if (trace.T == 0 || trace.S == 0 || trace.heads == 0) {
    return no_results(pen, area, "", in.busy >= 0,
                      {.computing = "The attention is being computed",
                       .appears = "it appears here when it is done",
                       .sentence = "every token attends to all tokens, including itself"});
  }
  const Selection selection = select(in);
  const Sheet sheet{pen, in, selection};
  const float margin = area.w < 700 ? 10.f : 16.f;
  Box page{area.x + margin, area.y + page_edge, area.w - 2 * margin, std::max(0.f, area.h - 2 * page_edge)};
  const float room = page.h;
  float used = 0;
  bool all = false;  // the lower cards are beside the map
  std::vector<LowerRow> rows;
  if (is_wide(area, in)) {
    page.h = std::max(page.h, least_height);
    const ColumnCard later[] = {{420, [&](Box box) { draw_matrices(sheet, box); }},
                                {380, [&](Box box) { draw_kernels(sheet, box); }}};
    // A single token has no offsets to show weights by.
    // In a window they have a screen of their own, so that the map has most of it.
    all = canvas.plain() && in_columns(page, std::span(later).first(one_token(sheet) ? 1 : 2));
    add_left_over(rows, sheet, page, side_by_side(sheet, page));
    used = page.h;
    if (all && rows.empty()) return std::max(area.h, page.y + used + page_edge - area.y);
  } else {
    used = stacked(sheet, page);
  }
  if (!all) add_matrices(rows, sheet, page.w);
  used = draw_rows(sheet, page, used, room, rows);
  return std::max(area.h, page.y + used + margin - area.y);
}

}  // namespace headlight::views
