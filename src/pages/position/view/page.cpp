#include "pages/position/view/page.h"

#include <algorithm>
#include <cmath>

#include "kit/columns.h"
#include "kit/page_input.h"
#include "kit/words.h"
#include "pages/position/view/cards.h"

namespace headlight::views {

namespace {

constexpr float gap = card_gap;

/// Tall enough for the clocks on at most `most` lines.
float clocks_height(const PositionView& view, float width, int most) {
  const int across = std::max(1, static_cast<int>((width - 2 * card_padding) / 92));
  const int down = std::clamp((view.pairs + across - 1) / across, 1, most);
  return 112 + 92 * static_cast<float>(down) + (width < 620 ? control_height + 8 : 0);
}

/// One card under the other. Returns the lower edge.
float stacked(const PositionView& view, Box rest, float window) {
  const auto next = [&](float height) { return take_top(rest, height); };
  p_map_card(view, next(hero_height(view.pen, window - 2 * gap, 340, 230)));
  columns_plot_card(view, next(330));
  clocks_card(view, next(clocks_height(view, rest.w, 4)));
  if (rest.w >= 560) {
    Box row = next(270);
    rotation_card(view, take_left(row, part_of(row.w, 0.54f)));
    same_arc_card(view, row);
  } else {
    rotation_card(view, next(240));
    same_arc_card(view, next(270));
  }
  build_up_card(view, next(350));
  binary_card(view, next(rest.w < 520 ? 560.f : 380.f));
  uniqueness_card(view, next(370));
  if (view.about().empty()) concat_card(view, next(rest.w < 520 ? 380.f : 330.f));
  return rest.y - gap;
}

/// P and its curves fill the window, with the clocks and the rotation in a column at their right; the others
/// in rows of two below.
float paired(const PositionView& view, Box rest, float window) {
  const float fill = std::clamp(window - gap - 8, 400.f, 1000.f);
  Box row = take_top(rest, fill);
  const bool column = view.in.column, low = column && fill < 540;  // a column with room for the clocks alone
  Box right;
  if (column) {
    right = row.cut_right(std::round(std::clamp(rest.w * 0.25f, 296.f, 376.f)));
    row.cut_right(gap);
  }
  p_map_card(view, take_left(row, std::max(250.f, part_of(row.w, 0.38f))));
  columns_plot_card(view, row);
  const bool concatenates = view.about().empty();
  const float rotation_width = std::max(330.f, part_of(rest.w, 0.27f));
  std::vector<float> heights{fill};
  if (!column) heights.push_back(clocks_height(view, rest.w - gap - rotation_width, 2));
  const std::size_t below = heights.size();
  heights.insert(heights.end(), {400, 400});
  if (concatenates) heights.push_back(310);
  fill_screens(view.pen, heights, window - 2 * gap);
  if (column) {
    const Box rotation = low ? Box{} : right.cut_bottom(std::clamp(part_of(fill, 0.42f), 226.f, 300.f));
    if (!low) right.cut_bottom(gap);
    clocks_card(view, right);
    if (!low) rotation_card(view, rotation);
  } else {
    row = take_top(rest, heights[1]);
    clocks_card(view, take_left(row, rest.w - gap - rotation_width));
    rotation_card(view, row);
  }
  row = take_top(rest, heights[below]);
  build_up_card(view, take_left(row, part_of(row.w, 0.58f)));
  uniqueness_card(view, row);
  row = take_top(rest, heights[below + 1]);
  binary_card(view, take_left(row, part_of(row.w, low ? 0.46f : 0.62f)));
  if (low) rotation_card(view, take_left(row, part_of(row.w, 0.5f)));
  same_arc_card(view, row);
  if (concatenates) concat_card(view, take_top(rest, heights[below + 2]));
  return rest.y - gap;
}

/// Everything on one screen.
float spread(const PositionView& view, Box rest, float window) {
  const float fill = window - 2 * gap;
  Box row = take_top(rest, part_of(fill, 0.47f));
  p_map_card(view, take_left(row, part_of(row.w, 0.24f)));
  columns_plot_card(view, take_left(row, part_of(row.w, 0.66f)));
  rotation_card(view, take_top(row, part_of(row.h, 0.48f)));
  same_arc_card(view, row);
  row = take_top(rest, fill - gap - part_of(fill, 0.47f));
  clocks_card(view, take_left(row, part_of(row.w, 0.38f)));
  Box middle = take_left(row, part_of(row.w, 0.5f));
  build_up_card(view, take_top(middle, part_of(middle.h, 0.5f)));
  uniqueness_card(view, middle);
  if (!view.about().empty()) {
    binary_card(view, row);
    return rest.y - gap;
  }
  binary_card(view, take_top(row, part_of(row.h, 0.56f)));
  concat_card(view, row);
  return rest.y - gap;
}

/// A learned table: it, its columns, and how its rows differ. Returns the lower edge.
float table_cards(const PositionView& view, Box rest, float window) {
  if (rest.w < 860) {
    p_map_card(view, take_top(rest, 340));
    columns_plot_card(view, take_top(rest, 330));
    uniqueness_card(view, take_top(rest, 370));
    return rest.y - gap;
  }
  Box row = take_top(rest, std::max(480.f, window - gap - 8));
  p_map_card(view, take_left(row, part_of(row.w, 0.36f)));
  columns_plot_card(view, take_top(row, part_of(row.h, 0.48f)));
  uniqueness_card(view, row);
  return rest.y - gap;
}

/// What P is of a model of another program, or that a trained one does not add it; empty: neither.
std::string strip_words(const PositionView& view) {
  return view.about().empty() ? not_added(view.in.results) : view.about();
}

/// The strip above the cards. Returns its height.
float about_strip(const PositionView& view, Box rest, bool draw) {
  const Pen& pen = view.pen;
  const std::string words = strip_words(view);
  const draw::TextStyle style = words_style(pen.theme.text);
  constexpr float around = 10;
  const float wide = rest.w - 2 * card_padding;
  const float high = paragraph(pen, {}, wide, words, style, 3, false) + 2 * around;
  if (!draw) return high;
  const Box box{rest.x, rest.y, rest.w, high};
  pen.canvas.rect(box, pen.theme.panel, 10);
  paragraph(pen, {box.x + card_padding, box.y + around}, wide, words, style, 3);
  return high;
}

}  // namespace

std::string position_question(const PageInput&) {
  return "How does a position become a vector?";
}

float position_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  const PositionView view(canvas, in);
  Box rest = area.inset(gap);
  if (view.results.source == scene::PositionSource::none) {
    placeholder(view.pen, card(view.pen, rest, {}), "No positions to show", view.about());
    return area.h;
  }
  if (view.rows == 0 || view.cols == 0) {
    const Box inside = card(view.pen, rest, {});
    placeholder(view.pen, inside, "P is being computed", "it appears here when it is done");
    return area.h;
  }
  rest.h = 1e6f;  // as much as it takes
  const Box first = rest;
  float window = area.h;
  if (!strip_words(view).empty()) {
    const float strip = about_strip(view, rest, false);
    about_strip(view, take_top(rest, strip), true);
    window -= strip + gap;
  }
  const bool large = area.w >= 1900 && area.h >= 1100;
  const float bottom = !view.waves()                           ? table_cards(view, rest, window)
                       : large                                 ? spread(view, rest, window)
                       : area.w >= (in.column ? 960.f : 860.f) ? paired(view, rest, window)
                                                               : stacked(view, rest, window);
  progress_line(view.pen, first, in.busy);
  return bottom + gap - area.y;
}

}  // namespace headlight::views
