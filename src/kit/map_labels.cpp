#include "kit/map_labels.h"

#include <algorithm>
#include <cmath>

#include "kit/plot.h"

namespace headlight::views {

using draw::Align;
using draw::Box;
using draw::Color;
using draw::Mark;
using draw::Part;
using draw::TextStyle;

namespace {

constexpr float least_label = 11;    // a flat label is made smaller as far as this
constexpr float line_room = 13;      // from one label to the next when they stand one above the other
constexpr float sparse_room = 22;    // the same where only some tokens are named
constexpr float sparse_pitch = 12;   // below it not every token can be named
constexpr float numbered_pitch = 6;  // below it a row of labels counts positions instead of naming tokens

float size_for(float pitch) {
  return pitch >= 26 ? 13.f : pitch >= 15 ? 12.f : 11.f;
}

bool sparse(const TokenAxis& axis) {
  return axis.pitch < sparse_pitch;
}
float down_room(const TokenAxis& axis) {
  return axis.pitch < numbered_pitch ? sparse_room : line_room;
}

/// Where few of the tokens can be named, a number says which one it is.
std::string label_of(const Sheet& sheet, const TokenAxis& axis, int item) {
  const int token = axis.token(item);
  std::string words = axis.role == Role::key ? key_label(sheet.in, token) : token_label(sheet.in, token);
  if (sparse(axis) && axis.order.empty()) words += " " + std::to_string(token);
  return words;
}

struct Emphasis {
  Color color;
  bool strong = false;
};

Emphasis emphasis(const Sheet& sheet, const TokenAxis& axis, int item) {
  const Selection& s = sheet.selection;
  const draw::Theme& theme = sheet.theme();
  const int token = axis.token(item);
  if (axis.role == Role::query) {
    if (token == s.asked) return {theme.query, true};
    if (s.pinned(token)) return {theme.query, false};
    if (token == s.hover_query) return {theme.text, false};
    return {theme.dim, false};
  }
  const Color own = axis.colour_self_red && token == s.asked ? theme.query : theme.text;
  if (token == s.key) return {token == s.asked && axis.colour_self_red ? theme.query : theme.key, true};
  if (token == s.hover_key) return {own, false};
  return {axis.colour_self_red && token == s.asked ? theme.query : theme.dim, false};
}

/// Items to write, the important ones first; `room` is how much of the axis one label takes.
std::vector<int> chosen_items(const Sheet& sheet, const TokenAxis& axis, float room) {
  std::vector<int> items;
  const Selection& s = sheet.selection;
  auto want = [&](int token) {
    if (token < 0) return;
    if (axis.order.empty()) {
      if (token >= axis.first && token < axis.last) items.push_back(token);
      return;
    }
    for (int i = axis.first; i < axis.last; ++i) {
      if (axis.token(i) == token) items.push_back(i);
    }
  };
  if (axis.pitch < room) {
    if (axis.role == Role::query) {
      want(s.asked);
      want(s.hover_query);
      for (int query : s.queries) want(query);
    } else {
      want(s.key);
      want(s.hover_key);
    }
  }
  const int step = label_step(axis.pitch, room);
  const int begin = (axis.first + step - 1) / step * step;
  std::vector<int> kept;
  for (int item : items) {
    const bool clear = std::none_of(kept.begin(), kept.end(), [&](int other) {
      return std::abs(static_cast<float>(item - other)) * axis.pitch < room;
    });
    if (clear) kept.push_back(item);
  }
  const std::size_t important = kept.size();
  for (int item = begin; item < axis.last; item += step) {
    bool clear = true;
    for (std::size_t i = 0; i < important && clear; ++i)
      clear = std::abs(static_cast<float>(item - kept[i])) * axis.pitch >= room;
    if (clear) kept.push_back(item);
  }
  return kept;
}

float middle_of(const TokenAxis& axis, int item) {
  const float a = axis.start + static_cast<float>(item) * axis.pitch;
  return (std::max(a, axis.low) + std::min(a + axis.pitch, axis.high)) / 2;
}

Mark token_mark(const TokenAxis& axis, int item, Box area) {
  Mark mark;
  mark.part = axis.role == Role::query ? Part::query_token : Part::key_token;
  (axis.role == Role::query ? mark.query : mark.key) = axis.token(item);
  mark.area = area;
  return mark;
}

TextStyle style_of(const Sheet& sheet, const TokenAxis& axis, int item) {
  const Emphasis look = emphasis(sheet, axis, item);
  const float size = size_for(axis.pitch);
  return look.strong ? strong_style(look.color, size) : words_style(look.color, size);
}

}  // namespace

float column_width(const Sheet& sheet, const TokenAxis& axis, float most) {
  float width = 0;
  for (int item : chosen_items(sheet, axis, down_room(axis))) {
    width = std::max(width,
                     sheet.pen.canvas.text_width(label_of(sheet, axis, item), style_of(sheet, axis, item)));
  }
  return std::min(std::ceil(width), most);
}

RowPlan plan_row(const Sheet& sheet, const TokenAxis& axis, float most) {
  RowPlan plan;
  const float size = size_for(axis.pitch);
  if (axis.pitch >= 48) {  // wide enough: what is too long gets an ellipsis
    plan.height = size + 4;
    return plan;
  }
  float longest = 0;
  const float room = axis.pitch < sparse_pitch ? line_room : 0;
  if (axis.pitch < numbered_pitch) {
    plan.numbers = true;
    plan.height = size + 4;
    return plan;
  }
  for (int item : chosen_items(sheet, axis, std::max(room, 1.f)))
    longest = std::max(longest, sheet.pen.canvas.text_width(label_of(sheet, axis, item),
                                                            strong_style(sheet.theme().text, size)));
  plan.upwards = axis.pitch < sparse_pitch || longest * least_label / size > axis.pitch - 2;
  plan.height = plan.upwards ? std::min(std::ceil(longest) + 2, most) : size + 4;
  return plan;
}

void labels_down(const Sheet& sheet, const TokenAxis& axis, const ColumnPlace& place) {
  for (int item : chosen_items(sheet, axis, down_room(axis))) {
    const float y = middle_of(axis, item);
    const float half = std::max(axis.pitch, line_room) / 2;
    if (y < axis.low || y > axis.high) continue;
    const Box area{place.left_aligned ? place.x : place.x - place.room, y - half, place.room, 2 * half};
    sheet.pen.canvas.mark(token_mark(axis, item, area));
    const TextStyle style = style_of(sheet, axis, item);
    const float width = put(sheet.pen, {place.x, y}, label_of(sheet, axis, item),
                            aligned(style, place.left_aligned ? Align::left : Align::right), place.room);
    if (sheet.in.results.unknown(axis.token(item)))
      mark_unknown(sheet.pen, {place.left_aligned ? place.x : place.x - width, y}, width, style.size);
    sheet.pen.canvas.mark({});
  }
}

void labels_across(const Sheet& sheet, const TokenAxis& axis, const RowPlace& place) {
  const float taken = place.numbers ? 34.f : place.upwards ? line_room - 1 : std::min(axis.pitch, line_room);
  for (int item : chosen_items(sheet, axis, taken)) {
    const float x = middle_of(axis, item);
    const float half = std::max(axis.pitch, line_room) / 2;
    if (x < axis.low || x > axis.high) continue;
    TextStyle style = style_of(sheet, axis, item);
    const bool unknown = !place.numbers && sheet.in.results.unknown(axis.token(item));
    const std::string words = place.numbers ? std::to_string(axis.token(item)) : label_of(sheet, axis, item);
    if (!place.upwards) {
      // A word that is a little too long for its column is written a little smaller.
      if (const float wide = sheet.pen.canvas.text_width(words, style);
          !place.numbers && wide > axis.pitch - 1)
        style.size = std::max(least_label, style.size * (axis.pitch - 1) / wide);
      const float height = style.size + 6;
      sheet.pen.canvas.mark(token_mark(axis, item, {x - half, place.y - height / 2, 2 * half, height}));
      const float width = put(sheet.pen, {x, place.y}, words, aligned(style, Align::centre),
                              place.numbers ? 40.f : axis.pitch - 1);
      if (unknown) mark_unknown(sheet.pen, {x - width / 2, place.y}, width, style.size);
    } else {
      style.upwards = true;
      style.align = place.below ? Align::right : Align::left;
      const Box area{x - half, place.below ? place.y : place.y - place.room, 2 * half, place.room};
      sheet.pen.canvas.mark(token_mark(axis, item, area));
      const float width = put(sheet.pen, {x, place.y}, words, style, place.room);
      if (unknown && !sparse(axis))  // no room beside the line for its dots
        mark_unknown(sheet.pen, {x, place.below ? place.y + width : place.y}, width, style.size, true);
    }
    sheet.pen.canvas.mark({});
  }
}

}  // namespace headlight::views
