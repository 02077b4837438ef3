// The pairs of tokens at which A and B differ most.
#include <algorithm>
#include <cmath>

#include "kit/plain_text.h"
#include "kit/plot.h"
#include "kit/sides.h"
#include "pages/compare/compare.h"
#include "pages/compare/view/cards.h"

namespace headlight::views {

namespace {

constexpr float usual_pair_row = 32, least_pair_row = 24, most_pair_row = 44;

/// The token, with its position where another one has the same text.
std::string with_position(std::string label, const std::string& in_words, int position) {
  return in_words == in_quotes(label) ? label : label + " " + std::to_string(position);
}
std::string query_of_pair(const CompareView& view, const scene::PairApart& pair) {
  return with_position(token_label(view.sheet.in, pair.query), token_in_words(view.sheet.in, pair.query),
                       pair.query);
}
std::string key_of_pair(const CompareView& view, const scene::PairApart& pair) {
  return with_position(key_label(view.sheet.in, pair.key), key_in_words(view.sheet.in, pair.key), pair.key);
}

/// The columns of a list of pairs: its words, its bars, its numbers.
struct PairColumns {
  float words = 0, bars = 0, number = 0;
};

PairColumns pair_columns(const CompareView& view, float width, const std::vector<std::string>& numbers) {
  const Pen& pen = view.pen();
  PairColumns out;
  for (const std::string& one : numbers)
    out.number = std::max(out.number, 8 + pen.canvas.text_width(one, mono_style({}, word_size)));
  const draw::TextStyle style = strong_style({}, word_size);
  for (const scene::PairApart& one : view.results.apart)
    out.words = std::max(out.words, pen.canvas.text_width(query_of_pair(view, one), style) +
                                        pen.canvas.text_width(" → ", style) +
                                        pen.canvas.text_width(key_of_pair(view, one), style) + 14);
  constexpr float most_words = 0.55f, least_bars = 48;  // long tokens are shortened, the bars are not
  out.words = std::min(out.words, std::max(0.f, std::max(most_words * width, width - out.number - 240)));
  out.bars = std::max(std::min(least_bars, width - out.number), width - out.words - out.number);
  out.words = std::min(out.words, width - out.number - out.bars);
  return out;
}

/// Writes “query → key”, each in the colour of its role.
void pair_words_at(const CompareView& view, Point at, const scene::PairApart& pair, float width) {
  const Pen& pen = view.pen();
  const draw::TextStyle arrow = words_style(view.theme().dim, word_size);
  const float between = pen.canvas.text_width(" → ", arrow), room = std::max(0.f, width - between);
  const std::string query = query_of_pair(view, pair), key = key_of_pair(view, pair);
  const draw::TextStyle of_query = literal(strong_style(view.theme().query, word_size)),
                        of_key = literal(strong_style(view.theme().key, word_size));
  const float wide_key = pen.canvas.text_width(key, of_key);
  const float for_query = std::max(room - wide_key, std::min(room / 2, room));
  at.x += put(pen, at, query, of_query, for_query);
  at.x += put(pen, at, " → ", arrow);
  const float used = pen.canvas.text_width(query, of_query);
  put(pen, at, key, of_key, std::max(0.f, room - std::min(used, for_query)));
}

}  // namespace

float compare_apart_height(const CompareView& view, bool tight) {
  const float rows = static_cast<float>(scene::most_pairs_apart);
  return 2 * card_padding + 42 + rows * text_line(view.pen(), tight ? least_pair_row : usual_pair_row);
}

void compare_apart_card(const CompareView& view, Box box) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const PageInput& in = view.sheet.in;
  const std::vector<scene::PairApart>& pairs = view.results.apart;
  const double largest = pairs.empty() ? 0 : std::abs(static_cast<double>(pairs.front().difference));
  const double whole = pairs.empty() ? 1 : std::min(1.0, nice_ceiling(largest));
  const std::string full_bar = whole < 1 ? "; full bar: " + brief(whole, 2) : std::string();
  Box inside = card(pen, box,
                    {"Where do they differ most?",
                     pairs.empty() ? std::string() : "right: more weight in A; left: in B" + full_bar},
                    "apart");
  if (pairs.empty()) {
    std::string why = view.results.no_pairs;
    if (!why.empty() && why.front() >= 'a' && why.front() <= 'z')
      why.front() = static_cast<char>(why.front() - 'a' + 'A');
    placeholder(pen, inside, why, "no pair has a difference");
    return;
  }
  // A figure without a selection has no pinned pair.
  const scene::Pinned pinned = scene::pinned(in.scene, view.sheet.trace().T, view.sheet.trace().S);
  const bool marked = marks_selection(pen) && pinned.detail_query >= 0;
  // Small differences are bars as long as large ones: their numbers have two digits that count.
  const int needed = largest > 0 ? static_cast<int>(std::ceil(-std::log10(largest))) + 1 : 2;
  const int decimals = std::clamp(needed, std::max(2, view.decimals()), 7);
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    numbers.push_back(
        in.text(quantity("bench_apart", {{"rank", static_cast<int>(i) + 1}}), base::with_sign(decimals)));
  constexpr float beside = 8;
  const PairColumns columns = pair_columns(view, inside.w - 2 * beside, numbers);
  const float high = std::clamp(inside.h / static_cast<float>(scene::most_pairs_apart),
                                text_line(pen, least_pair_row), text_line(pen, most_pair_row));
  const float zero = inside.x + beside + columns.words + columns.bars / 2, half = columns.bars / 2 - 6;
  const Box lines{inside.x, inside.y, inside.w, high * static_cast<float>(pairs.size())};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const scene::PairApart& one = pairs[i];
    const Box row = inside.cut_top(high);
    Mark mark;
    mark.part = Part::cell, mark.query = one.query, mark.key = one.key, mark.area = row;
    mark.name = "differs " + std::to_string(i + 1);
    pen.canvas.mark(mark);
    const bool on = marked && one.query == pinned.detail_query && one.key == pinned.key;
    const Box ground{row.x, row.y + 1, row.w, row.h - 2};
    const Selection& at = view.sheet.selection;
    if (on || (at.hover_query == one.query && at.hover_key == one.key))
      pen.canvas.rect(ground, on ? theme.field : theme.field_hover, 6);
    const float y = row.centre().y;
    const auto size =
        half * static_cast<float>(std::min(1.0, std::abs(static_cast<double>(one.difference)) / whole));
    const bool more = one.difference > 0;
    const float thick = std::min(10.f, row.h - 12);
    pen.canvas.rect({more ? zero : zero - size, y - thick / 2, std::max(1.f, size), thick},
                    side_color(theme, more ? WhichSide::a : WhichSide::b), 2);
    pair_words_at(view, {row.x + beside, y}, one, columns.words - 8);
    put(pen, {row.right() - beside, y}, numbers[i], aligned(mono_style(theme.text, word_size), Align::right));
    if (on) pen.canvas.frame(ground, {theme.border, 1}, 6);
    pen.canvas.mark({});
  }
  pen.canvas.rect({zero - 0.5f, lines.y + 3, 1, lines.h - 6}, theme.border);
}

}  // namespace headlight::views
