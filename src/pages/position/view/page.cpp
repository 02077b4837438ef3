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

Question question_of(const PositionView& view) {
  return {.words = position_question(view.in), .quoted = {}, .compact = view.in.compact};
}

/// The first picture: P, which takes `share` of the width, and the waves of its columns in one card, whose
/// title is the question. Without a share it is P alone. With positions across it is `across_height` high
/// where that is given, for the wave below P. On paper, on a slide, and where a lesson shows one of them
/// alone, P and the waves have a card each. Returns whether waves are in it.
bool first_picture(const PositionView& view, Box box, float share, float across_height = 0) {
  constexpr float least_map = 250;
  const float map = std::max(least_map, part_of(box.w, share));
  if (view.pen.canvas.plain() || view.in.alone) {
    p_map_card(view, share > 0 ? take_left(box, map) : box);
    if (share > 0) columns_plot_card(view, box);
    return share > 0;
  }
  const bool across = p_across(view);
  const scene::PAxis axis = view.in.scene.positions.axis;
  std::vector<Choice> axes;
  if (view.waves())
    axes = {{"down", "p_axis=down", "positions down", axis == scene::PAxis::down,
             share > 0 ? "positions down, as the rows of P, beside the plotted columns"
                       : "positions down, as the rows of P"},
            {"across", "p_axis=across", "positions across", axis == scene::PAxis::across,
             "positions across, above the wave of pair j, on one axis"}};
  CardHead above{"", "", axes.empty() ? 0.f : segmented_width(view.pen, axes)};
  if (!axes.empty()) {  // longer words where the question remains as high as it is
    std::vector<Choice> longer = axes;
    longer[0].label = "positions down", longer[1].label = "positions across";
    const CardHead with_them{"", "", segmented_width(view.pen, longer)};
    if (question_height(view.pen, box, question_of(view), with_them) <=
        question_height(view.pen, box, question_of(view), above))
      axes = longer, above = with_them;
  }
  constexpr float subtitle = 24;
  const float head = question_height(view.pen, box, question_of(view), above) + subtitle;
  const bool with_wave =
      room_for_wave(view, (across_height > 0 ? across_height : box.h) - 2 * card_padding - head);
  if (!axes.empty() && !with_wave) axes[1].note = "positions across, as columns";
  const CardHead words = p_map_head(view, with_wave);
  if (share == 0 || across) above.subtitle = words.title + " · " + words.subtitle;
  Box inside = hero_card(view.pen, box, question_of(view), above, "p");
  if (!axes.empty()) segmented(view.pen, card_corner(box), axes);
  if (across) {
    p_over_waves(view, inside, with_wave, true);
    return with_wave;
  }
  if (share == 0) {
    p_map(view, inside);
    return false;
  }
  Box parts{box.x, inside.y - card_padding, box.w, box.bottom() - inside.y + card_padding};
  Box left = parts.cut_left(map).inset(card_padding);
  card_head(view.pen, left, words);
  p_map(view, left);
  columns_plot_part(view, parts);
  return true;
}

/// One card under the other. Returns the lower edge.
float stacked(const PositionView& view, Box rest, float window) {
  const auto next = [&](float height) { return take_top(rest, height); };
  constexpr float least = 230, with_wave = 680;
  const float across = hero_height(view.pen, window - 2 * gap, with_wave, least);
  const float map = p_across(view) ? across : hero_height(view.pen, window - 2 * gap, 380, least);
  if (!first_picture(view, next(map), 0, across)) columns_plot_card(view, next(330));
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

/// What P is of a model of another program, or that a trained one does not add it; empty: neither.
std::string strip_words(const PositionView& view) {
  return view.about().empty() ? not_added(view.in.results) : view.about();
}

/// The height of the question above later screens, which a window has to leave to it.
constexpr float question_line = 48;

/// The width of the column beside P; 0 in a low window.
float column_beside(float width, float window) {
  return support_width({0, 0, width, window - question_line}) > 0 ? picture_column(width) : 0;
}

/// P and its curves fill the window, with the clocks and the rotation in a column at their right; the others
/// in rows of two below. In a low window P and its curves are alone on the first screen.
float paired(const PositionView& view, Box rest, float window) {
  const bool plain = view.pen.canvas.plain(), concatenates = view.about().empty();
  // In a window the first picture is as near to its edges as a screen allows.
  constexpr float edge = 8;
  const bool nearer = !plain && strip_words(view).empty();  // no strip above it
  if (nearer) rest.y -= gap - edge;
  const float least = p_across(view) ? 460.f : 400.f;  // P across has room for its wave
  const float fill = std::clamp(window - (nearer ? 2 * edge : gap + edge), least, 1000.f);
  Box row = take_top(rest, fill);
  const float side = !view.in.column ? 0
                     : plain         ? std::round(std::clamp(rest.w * 0.25f, 296.f, 376.f))
                                     : column_beside(rest.w, window);
  const bool low = side > 0 && fill < 540;  // a column with room for the clocks alone
  Box right;
  if (side > 0) {
    right = row.cut_right(side);
    row.cut_right(gap);
  }
  first_picture(view, row, 0.38f);
  const float beside =
      plain ? std::max(330.f, part_of(rest.w, 0.27f)) : std::max(360.f, part_of(rest.w, 0.34f));
  constexpr float two_cards = 480;
  std::vector<float> heights{fill};
  if (side == 0) heights.push_back(plain ? clocks_height(view, rest.w - gap - beside, 2) : two_cards);
  const std::size_t below = heights.size();
  heights.insert(heights.end(), {400, 400});
  const bool in_last_row = side == 0 && !plain;  // the concatenation beside the binary digits
  if (concatenates && !in_last_row) heights.push_back(310);
  fill_screens(view.pen, heights, window - 2 * gap, view.in.question_above);
  if (side > 0) {
    const Box rotation = low ? Box{} : right.cut_bottom(std::clamp(part_of(fill, 0.42f), 226.f, 300.f));
    if (!low) right.cut_bottom(gap);
    clocks_card(view, right);
    if (!low) rotation_card(view, rotation);
  } else {
    row = take_top(rest, heights[1]);
    clocks_card(view, take_left(row, rest.w - gap - beside));
    rotation_card(view, plain ? row : take_top(row, part_of(row.h, 0.5f)));
    if (!plain) same_arc_card(view, row);
  }
  row = take_top(rest, heights[below]);
  build_up_card(view, take_left(row, part_of(row.w, 0.58f)));
  uniqueness_card(view, row);
  row = take_top(rest, heights[below + 1]);
  if (in_last_row) {
    binary_card(view, concatenates ? take_left(row, part_of(row.w, 0.5f)) : row);
    if (concatenates) concat_card(view, row);
    return rest.y - gap;
  }
  binary_card(view, take_left(row, part_of(row.w, low ? 0.46f : 0.62f)));
  if (low) rotation_card(view, take_left(row, part_of(row.w, 0.5f)));
  same_arc_card(view, row);
  if (concatenates) concat_card(view, take_top(rest, heights[below + 2]));
  return rest.y - gap;
}

/// In a large window P and its curves have most of it, with three cards in a column at their right; the
/// others are on a second screen, two in a row.
float large_screens(const PositionView& view, Box rest, float window) {
  constexpr float edge = 8, rotation = 290, arcs = 300;
  const float above = strip_words(view).empty() ? edge : gap;  // else below the strip
  rest.y -= gap - above;
  Box row = take_top(rest, window - above - edge);
  Box right = row.cut_right(column_beside(rest.w, window));
  row.cut_right(gap);
  first_picture(view, row, 0.38f);
  clocks_card(view, take_top(right, right.h - rotation - arcs - 2 * gap));
  rotation_card(view, take_top(right, rotation));
  same_arc_card(view, right);
  const float room = window - 2 * gap - view.in.question_above;
  row = take_top(rest, part_of(room, 0.5f));
  build_up_card(view, take_left(row, part_of(row.w, 0.58f)));
  uniqueness_card(view, row);
  row = take_top(rest, part_of(room, 0.5f));
  const bool concatenates = view.about().empty();
  binary_card(view, concatenates ? take_left(row, part_of(row.w, 0.58f)) : row);
  if (concatenates) concat_card(view, row);
  return rest.y - gap;
}

/// A large page of a figure: everything on one screen.
float spread(const PositionView& view, Box rest, float window) {
  const float fill = window - 2 * gap;
  Box row = take_top(rest, part_of(fill, 0.47f));
  const float map = part_of(row.w, 0.24f), curves = part_of(row.w - map - gap, 0.66f);
  first_picture(view, take_left(row, map + gap + curves), map / (map + curves));
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
    first_picture(view, take_top(rest, 380), 0);
    columns_plot_card(view, take_top(rest, 330));
    uniqueness_card(view, take_top(rest, 370));
    return rest.y - gap;
  }
  constexpr float least_below = 300, least_first = 480;
  const float fill = std::max(least_first, window - gap - 8);
  if (view.pen.canvas.plain()) {
    Box row = take_top(rest, fill);
    p_map_card(view, take_left(row, part_of(row.w, 0.36f)));
    columns_plot_card(view, take_top(row, part_of(row.h, 0.48f)));
    uniqueness_card(view, row);
    return rest.y - gap;
  }
  const float below = part_of(fill, 0.36f);
  if (below < least_below) {
    first_picture(view, take_top(rest, fill), 0.36f);
    uniqueness_card(view, take_top(rest, std::max(370.f, fill - view.in.question_above)));
    return rest.y - gap;
  }
  first_picture(view, take_top(rest, fill - gap - below), 0.36f);
  uniqueness_card(view, take_top(rest, below));
  return rest.y - gap;
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
    if (!view.pen.canvas.plain()) page_question(view.pen, rest, question_of(view), area.h);
    placeholder(view.pen, card(view.pen, rest, {}), "No positions to show", view.about());
    return area.h;
  }
  if (view.rows == 0 || view.cols == 0) {
    if (!view.pen.canvas.plain()) page_question(view.pen, rest, question_of(view), area.h);
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
                       : large && canvas.plain()               ? spread(view, rest, window)
                       : large                                 ? large_screens(view, rest, window)
                       : area.w >= (in.column ? 960.f : 860.f) ? paired(view, rest, window)
                                                               : stacked(view, rest, window);
  progress_line(view.pen, first, in.busy);
  return bottom + gap - area.y;
}

}  // namespace headlight::views
