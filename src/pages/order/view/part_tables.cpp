// Numbers of every head beside the maps of the parts: the shares of the parts, and what changes when the
// entries of the projections are shuffled.
#include <functional>
#include <string_view>

#include "kit/area_name.h"
#include "kit/words.h"
#include "pages/order/order.h"
#include "pages/order/view/cards.h"

namespace headlight::views {

namespace {

/// A table with a row for each head.
struct HeadTable {
  std::string title;
  std::vector<std::string> columns;
  std::function<std::string(int head, std::size_t column)> number;
  const char* name;                  // of its mark
  std::size_t from_shuffled = 1000;  // the first column of shuffled weights; the others follow it
};

constexpr const char* shuffled_area = "shuffled numbers";

constexpr float head_label = 32, table_gap = 6, table_margin = 4;

float table_line(const OrderView& view) {
  return text_line(view.pen(), 18);
}

float table_height(const OrderView& view) {
  return table_line(view) * static_cast<float>(view.sheet.trace().heads + 2);
}

/// Cuts the table from the top of `inside`. False: not all of it has room, and nothing is drawn.
bool draw_table(const OrderView& view, Box& inside, const HeadTable& table) {
  const Pen& pen = view.pen();
  const int heads = view.sheet.trace().heads;
  const float line = table_line(view);
  if (inside.h < table_height(view)) return false;
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size),
                        number = mono_style(view.theme().dim, small_size);
  const std::size_t count = table.columns.size();
  const float column = (inside.w - head_label) / static_cast<float>(count);
  std::vector<std::string> numbers;  // [heads · columns]
  for (int head = 0; head < heads; ++head) {
    for (std::size_t which = 0; which < count; ++which) {
      numbers.push_back(table.number(head, which));
      if (pen.canvas.text_width(numbers.back(), number) > column - table_gap) return false;
    }
  }
  pen.canvas.mark({.part = draw::Part::note,
                   .name = table.name,
                   .area = {inside.x - table_margin, inside.y - table_margin, inside.w + 2 * table_margin,
                            table_height(view) + 2 * table_margin}});
  pen.canvas.mark({});
  put(pen, {inside.x, inside.y + line / 2}, table.title, strong_style(view.theme().text, word_size),
      inside.w);
  inside.cut_top(line);
  const auto right = [&](std::size_t which) {
    return inside.right() - static_cast<float>(count - 1 - which) * column;
  };
  for (std::size_t which = 0; which < count; ++which)
    put(pen, {right(which), inside.y + line / 2}, table.columns[which], aligned(quiet, Align::right), column);
  inside.cut_top(line);
  const bool of_parts = std::string_view(table.name) == shares_by_head_name;
  if (const std::size_t first = of_parts ? 0 : table.from_shuffled; first < count) {
    const float from = right(first) - column + table_gap;
    name_area(pen, view.sheet.in, of_parts ? parts_area : shuffled_area,
              {from, inside.y, inside.right() + table_margin - from, line * static_cast<float>(heads)});
  }
  for (int head = 0; head < heads; ++head) {
    const draw::Color color = head == view.head ? view.theme().text : view.theme().dim;
    const float y = inside.cut_top(line).y + line / 2;
    put(pen, {inside.x, y}, std::to_string(head + 1), words_style(color, small_size), head_label);
    for (std::size_t which = 0; which < count; ++which)
      put(pen, {right(which), y}, numbers[static_cast<std::size_t>(head) * count + which],
          aligned(mono_style(color, small_size), Align::right), column);
  }
  return true;
}

HeadTable shares_table(const OrderView& view, const char* share, std::string title, const char* name,
                       std::size_t from_shuffled = 1000) {
  const auto parts = static_cast<std::size_t>(view.results.parts.count);
  return {std::move(title),
          {part_names, part_names + parts},
          [&view, share](int head, std::size_t which) {
            return view.sheet.in.text(
                quantity(share, {{"part", static_cast<int>(which) + 1}, {"head", head + 1}}));
          },
          name,
          from_shuffled};
}

/// Have the heads shares of their own to compare?
bool has_shares_by_head(const OrderView& view) {
  return !on_slide(view.pen()) && view.positions_on() && !view.results.parts.shares.empty() &&
         view.sheet.trace().heads > 1 && view.results.parts.tokens > 1;  // one score has no variance
}

/// Returns "xx 1.0 % · xp 4.8 % · …"; `name` is the quantity.
std::string share_list(const OrderView& view, const char* name) {
  std::string out;
  for (int which = 0; which < view.results.parts.count; ++which) {
    out += (which > 0 ? " · " : "") + std::string(part_names[which]) + " " +
           view.sheet.in.text(quantity(name, {{"part", which + 1}, {"head", view.head + 1}}));
  }
  return out;
}

/// What the parts add up to.
std::string whole_of_parts(const OrderView& view) {
  return view.sheet.in.scene.order.divided ? "the scores" : "q·k";
}

constexpr float above_table = 18;

}  // namespace

float shares_room(const OrderView& view) {
  constexpr int most_heads = 4;
  const bool few = view.sheet.trace().heads <= most_heads && !view.canvas().plain();
  return few && has_shares_by_head(view) ? above_table + table_height(view) : 0;
}

bool shares_by_head(const OrderView& view, Box inside) {
  inside.cut_top(above_table);
  if (!has_shares_by_head(view)) return false;
  return draw_table(
      view, inside,
      shares_table(view, "order_part_share", "covariance ÷ variance, by head", shares_by_head_name));
}

bool shuffled_by_head(const OrderView& view, Box inside) {
  const Pen& pen = view.pen();
  inside.cut_top(paragraph(pen, {inside.x, inside.y}, inside.w,
                           "The maps are those of the same layer with the entries of W_Q and W_K shuffled.",
                           words_style(view.theme().text), 3) +
                 10);
  const auto pairs = [&view](const char* as_they_are, const char* shuffled) {
    return [&view, as_they_are, shuffled](int head, std::size_t which) {
      return view.sheet.in.text(quantity(which == 0 ? as_they_are : shuffled, {{"head", head + 1}}));
    };
  };
  const scene::Results& results = view.sheet.in.results;
  const std::vector<std::string> both = {results.model || results.opened ? "as trained" : "as they are",
                                         "shuffled"};
  constexpr float between = 12;
  const bool shares =
      draw_table(view, inside,
                 shares_table(view, "shuffled_part_share", "shuffled: covariance ÷ variance, by head",
                              "shuffled shares by head", 0));
  if (shares) inside.cut_top(between);
  const std::string by_distance = "pp explained by the offset", share = "share of " + by_distance;
  const bool long_title =
      pen.canvas.text_width(share, strong_style(view.theme().text, word_size)) <= inside.w;
  if (draw_table(view, inside,
                 {long_title ? share : by_distance, both,
                  pairs("order_offset_share", "shuffled_offset_share"), "distance by head", 1}))
    inside.cut_top(between);
  draw_table(view, inside,
             {"variance of " + whole_of_parts(view) + " in a row", both,
              pairs("order_variance", "shuffled_variance"), "variance by head", 1});
  return shares;
}

void shuffled_shares_line(const OrderView& view, Box foot) {
  // One score has no variance.
  if (std::isnan(
          view.sheet.in.value(quantity("shuffled_part_share", {{"part", 1}, {"head", view.head + 1}}))))
    return;
  const draw::TextStyle style = words_style(view.theme().dim);
  const std::string shares = "covariance ÷ variance: " + share_list(view, "shuffled_part_share");
  if (view.canvas().text_width(shares, style) > foot.w) return;
  const float line = text_line(view.pen(), 18), wide = view.canvas().text_width(shares, style) + 8;
  name_area(view.pen(), view.sheet.in, shuffled_area, {foot.right() - wide + 4, foot.y + 3, wide, line});
  put(view.pen(), {foot.right(), foot.y + 3 + line / 2}, shares, aligned(style, Align::right), foot.w);
}

bool shares_line(const OrderView& view, Box foot, bool shuffled_below, bool by_head) {
  // One score has no variance.
  if (std::isnan(view.sheet.in.value(quantity("order_part_share", {{"part", 1}, {"head", view.head + 1}}))))
    return false;
  const auto number = [&](const char* name) {
    return view.sheet.in.text(quantity(name, {{"head", view.head + 1}}));
  };
  const std::string shares = share_list(view, "order_part_share");
  const std::string by_offset = " · the distance explains " + number("order_offset_share") + " of pp";
  const draw::TextStyle style = words_style(view.theme().dim);
  const std::string whole = whole_of_parts(view);
  const std::string start = "covariance with " + whole + " ÷ variance: ";
  std::string words = start + shares + by_offset;
  const auto fits = [&] { return view.canvas().text_width(words, style) <= foot.w; };
  if (!fits()) words = start + shares;
  if (!fits()) words = "covariance ÷ variance: " + shares;
  if (!fits()) return false;
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = "shares";
  const float wide = view.canvas().text_width(words, style);
  const float line = text_line(view.pen(), 18);
  constexpr float margin = 6;
  mark.area = {foot.right() - wide - margin, foot.y + 3, wide + 2 * margin, line};
  mark.note = "covariance of each part with " + whole + ", relative to the variance of " + whole +
              "; every row centred\n" + shares + by_offset + "\nvariance of " + whole + ": " +
              number("order_variance");
  if (!view.results.parts.shuffled.empty() && !view.sheet.in.leaves_out("shuffled")) {
    mark.note += "\nwith the entries of W_Q and W_K shuffled: " + share_list(view, "shuffled_part_share") +
                 " · the distance explains " + number("shuffled_offset_share") + " of pp · variance of " +
                 whole + ": " + number("shuffled_variance");
  }
  const std::string shuffled =
      "with the entries of W_Q and W_K shuffled: " + share_list(view, "shuffled_part_share");
  if (shuffled_below) mark.area.h += line;
  if (!by_head) {
    draw::Mark only = mark;
    only.name = shares_by_head_name;
    view.canvas().mark(only);
    view.canvas().mark({});
  }
  name_area(view.pen(), view.sheet.in, parts_area, mark.area);
  view.canvas().mark(mark);
  put(view.pen(), {foot.right(), foot.y + 3 + line / 2}, words, aligned(style, Align::right), foot.w);
  if (shuffled_below)
    put(view.pen(), {foot.right(), foot.y + 3 + line * 3 / 2}, shuffled, aligned(style, Align::right),
        foot.w);
  view.canvas().mark({});
  return true;
}

}  // namespace headlight::views
