#include "pages/attention/view/page.h"

#include <algorithm>
#include <cmath>

#include "kit/page_input.h"
#include "kit/selection.h"
#include "pages/attention/view/bars_panel.h"
#include "pages/attention/view/below.h"
#include "pages/attention/view/cell_panel.h"
#include "pages/attention/view/chips.h"
#include "pages/attention/view/heads_panel.h"
#include "pages/attention/view/map_panel.h"
#include "pages/attention/view/preview_page.h"

namespace headlight::views {

using draw::Box;

namespace {

constexpr float side_by_side_from = 900;  // narrower pages stack their panels
constexpr float least_height = 500;       // of the panels side by side; a lower page scrolls
constexpr float roomy_cell_from = 760;    // below this the opened cell is compact

/// Heads, map, and at the right the bars above the cell. Returns the height used.
float side_by_side(const Sheet& sheet, Box area) {
  area.h = std::max(area.h, least_height);
  const float whole = area.w;
  Box heads = area.cut_left(heads_width(sheet, whole, area.h));
  area.cut_left(card_gap);
  Box right = area.cut_right(std::clamp(whole * 0.335f, 320.f, 1100.f));
  area.cut_right(card_gap);
  draw_heads(sheet, heads);
  draw_map_panel(sheet, area);
  CellLook look = area.h < roomy_cell_from ? CellLook::compact : CellLook::tall;
  const float bars = bars_height(sheet);
  if (bars + card_gap + cell_height(sheet, look) > area.h) look = CellLook::compact;
  if (bars + card_gap + cell_height(sheet, look) > area.h) {
    // Many stacked queries need the whole right side: the cell goes below, and the page scrolls.
    right.h = std::max(right.h, bars);
    draw_bars(sheet, right);
    const Box opened{heads.x, right.bottom() + card_gap, whole, cell_height(sheet, CellLook::wide)};
    draw_cell(sheet, opened, CellLook::wide);
    return opened.bottom() - heads.y;
  }
  const Box opened = right.cut_bottom(cell_height(sheet, look));
  right.cut_bottom(card_gap);
  draw_bars(sheet, right);
  draw_cell(sheet, opened, look);
  return area.h;
}

/// One below the other. Returns the height used.
float stacked(const Sheet& sheet, Box area) {
  // The map is to be seen whole; but a low window scrolls rather than leave it without its labels.
  const float on_screen = std::max(area.h, 400.f);
  const float top = area.y;
  auto panel = [&](float height) {
    const Box box{area.x, area.y, area.w, height};
    area.y += height + card_gap;
    return box;
  };
  const int heads = sheet.trace().heads;
  draw_heads(sheet, panel(heads <= 1 ? 140.f : heads <= 8 ? 132.f : 180.f));
  draw_map_panel(sheet, panel(std::clamp(std::min(area.w * 0.85f, on_screen), 320.f, 560.f)));
  draw_bars(sheet, panel(std::max(240.f, bars_height(sheet))));
  const CellLook look = area.w >= wide_cell_from ? CellLook::wide : CellLook::compact;
  draw_cell(sheet, panel(cell_height(sheet, look)), look);
  return area.y - card_gap - top;
}

/// The matrices and the kernels, under all that. Returns the height used.
float below(const Sheet& sheet, Box area) {
  const bool open = sheet.in.scene.matrix != scene::LayerMatrix::none;
  const float high = open ? 520.f : 400.f;
  if (area.w >= side_by_side_from) {
    area.h = high;
    draw_matrices(sheet, area.cut_left(std::round((area.w - card_gap) * 0.58f)));
    area.cut_left(card_gap);
    draw_kernels(sheet, area);
    return high;
  }
  const float matrices = area.w < 560 && !open ? 620.f : high;
  draw_matrices(sheet, {area.x, area.y, area.w, matrices});
  draw_kernels(sheet, {area.x, area.y + matrices + card_gap, area.w, 380});
  return matrices + card_gap + 380;
}

}  // namespace

float attention_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  if (in.preview) return preview_page(canvas, area, in);
  const Pen pen{canvas, in.theme, in.hover};
  const nn::AttentionTrace& trace = in.results.attention;
  if (trace.T == 0 || trace.S == 0 || trace.heads == 0) {
    placeholder(pen, {area.x, area.y, area.w, std::max(area.h, 80.f)}, "Type a sentence",
                "every token asks all tokens, itself included: whom do I attend to?");
    return area.h;
  }
  const Selection selection = select(in);
  const Sheet sheet{pen, in, selection};
  const float margin = area.w < 700 ? 10.f : 16.f;
  Box page{area.x + margin, area.y + 10, area.w - 2 * margin, std::max(0.f, area.h - 10 - margin)};
  draw_chips(sheet, page.cut_top(chips_height));
  page.cut_top(10);
  if (!in.results.remarks.empty()) {
    std::string all;
    for (const std::string& remark : in.results.remarks) all += (all.empty() ? "" : " · ") + remark;
    put(pen, {page.x + 2, page.y + 4}, all, words_style(in.theme.offset), page.w - 4);
    page.cut_top(20);
  }
  float used = area.w >= side_by_side_from ? side_by_side(sheet, page) : stacked(sheet, page);
  used += card_gap + below(sheet, {page.x, page.y + used + card_gap, page.w, 0});
  return std::max(area.h, page.y + used + margin - area.y);
}

}  // namespace headlight::views
