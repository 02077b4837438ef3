#include <algorithm>
#include <array>
#include <cmath>

#include "kit/area_name.h"
#include "kit/cells.h"
#include "kit/map_labels.h"
#include "kit/verdict.h"
#include "pages/order/order.h"
#include "pages/order/view/cards.h"

namespace headlight::views {

using draw::Heatmap;

namespace {

constexpr float most_pitch = 84;          // of a row, in a card that needs no more
constexpr float least_number_pitch = 13;  // least pitch of rows with a number each
constexpr float difference_width = 74;    // width of the column of differences
constexpr std::size_t most_moving = 48;   // the most rows whose movement is animated
constexpr int all_lines = 40;             // with more tokens, only those that moved are joined
constexpr std::size_t most_joined = 128;  // of more tokens that moved, the first ones

/// The left or the right map with the labels beside it.
struct Side {
  const nn::Matrix& values;
  Box box;
  bool right = false;
};

Box row_box(Box map, int rows, int row) {
  const float pitch = map.h / static_cast<float>(rows);
  return {map.x, map.y + static_cast<float>(row) * pitch, map.w, pitch};
}

/// Returns where the row of each position is drawn, in rows: at its position, or on its way there from the
/// previous order.
std::vector<float> places_of(const OrderView& view) {
  const std::vector<int>& order = view.results.order;
  const scene::IndexList& from = view.sheet.in.scene.order.from;
  std::vector<float> places(order.size());
  const float t = view.sheet.in.transition, eased = t * t * (3 - 2 * t);
  for (std::size_t position = 0; position < order.size(); ++position) {
    places[position] = static_cast<float>(position);
    if (t >= 1 || from.size() != order.size() || order.size() > most_moving) continue;
    const auto before = std::find(from.begin(), from.end(), order[position]);
    if (before == from.end()) continue;
    const auto start = static_cast<float>(before - from.begin());
    places[position] = start + (places[position] - start) * eased;
  }
  return places;
}

Heatmap rows_heat(const OrderView& view, std::span<const float> values, int rows, float scale) {
  return with_signs(heat_of(values, rows, view.sheet.in.results.version), scale);
}

/// Draws the moving rows one by one.
void draw_moving(const OrderView& view, const Side& side, float scale, const std::vector<float>& places) {
  const int n = side.values.rows();
  const float pitch = side.box.h / static_cast<float>(n);
  for (int position = 0; position < n; ++position) {
    const Box row{side.box.x, side.box.y + places[static_cast<std::size_t>(position)] * pitch, side.box.w,
                  pitch};
    draw_cells(view.pen(), row, rows_heat(view, side.values.row(position), 1, scale));
  }
}

void draw_map(const OrderView& view, const Side& side, float scale) {
  const int n = side.values.rows();
  draw_cells(view.pen(), side.box, rows_heat(view, side.values.values(), n, scale));
  if (side.box.h / static_cast<float>(n) < 3) return;
  for (int row = 0; row < n; ++row) {
    Mark mark;
    mark.part = Part::query_token;
    mark.query = side.right ? view.results.order[static_cast<std::size_t>(row)] : row;
    mark.name = side.right ? "moved row" : "row";
    mark.area = row_box(side.box, n, row);
    view.canvas().mark(mark);
  }
  view.canvas().mark({});
}

/// Joins each token's row on the left to its row on the right.
void join(const OrderView& view, Box left, Box right, const std::vector<float>& places) {
  const int n = view.results.tokens;
  const auto line = [&](int position, draw::Stroke stroke) {
    const int token = view.results.order[static_cast<std::size_t>(position)];
    const Point a{left.right() + 4, row_box(left, n, token).centre().y},
        b{right.x - 4,
          right.y + (places[static_cast<std::size_t>(position)] + 0.5f) * right.h / static_cast<float>(n)};
    const float bend = (b.x - a.x) * 0.45f;
    view.canvas().curve(a, {a.x + bend, a.y}, {b.x - bend, b.y}, b, stroke);
  };
  int detail_row = -1;
  std::size_t joined = 0;
  for (int position = 0; position < n; ++position) {
    const int token = view.results.order[static_cast<std::size_t>(position)];
    if (token == view.query) detail_row = position;
    // With many tokens, only those that moved have a line.
    const bool stated = n <= all_lines || token != position;
    if (stated && token != view.query && joined++ < most_joined)
      line(position, {draw::faded(token_color(view.theme(), token), n > all_lines ? 0.5f : 0.85f),
                      n > all_lines ? 1.f : 1.8f, second_round(token) ? 5.f : 0.f});
  }
  if (detail_row >= 0) line(detail_row, {view.theme().query, 2.5f});
}

void frame_row(const OrderView& view, Box map, float row) {
  const float pitch = map.h / static_cast<float>(view.results.tokens);
  Box box{map.x, map.y + row * pitch, map.w, pitch};
  if (box.h < 4) box = {box.x, box.centre().y - 2, box.w, 4};
  view.canvas().frame(box.inset(-2), {view.theme().query, 2}, 4);
}

/// Writes the largest difference of each row, at the right.
void differences(const OrderView& view, Box column, Box map) {
  const int n = view.results.tokens;
  const draw::Theme& theme = view.theme();
  put(view.pen(), {column.right(), map.y - 12}, "difference",
      aligned(words_style(theme.dim, small_size), Align::right), column.w);
  // All have three decimals, unless the largest is next to nothing.
  const std::vector<double>& rows = view.results.float32.rows;
  const bool decimals = *std::max_element(rows.begin(), rows.end()) >= 0.01;
  for (int position = 0; position < n; ++position) {
    const double apart = view.results.float32.rows[static_cast<std::size_t>(position)];
    const bool small = apart <= 1e-5 * view.results.float32.largest;
    put(view.pen(), {column.right(), row_box(map, n, position).centre().y},
        decimals ? view.sheet.in.text(quantity("order_row", {{"position", position}}), mean_weight_text)
                 : view.sheet.in.text(quantity("order_row", {{"position", position}})),
        aligned(mono_style(small ? theme.dim : theme.text, small_size), Align::right), column.w);
  }
}

/// Draws the card without what may be above its rows; `above` is the height of that.
void rows_card(const OrderView& marked, Box box, float above, float largest_pitch) {
  const bool marks = marks_selection(marked.pen());
  const Selection none = unmarked(marked.sheet.selection);
  const Sheet& seen = marked.sheet;
  const Sheet bare{seen.pen, seen.in, none, seen.shown};
  OrderView view(marks ? seen : bare, marked.results);
  if (!marks) view.query = view.key = -1;
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const scene::OrderResults& r = view.results;
  const std::string all = std::to_string(view.sheet.trace().T);
  constexpr float low_card = 230;  // of rows alone: they take the line that says what they are
  const bool low = above == 0 && box.h < low_card && !pen.canvas.plain();
  const std::string left_out = r.tokens < view.sheet.trace().T
                                   ? "the first " + std::to_string(r.tokens) + " of " + all + " tokens"
                                   : std::string();
  const std::string first = left_out + (left_out.empty() ? "" : "; ") +
                            (r.mask_knows_order ? "the mask depends on position; " : "");
  const std::string notes =
      low ? left_out
          : first + "each row is one token’s output; " +
                (r.tokens > all_lines ? "lines join the tokens that moved" : "a line joins the same token");
  Box inside;
  if (above > 0) {
    card(pen, box, {.title = "", .subtitle = "", .called = "Output rows"}, "rows");
    inside = box.inset(card_padding);
    inside.cut_top(above - card_padding);
    pen.canvas.rect({inside.x, inside.y, inside.w, 1}, theme.border);
    inside.cut_top(12);
    card_head(pen, inside, {"Output rows", notes});
  } else {
    inside = card(pen, box, {"Output rows", notes}, "rows");
  }
  if (r.tokens == 0 || r.original.empty()) return;
  // In a narrow card the numbers have a line of their own below the bar.
  constexpr float least_wide = 560, least_with_differences = 400;
  const bool wide = inside.w >= least_wide;
  Box numbers = wide ? Box{} : inside.cut_bottom(text_line(pen, 24));
  Box foot = inside.cut_bottom(26);
  inside.cut_bottom(on_slide(pen) ? text_line(pen, 12) : 6.f);  // the last name is larger there
  inside.cut_top(24);
  const int n = r.tokens;
  // The row of a single token is in the middle of the window's card, as high as one cell is on other pages.
  constexpr float one_row_share = 0.45f, of_message = 56;
  const float spare_height = inside.h - std::max(largest_pitch, one_row_share * inside.h) - of_message;
  const bool one = n == 1 && above > 0 && !pen.canvas.plain() && spare_height > 0;
  if (one) {
    largest_pitch = std::max(largest_pitch, one_row_share * inside.h);
    inside.cut_top(std::floor(spare_height / 2));
  }

  TokenAxis rows;
  rows.role = Role::query, rows.first = 0, rows.last = n;
  rows.pitch = std::min(largest_pitch, inside.h / static_cast<float>(n));
  if (rows.pitch >= 8) rows.pitch = std::floor(rows.pitch);
  rows.start = rows.low = inside.y, rows.high = inside.y + rows.pitch * static_cast<float>(n);
  TokenAxis positions = rows;
  positions.order = r.order;
  const float label =
      std::max(column_width(view.sheet, rows, std::clamp(inside.w * 0.13f, 24.f, 110.f)),
               column_width(view.sheet, positions, std::clamp(inside.w * 0.13f, 24.f, 110.f))) +
      8;
  const bool differences_fit = inside.w >= least_with_differences && rows.pitch >= least_number_pitch;
  const float gap = std::clamp(inside.w * 0.12f, 40.f, 140.f),
              extra = differences_fit ? difference_width : 0.f;
  const float width = std::max(20.f, std::floor((inside.w - 2 * label - gap - extra) / 2));
  if (pen.canvas.parts().square) {
    const float side = width / static_cast<float>(r.original.cols());
    pen.canvas.spare(inside.h - side * static_cast<float>(n));
    rows.pitch = std::min(side, inside.h / static_cast<float>(n)),
    rows.high = rows.start + rows.pitch * static_cast<float>(n);
    positions.pitch = rows.pitch, positions.high = rows.high;
  }
  const float height = rows.high - rows.low;
  const float shown = pen.canvas.parts().square ? rows.pitch * static_cast<float>(r.original.cols()) : width;
  const Side left{r.original, {inside.x + label, inside.y, shown, height}, false};
  const Side right{r.moved, {left.box.right() + gap, inside.y, shown, height}, true};

  const draw::TextStyle heading = strong_style(theme.text, 14);
  // Two long sentences may begin alike when they are cut; both are shown in full above.
  const bool fits = pen.canvas.text_width(view.sentence(view.typed()), heading) <= width &&
                    pen.canvas.text_width(view.sentence(r.order), heading) <= width;
  put(pen, {left.box.x, inside.y - 14}, fits ? view.sentence(view.typed()) : "Original order", heading,
      width);
  put(pen, {right.box.x, inside.y - 14}, fits ? view.sentence(r.order) : "New order", heading, width);
  labels_down(view.sheet, rows, {left.box.x - 8, label - 8, false});
  labels_down(view.sheet, positions, {right.box.right() + 8, label - 8, true});

  const auto scale = static_cast<float>(nice_ceiling(static_cast<double>(
      std::max(largest_magnitude(r.original.values()), largest_magnitude(r.moved.values())))));
  draw_map(view, left, scale);
  const std::vector<float> places = places_of(view);
  if (view.sheet.in.transition < 1 && places.size() <= most_moving) {
    draw_moving(view, right, scale, places);
  } else {
    draw_map(view, right, scale);
  }
  join(view, left.box, right.box, places);
  if (view.query >= 0 && view.query < n) {
    frame_row(view, left.box, static_cast<float>(view.query));
    for (int position = 0; position < n; ++position) {
      if (r.order[static_cast<std::size_t>(position)] == view.query)
        frame_row(view, right.box, places[static_cast<std::size_t>(position)]);
    }
  }
  constexpr float of_frame = 4;  // beyond the row of the query
  name_area(pen, view.sheet.in, "moved rows",
            {left.box.right() + 3, inside.y - of_frame, right.box.right() - left.box.right() + 1,
             height + 2 * of_frame});
  if (differences_fit) {
    name_area(pen, view.sheet.in, "differences", {right.box.right() + label + 4, inside.y, extra, height});
  }
  if (differences_fit) differences(view, {right.box.right() + label, inside.y, extra, height}, right.box);

  // Directly below the maps, also where a few rows leave a part of the card.
  const float spare = std::max(0.f, inside.bottom() - left.box.bottom());
  if (!pen.canvas.parts().square) foot.y -= spare, numbers.y -= spare;
  if (one)
    placeholder(pen, {inside.x, foot.bottom() + 10, inside.w, of_message - 10},
                "Type a second word to permute the tokens", "");
  const float bar = std::min(260.f, inside.w * 0.45f);
  const std::string end = brief(static_cast<double>(scale), 3);
  color_bar(pen, {left.box.x, foot.y + 6, std::min(bar, foot.right() - left.box.x), 8},
            {draw::Colormap::signed_weight, "−" + end, "0", end});
  const OrderVerdict verdict = order_verdict(view);
  const float from = wide ? left.box.x + bar + 24 : inside.x;
  const float room = foot.right() - from, y = wide ? foot.y + 12 : numbers.centre().y;
  if (room <= 120) return;
  const draw::TextStyle style = mono_style(verdict_color(theme, verdict.sign));
  const std::string number = change_text(view.sheet.in, "order_difference");
  const std::string largest = "largest output " + view.sheet.in.text("order_largest");
  const draw::TextStyle quiet = words_style(theme.dim);
  std::string words = "max |A(πX) − πA(X)| = " + number;
  const float both = wide ? 0 : pen.canvas.text_width(largest, quiet) + 20;
  if (pen.canvas.text_width(words, style) + both > room) words = "largest change " + number;
  const float wide_words = pen.canvas.text_width(words, style);
  name_area(pen, view.sheet.in, "differences", {foot.right() - wide_words - 4, y - 9, wide_words + 8, 18});
  put(pen, {foot.right(), y}, words, aligned(style, Align::right), room);
  const float rest = room - pen.canvas.text_width(words, style) - 20;
  if (pen.canvas.text_width(largest, quiet) <= rest)
    put(pen, {from + rest, y}, largest, aligned(quiet, Align::right), rest);
}

}  // namespace

void order_rows_card(const OrderView& view, Box box, int lines, float above) {
  if (lines == 0) return rows_card(view, box, 0, most_pitch);
  rows_card(view, box, above, order_most_pitch);
  token_order_card(view, {box.x, box.y, box.w, above}, lines, true, true);
}

}  // namespace headlight::views
